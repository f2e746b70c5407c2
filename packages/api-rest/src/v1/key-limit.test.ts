import { expect, test } from "vitest";
import { createKeyLimit } from "./key-limit.ts";

function startAt(requestsPerMinute: number | null) {
  let now = new Date("2026-01-01T00:00:00Z");
  const limit = createKeyLimit(requestsPerMinute, { now: () => now });
  return {
    pass: (seconds: number) => (now = new Date(now.getTime() + seconds * 1000)),
    count(keyId: string): Record<string, string> | string {
      const headers: Record<string, string> = {};
      const res = { setHeader: (name: string, value: string) => (headers[name] = value) };
      try {
        limit({ keyId }, res);
        return headers;
      } catch (error) {
        return String(error);
      }
    },
  };
}

test("a minute begins with the first request of a key, and another one after it", () => {
  const { pass, count } = startAt(2);
  const policy = { "RateLimit-Policy": '"key";q=2;w=60' };
  expect(count("a")).toEqual({ ...policy, RateLimit: '"key";r=1;t=60' });
  pass(59.5);
  expect(count("b")).toMatchObject({ RateLimit: '"key";r=1;t=60' });
  expect(count("a")).toMatchObject({ RateLimit: '"key";r=0;t=1' });
  expect(count("a")).toContain("Try again in 1 seconds");
  pass(0.5);
  expect(count("a")).toMatchObject({ RateLimit: '"key";r=1;t=60' });
  expect(count("b")).toMatchObject({ RateLimit: '"key";r=0;t=60' });
});

test("without a limit, any number is allowed and nothing is said", () => {
  const { count } = startAt(null);
  for (let index = 0; index < 100; index += 1) expect(count("a")).toEqual({});
});
