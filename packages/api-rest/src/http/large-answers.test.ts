import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { OverloadedError } from "@workspace/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createLargeAnswers } from "./large-answers.ts";

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

/** The response to a request from an address, as the header says it. */
async function request(address: string): Promise<{ res: ServerResponse; hangUp: () => Promise<void> }> {
  const { port } = server.address() as AddressInfo;
  const abort = new AbortController();
  fetch(`http://127.0.0.1:${port}/`, { headers: { address }, signal: abort.signal }).catch(() => undefined);
  await once(server, "request");
  const res = responses.at(-1);
  if (res === undefined) throw new Error("No request came.");
  return {
    res,
    hangUp: async () => {
      const closed = once(res, "close");
      abort.abort();
      await closed;
    },
  };
}

const create = () =>
  createLargeAnswers({
    maxBytes: 100,
    maxBytesPerAddress: 60,
    addressOf: ({ headers }) => (headers["address"] === "exempt" ? null : String(headers["address"])),
  });

test("holds so much in all and for each address, until responses are closed", async () => {
  const answers = create();
  const [one, two, three] = [await request("a"), await request("a"), await request("b")];
  expect(answers.hold(one.res, 50)).toBe(true);
  expect(() => answers.hold(two.res, 20)).toThrow(OverloadedError);
  expect(answers.hold(two.res, 10)).toBe(true);
  expect(answers.hold(three.res, 40)).toBe(true);
  expect([answers.hasRoom(0), answers.hasRoom(1)]).toEqual([true, false]);
  await one.hangUp();
  expect([answers.hasRoom(50), answers.hasRoom(51)]).toEqual([true, false]);
  await Promise.all([two.hangUp(), three.hangUp()]);
  expect(answers.hasRoom(100)).toBe(true);
});

test("counts an answer once, with the length that it was found to have", async () => {
  const answers = create();
  const { res, hangUp } = await request("exempt");
  answers.hold(res, 90);
  answers.hold(res, 70);
  expect([answers.hasRoom(30), answers.hasRoom(31)]).toEqual([true, false]);
  await hangUp();
  expect(answers.hold(res, 70)).toBe(false);
  expect(answers.hasRoom(100)).toBe(true);
});

test("lets a single answer have any length", async () => {
  const answers = create();
  const { res, hangUp } = await request("a");
  expect(answers.hold(res, 90)).toBe(true);
  expect(answers.hold(res, 500)).toBe(true);
  expect(answers.hasRoom(1)).toBe(false);
  await hangUp();
});
