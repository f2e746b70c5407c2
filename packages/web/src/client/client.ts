import type { QueryClient } from "@tanstack/react-query";
import type { Api } from "../api/api.ts";
import type { Connection } from "../api/connection.ts";
import type { ApiFetch } from "../api/fetch.ts";
import type { PageUser } from "../api/page-user.ts";
import type { ResourceChanges } from "../realtime/resource-changes.ts";
import type { Socket } from "../realtime/socket.ts";

/**
 * The page's state: its connection to the server, what it has loaded, and what the user is doing. Created once, by
 * `main.tsx`; components get it from {@link useClient}, functions as their first argument. State that only some features
 * need is a part of the client, created on first use: see `client-part.ts`.
 */
export interface Client {
  /** Calls a procedure: `client.api.tasks.get.query({ id })`. */
  readonly api: Api;
  /** The only way to reach the server for anything that is not a procedure. */
  readonly fetch: ApiFetch;
  readonly queries: QueryClient;
  /** Whose page this is, whoever may be signed in. */
  readonly pageUser: PageUser;
  readonly connection: Connection;
  readonly socket: Socket;
  /** Changes made by others, as the server announces them. */
  readonly changes: ResourceChanges;
  /** Calls back when the server reports that nobody is signed in any longer. Returns a function that unsubscribes. */
  readonly onSessionLost: (listener: () => void) => () => void;
  /** Calls back when everything read in a session must be dropped because the session has ended. */
  readonly onForget: (listener: () => void) => void;
  /** Calls back when the client is disposed. */
  readonly onDispose: (listener: () => void) => void;
  /** Drops everything that was read in the session that has just ended. */
  forget(): void;
  /** Closes the connection and stops listening to the browser. The client cannot be used afterwards. */
  dispose(): void;
}
