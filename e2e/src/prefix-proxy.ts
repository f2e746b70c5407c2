import { once } from "node:events";
import { createServer, request, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { connect } from "node:net";

/** A host on which a server is below a path, among others. */
export interface PrefixProxy {
  readonly port: number;
  /** Passes what is below `/workspace` on to the server at a port, and to nothing if that is null. */
  pointTo(port: string | null): void;
  close(): Promise<void>;
}

const PREFIX = /^\/workspace(?:[/?]|$)/;
const OTHER_SITE = "<!doctype html><title>Another site</title><h1>Another site</h1>";

/** Starts a reverse proxy that keeps the path, as nginx and Caddy do, and serves another site beside it. */
export async function startPrefixProxy(): Promise<PrefixProxy> {
  let target: string | null = null;
  const isOurs = ({ url = "" }: IncomingMessage) => target !== null && PREFIX.test(url);
  const proxy = createServer((req, res) => {
    if (!isOurs(req)) {
      const isAway = PREFIX.test(req.url ?? "");
      res.writeHead(isAway ? 502 : 200, { "Content-Type": "text/html" }).end(OTHER_SITE);
      return;
    }
    const { method, url, headers } = req;
    const passed = request({ host: "127.0.0.1", port: target, method, path: url, headers }, (response) => {
      res.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(res);
    });
    passed.on("error", () => res.destroy());
    res.on("close", () => passed.destroy());
    req.pipe(passed);
  });
  proxy.on("upgrade", (req: IncomingMessage, socket, head: Buffer) => {
    if (!isOurs(req)) return void socket.destroy();
    const passed = connect(Number(target), "127.0.0.1");
    const lines = [`${req.method} ${req.url} HTTP/1.1`];
    for (let index = 0; index < req.rawHeaders.length; index += 2)
      lines.push(`${req.rawHeaders[index]}: ${req.rawHeaders[index + 1]}`);
    passed.write(`${lines.join("\r\n")}\r\n\r\n`);
    passed.write(head);
    for (const [one, other] of [
      [socket, passed],
      [passed, socket],
    ] as const) {
      one.pipe(other);
      one.on("error", () => other.destroy());
      one.on("close", () => other.destroy());
    }
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  // It listens at a port.
  const { port } = proxy.address() as AddressInfo;
  return {
    port,
    pointTo: (next) => void (target = next),
    async close() {
      proxy.closeAllConnections();
      proxy.close();
      await once(proxy, "close");
    },
  };
}
