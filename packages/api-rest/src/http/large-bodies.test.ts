import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { OverloadedError } from "@workspace/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createLargeBodies, SMALLEST_LARGE_BODY } from "./large-bodies.ts";

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

/** The server's response object for a request. */
async function request(): Promise<ServerResponse> {
  const { port } = server.address() as AddressInfo;
  fetch(`http://127.0.0.1:${port}/`).catch(() => undefined);
  await once(server, "request");
  const res = responses.at(-1);
  if (res === undefined) throw new Error("No request arrived.");
  return res;
}

async function end(res: ServerResponse): Promise<void> {
  const closed = once(res, "close");
  res.end();
  await closed;
}

const UNIT = SMALLEST_LARGE_BODY;
const create = (maxWaitMs = 60_000) => createLargeBodies({ maxBytes: 3 * UNIT, maxWaitMs });

/** Has a body wait, and returns whether it has been admitted. */
function holding(held: Promise<void>): () => Promise<boolean> {
  let isHeld = false;
  void held.then(() => (isHeld = true));
  return async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return isHeld;
  };
}

test("bodies wait, one behind the other, until those before them have been answered", async () => {
  const bodies = create();
  const [one, two, three, four] = [await request(), await request(), await request(), await request()];
  await bodies.hold(one, 2 * UNIT);
  const isSecondHeld = holding(bodies.hold(two, 2 * UNIT));
  const isThirdHeld = holding(bodies.hold(three, UNIT));
  await bodies.hold(four, UNIT - 1);
  expect([await isSecondHeld(), await isThirdHeld()]).toEqual([false, false]);
  await end(one);
  expect([await isSecondHeld(), await isThirdHeld()]).toEqual([true, true]);
  await Promise.all([end(two), end(three), end(four)]);
});

test("a body that is larger than all of the memory is read alone", async () => {
  const bodies = create();
  const [one, two] = [await request(), await request()];
  await bodies.hold(one, 9 * UNIT);
  const isSecondHeld = holding(bodies.hold(two, UNIT));
  expect(await isSecondHeld()).toBe(false);
  await end(one);
  expect(await isSecondHeld()).toBe(true);
  await end(two);
});

test("a body that has waited too long is refused, and those behind it go on", async () => {
  const bodies = create(50);
  const [one, two, three] = [await request(), await request(), await request()];
  await bodies.hold(one, 2 * UNIT);
  const [second, third] = [bodies.hold(two, 2 * UNIT), bodies.hold(three, UNIT)];
  await expect(second).rejects.toThrow(OverloadedError);
  await third;
  await Promise.all([end(one), end(two), end(three)]);
});

test("what a client that has gone was given is free again", async () => {
  const bodies = create();
  const [one, two, three] = [await request(), await request(), await request()];
  await bodies.hold(one, 3 * UNIT);
  const second = bodies.hold(two, 3 * UNIT);
  await end(two);
  await end(one);
  await second;
  await bodies.hold(three, 3 * UNIT);
  await end(three);
});

test("a body that turns out to be smaller leaves room for others", async () => {
  const bodies = create();
  const [one, two] = [await request(), await request()];
  await bodies.hold(one, 3 * UNIT);
  const isSecondHeld = holding(bodies.hold(two, 2 * UNIT));
  expect(await isSecondHeld()).toBe(false);
  await bodies.hold(one, 10);
  expect(await isSecondHeld()).toBe(true);
  await end(one);
  const isThirdHeld = holding(bodies.hold(await request(), 2 * UNIT));
  expect(await isThirdHeld()).toBe(false);
  await end(two);
  expect(await isThirdHeld()).toBe(true);
});
