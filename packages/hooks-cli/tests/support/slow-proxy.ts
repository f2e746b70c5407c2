import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface SlowProxy extends AsyncDisposable {
  readonly url: string;
}

/** Passes on what is sent to a server, and each part of its responses only after `delayMs`. */
export async function startSlowProxy(target: string, delayMs: number): Promise<SlowProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const proxy = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    client.pipe(upstream);
    upstream.on("data", (data) => setTimeout(() => client.write(data), delayMs));
    upstream.on("end", () => setTimeout(() => client.end(), delayMs));
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => [client, upstream].forEach((either) => sockets.delete(either)));
    }
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      proxy.close();
      await once(proxy, "close");
    },
  };
}
