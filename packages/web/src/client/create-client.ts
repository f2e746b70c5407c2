import { createApi } from "../api/api.ts";
import { Connection } from "../api/connection.ts";
import { createApiFetch } from "../api/fetch.ts";
import { PageUser } from "../api/page-user.ts";
import { createQueryClient } from "../api/query-client.ts";
import { ResourceChanges } from "../realtime/resource-changes.ts";
import { Socket } from "../realtime/socket.ts";
import { RESOURCES } from "../resources/resources.ts";
import type { Client } from "./client.ts";
import { Listeners } from "./listeners.ts";

/** Creates the client of a page. Needs a browser window; sends nothing to the server yet. */
export function createClient(): Client {
  const sessionLost = new Listeners();
  const forgetting = new Listeners();
  const disposing = new Listeners();
  const connection = new Connection();
  const queries = createQueryClient();
  const pageUser = new PageUser(queries);
  const socket = new Socket(pageUser);
  const fetch = createApiFetch(connection, pageUser, {
    onSessionLost: sessionLost.emit,
    onData: (lastSeq) => socket.includeData(lastSeq),
  });
  const api = createApi(fetch);
  const changes = new ResourceChanges(queries, socket, (resource) => RESOURCES[resource].queryRoots);
  // Whatever was missed while the server was unreachable is refetched as soon as it responds.
  connection.subscribe((state) => {
    if (state === "online") void queries.invalidateQueries();
  });
  return {
    api,
    fetch,
    queries,
    pageUser,
    connection,
    socket,
    changes,
    onSessionLost: sessionLost.add,
    onForget: forgetting.add,
    onDispose: disposing.add,
    forget: () => {
      queries.clear();
      socket.forget();
      forgetting.emit();
    },
    dispose: () => {
      disposing.emit();
      changes.dispose();
      socket.dispose();
      connection.dispose();
      queries.unmount();
      queries.clear();
    },
  };
}
