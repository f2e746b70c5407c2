import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createRetryingFetch } from "./retrying-fetch.ts";

type Outcome = { readonly status: number; readonly retryAfter?: string } | "no response";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Sends a request to a server with these outcomes, one after the other, and returns what it saw. */
async function send(method: string, outcomes: readonly Outcome[], init: RequestInit & { retries?: number } = {}) {
  const seen: { readonly key: string | null; readonly body: string; readonly atMs: number }[] = [];
  const startedAt = Date.now();
  const { retries, ...rest } = init;
  const fetch = createRetryingFetch({
    ...(retries !== undefined && { retries }),
    async fetch(request) {
      const outcome = outcomes[seen.length] ?? "no response";
      seen.push({
        key: request.headers.get("Idempotency-Key"),
        body: await request.text(),
        atMs: Date.now() - startedAt,
      });
      if (outcome === "no response") throw new TypeError("fetch failed");
      const headers = outcome.retryAfter === undefined ? {} : { "Retry-After": outcome.retryAfter };
      return new Response("{}", { status: outcome.status, headers });
    },
  });
  const result = fetch(new Request("http://localhost/api/v1/tasks", { method, ...rest })).then(
    ({ status }) => status,
    String,
  );
  await vi.runAllTimersAsync();
  return { result: await result, seen };
}

test("a POST without a response is sent again with the same key and body", async () => {
  const { result, seen } = await send("POST", ["no response", { status: 503 }, { status: 201 }], { body: "once" });
  expect(result).toBe(201);
  expect(seen.map(({ body, atMs }) => [body, atMs])).toEqual([
    ["once", 0],
    ["once", 500],
    ["once", 1500],
  ]);
  expect(new Set(seen.map(({ key }) => key)).size).toBe(1);
  expect(seen[0]?.key).toMatch(/^[\da-f-]{36}$/);
});

test("a key of the program is kept", async () => {
  const { seen } = await send("POST", [{ status: 200 }], { headers: { "Idempotency-Key": "mine" } });
  expect(seen).toMatchObject([{ key: "mine" }]);
});

test("it waits for as long as the server asks, but not for longer than a minute", async () => {
  const { result, seen } = await send("PUT", [{ status: 429, retryAfter: "7" }, { status: 200 }], { body: "x" });
  expect([result, seen.map(({ atMs }) => atMs)]).toEqual([200, [0, 7000]]);
  expect(await send("GET", [{ status: 429, retryAfter: "61" }])).toMatchObject({ result: 429 });
});

test("what was perhaps carried out and has no key is not sent again", async () => {
  for (const method of ["PUT", "PATCH", "DELETE"]) {
    const { result, seen } = await send(method, ["no response", { status: 200 }]);
    expect([result, seen.length]).toEqual(["TypeError: fetch failed", 1]);
  }
  const { result, seen } = await send("GET", ["no response", { status: 200 }]);
  expect([result, seen.length]).toEqual([200, 2]);
});

test("a repeat waits while the first request is still being carried out; other errors are final", async () => {
  expect(await send("POST", ["no response", { status: 409 }, { status: 200 }])).toMatchObject({ result: 200 });
  for (const status of [400, 401, 404, 409, 422, 500]) {
    expect((await send("POST", [{ status }, { status: 200 }])).result).toBe(status);
  }
});

test("it gives up after as many retries as wanted, and at once if it is aborted", async () => {
  expect((await send("POST", [], { retries: 0 })).seen).toHaveLength(1);
  const { result, seen } = await send("POST", [{ status: 503 }, { status: 503 }, { status: 503 }, { status: 200 }]);
  expect([result, seen.length]).toEqual([503, 3]);
  const aborted = await send("POST", ["no response"], { signal: AbortSignal.abort(new Error("stopped")) });
  expect([aborted.seen.length, aborted.result]).toEqual([1, expect.stringContaining("fetch failed")]);
});
