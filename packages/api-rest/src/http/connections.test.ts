import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { eventually } from "@workspace/core/testing";
import { afterEach, expect, test } from "vitest";
import { followConnections, type ConnectionLimits } from "./connections.ts";

const started: { server: Server; sockets: Socket[] }[] = [];

afterEach(async () => {
  for (const { server, sockets } of started.splice(0)) {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, "close");
  }
});

async function start(limits: Partial<ConnectionLimits>) {
  const server = createServer((_req, res) => res.end("hello"));
  const connections = followConnections(server, { max: 100, maxPerAddress: 100, isExempt: () => false, ...limits });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const sockets: Socket[] = [];
  started.push({ server, sockets });
  /** Connects and returns whether a request over the connection gets a response. */
  const isServed = async (): Promise<boolean> => {
    const socket = connect(port, "127.0.0.1");
    sockets.push(socket);
    socket.on("error", () => undefined);
    socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    return Promise.race([once(socket, "data").then(() => true), once(socket, "close").then(() => false)]);
  };
  return { connections, sockets, isServed };
}

test.each([
  ["in total", { max: 3 }],
  ["from one address", { maxPerAddress: 3 }],
])("serves the permitted number of connections %s, and another once one is closed", async (_where, limits) => {
  const { connections, sockets, isServed } = await start(limits);
  for (let count = 0; count < 3; count += 1) expect(await isServed()).toBe(true);
  expect(await isServed()).toBe(false);
  sockets[0]?.destroy();
  await eventually(() => connections.size === 2);
  expect(await isServed()).toBe(true);
  expect(await isServed()).toBe(false);
});

test("an exempt address may use all connections", async () => {
  const { isServed } = await start({ maxPerAddress: 1, isExempt: (address) => address === "127.0.0.1" });
  for (let count = 0; count < 5; count += 1) expect(await isServed()).toBe(true);
});
