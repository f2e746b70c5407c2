import { describe, expect, it } from "vitest";
import { expiryAfter, isExpired, SCOPE_SETS, SCOPES } from "./api-key.ts";

const now = new Date("2026-11-20T12:00:00.000Z");

describe("expiryAfter", () => {
  it("counts whole days from now, or never ends", () => {
    expect(expiryAfter(30, now)).toBe("2026-12-20T12:00:00.000Z");
    expect(expiryAfter(null, now)).toBeNull();
  });
});

it("knows an expired key from the moment on", () => {
  expect(isExpired({ expiresAt: null }, now)).toBe(false);
  expect(isExpired({ expiresAt: "2026-11-20T12:00:00.001Z" }, now)).toBe(false);
  expect(isExpired({ expiresAt: "2026-11-20T12:00:00.000Z" }, now)).toBe(true);
});

it("gives an assistant no right of the hooks, and the hooks no other", () => {
  expect(SCOPE_SETS.everything.scopes).toHaveLength(SCOPES.length - 1);
  expect(SCOPE_SETS.reading.scopes).toEqual(["tasks:read", "knowledge:read", "memory:read", "agents:read"]);
  expect(SCOPE_SETS.hooks.scopes).toEqual(["hooks"]);
});
