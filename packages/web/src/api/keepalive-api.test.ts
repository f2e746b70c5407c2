import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Api } from "./api.ts";
import { createKeepaliveApi } from "./keepalive-api.ts";

let sent: RequestInit[];
let respondToAll: () => void;
let api: Api;

beforeEach(() => {
  sent = [];
  const isResponding = new Promise<void>((resolve) => {
    respondToAll = resolve;
  });
  api = createKeepaliveApi(async (_, init = {}) => {
    sent.push(init);
    await isResponding;
    return Response.json({ result: { data: null } });
  });
});

afterEach(() => vi.useRealTimers());

describe("a request from a page that may be about to unload", () => {
  it("is sent before a timer runs, and outlives the page", async () => {
    vi.useFakeTimers();
    const saved = update("short");
    await flushMicrotasks();
    vi.useRealTimers();
    expect(sent.map(({ keepalive }) => keepalive)).toEqual([true]);
    respondToAll();
    await saved;
  });

  it("is an ordinary one where browsers would refuse keepalive, for its size or that of all requests in flight", async () => {
    const first = ["ä".repeat(40_000), "x".repeat(40_000), "y".repeat(40_000)].map(update);
    const expected = [false, true, false];
    await vi.waitFor(() => expect(sent.map(({ keepalive }) => keepalive === true)).toEqual(expected), 5_000);
    respondToAll();
    await Promise.all(first);
    await update("z".repeat(40_000));
    expect(sent.at(-1)?.keepalive).toBe(true);
  });
});

/** More microtask turns than sending a request takes. */
const MICROTASK_TURNS = 30;

async function flushMicrotasks(): Promise<void> {
  for (let turn = 0; turn < MICROTASK_TURNS; turn += 1) await Promise.resolve();
}

function update(body: string): Promise<unknown> {
  return api.documents.update.mutate({ id: "a", body, expectedHash: "h1" });
}
