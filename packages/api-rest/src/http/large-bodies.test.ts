import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { OverloadedError } from "@workspace/core";
import { expect, test } from "vitest";
import { createLargeBodies, SMALLEST_LARGE_BODY } from "./large-bodies.ts";
import { setUpServerResponses } from "./server-responses.testing.ts";

const open = setUpServerResponses();
const request = async () => (await open()).res;

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
