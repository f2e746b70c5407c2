import { OverloadedError } from "@workspace/core";
import { expect, test } from "vitest";
import { createLargeResponses } from "./large-responses.ts";
import { setUpServerResponses } from "./server-responses.testing.ts";

const open = setUpServerResponses();
/** A request from an address, which the test sends in a header. */
const request = (address: string) => open({ address });

const create = () =>
  createLargeResponses({
    maxBytes: 100,
    maxBytesPerAddress: 60,
    addressOf: ({ headers }) => (headers["address"] === "exempt" ? null : String(headers["address"])),
  });

test("limits the total and the size per address until responses are closed", async () => {
  const responses = create();
  const [one, two, three] = [await request("a"), await request("a"), await request("b")];
  expect(responses.hold(one.res, 50)).toBe(true);
  expect(() => responses.hold(two.res, 20)).toThrow(OverloadedError);
  expect(responses.hold(two.res, 10)).toBe(true);
  expect(responses.hold(three.res, 40)).toBe(true);
  expect([responses.hasRoom(0), responses.hasRoom(1)]).toEqual([true, false]);
  await one.hangUp();
  expect([responses.hasRoom(50), responses.hasRoom(51)]).toEqual([true, false]);
  await Promise.all([two.hangUp(), three.hangUp()]);
  expect(responses.hasRoom(100)).toBe(true);
});

test("counts a response once, with its latest size", async () => {
  const responses = create();
  const { res, hangUp } = await request("exempt");
  responses.hold(res, 90);
  responses.hold(res, 70);
  expect([responses.hasRoom(30), responses.hasRoom(31)]).toEqual([true, false]);
  await hangUp();
  expect(responses.hold(res, 70)).toBe(false);
  expect(responses.hasRoom(100)).toBe(true);
});

test("lets a single response have any size", async () => {
  const responses = create();
  const { res, hangUp } = await request("a");
  expect(responses.hold(res, 90)).toBe(true);
  expect(responses.hold(res, 500)).toBe(true);
  expect(responses.hasRoom(1)).toBe(false);
  await hangUp();
});
