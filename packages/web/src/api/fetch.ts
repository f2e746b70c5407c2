import type { Connection } from "./connection.ts";

export type ApiFetch = (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>;

/**
 * `fetch` that also tracks the state of the connection, and calls back when the server reports that the session has ended, and
 * with the number of the last change that a response includes.
 */
export function createApiFetch(
  connection: Connection,
  { onSessionLost, onData }: { onSessionLost: () => void; onData: (lastSeq: number) => void },
): ApiFetch {
  return async (input, init) => {
    const response = await fetch(input, init).catch((error: unknown) => {
      if (init?.signal?.aborted !== true) connection.reportNoResponse();
      throw error;
    });
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
