import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { afterAll, beforeAll } from "vitest";

/** A request that a server has not answered yet. */
export interface OpenRequest {
  readonly res: ServerResponse;
  /** Has the client close the connection; resolves once the server knows. */
  hangUp(): Promise<void>;
}

/** Starts a server for the tests of a file that answers nothing. Returns a function that sends it a request. */
export function setUpServerResponses(): (headers?: Record<string, string>) => Promise<OpenRequest> {
  const responses: ServerResponse[] = [];
  const server = createServer((_req, res) => void responses.push(res));

  beforeAll(async () => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  return async (headers = {}) => {
    const address = server.address();
    if (typeof address !== "object" || address === null) throw new Error("The server does not listen.");
    const abort = new AbortController();
    fetch(`http://127.0.0.1:${address.port}/`, { headers, signal: abort.signal }).catch(() => undefined);
    await once(server, "request");
    const res = responses.at(-1);
    if (res === undefined) throw new Error("No request arrived.");
    return {
      res,
      async hangUp() {
        const closed = once(res, "close");
        abort.abort();
        await closed;
      },
    };
  };
}
