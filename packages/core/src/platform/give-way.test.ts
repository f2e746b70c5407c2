import { expect, test } from "vitest";
import { giveWay } from "./give-way.ts";

/** How long work of 100 ms makes others wait, if the thread is busy for these shares of the rests. */
async function restsAfter(shares: readonly number[], isOver: () => boolean = () => false): Promise<number[]> {
  const rests: number[] = [];
  const rest = async (forMs: number) => void rests.push(forMs);
  const startMeasuring = () => () => shares[rests.length - 1] ?? 0;
  await giveWay({ tookMs: 100, rest, isOver, startMeasuring });
  return rests;
}

test("rests as long as the work took if nothing else is to be done", async () => {
  expect(await restsAfter([0.1])).toEqual([100]);
});

test("rests again while the thread is busy, but not forever", async () => {
  expect(await restsAfter([0.9, 0.8, 0.2])).toEqual([100, 100, 100]);
  expect(await restsAfter([1, 1, 1, 1, 1, 1])).toEqual([100, 100, 100, 100]);
});

test("goes on when somebody waits for the work", async () => {
  expect(await restsAfter([1, 1], () => true)).toEqual([]);
  let asked = 0;
  expect(await restsAfter([1, 1, 1], () => (asked += 1) > 2)).toEqual([100, 100]);
});

test("measures how much of its time this thread works", async () => {
  let rests = 0;
  const work = async (forMs: number) => {
    rests += 1;
    const until = performance.now() + forMs;
    await new Promise((resolve) => setImmediate(resolve));
    while (performance.now() < until);
  };
  await giveWay({ tookMs: 20, rest: work, isOver: () => false });
  expect(rests).toBe(4);
  const sleep = async (forMs: number) => {
    rests += 1;
    await new Promise((resolve) => setTimeout(resolve, forMs));
  };
  rests = 0;
  await giveWay({ tookMs: 50, rest: sleep, isOver: () => false });
  expect(rests).toBeLessThan(4);
});
