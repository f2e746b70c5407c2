import { atBase } from "../browser/base-path.ts";
import type { Connection } from "./connection.ts";
import type { PageUser } from "./page-user.ts";

export type ApiFetch = (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>;

/** Names the user of the page, so that the server refuses what a page sends with the session of somebody else. */
export function pageUserHeaders({ id }: Pick<PageUser, "id">): [name: string, value: string][] {
  return id === undefined ? [] : [["X-Page-User", id]];
}

/**
 * `fetch` that names the user of the page and also tracks the state of the connection, and calls back when the server reports that the session has ended, and
 * with the number of the last change that a response includes. A text is a path below that of the dashboard.
 */
export function createApiFetch(
  connection: Connection,
  pageUser: Pick<PageUser, "id">,
  { onSessionLost, onData }: { onSessionLost: () => void; onData: (lastSeq: number) => void },
): ApiFetch {
  return async (input, init) => {
    const headers = new Headers(init?.headers);
    if (!isSignIn(input)) for (const [name, value] of pageUserHeaders(pageUser)) headers.set(name, value);
    const response = await fetch(typeof input === "string" ? atBase(input) : input, { ...init, headers }).catch(
      (error: unknown) => {
        if (init?.signal?.aborted !== true) connection.reportNoResponse();
        throw error;
      },
    );
    connection.reportResponse();
    if (response.status === 401 && !isSignIn(input)) onSessionLost();
    const lastSeq = response.headers.get("X-Last-Change");
    if (lastSeq !== null) onData(Number(lastSeq));
    return response;
  };
}

/** A refused sign-in means a wrong password, not an ended session. */
function isSignIn(input: RequestInfo | URL): boolean {
  return typeof input === "string" && input.startsWith("/api/auth/");
}
