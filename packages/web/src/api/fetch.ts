import type { Connection } from "./connection.ts";

export type ApiFetch = (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>;

/**
 * `fetch` that also tracks the state of the connection, and calls back when the server reports that the session has ended.
 */
export function createApiFetch(connection: Connection, onSessionLost: () => void): ApiFetch {
  return async (input, init) => {
    const response = await fetch(input, init).catch((error: unknown) => {
      if (init?.signal?.aborted !== true) connection.reportNoResponse();
      throw error;
    });
    connection.reportResponse();
    if (response.status === 401 && !isSignIn(input)) onSessionLost();
    return response;
  };
}

/** A refused sign-in means a wrong password, not an ended session. */
function isSignIn(input: RequestInfo | URL): boolean {
  return typeof input === "string" && input.startsWith("/api/auth/");
}
