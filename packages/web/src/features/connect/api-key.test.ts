import { describe, expect, it } from "vitest";
import { expiryAfter, isExpired, SCOPE_SETS, SCOPES } from "./api-key.ts";

const now = new Date("2026-11-20T12:00:00.000Z");

describe("expiryAfter", () => {
  it("counts whole days from now, or never expires", () => {
    expect(expiryAfter(30, now)).toBe("2026-12-20T12:00:00.000Z");
    expect(expiryAfter(null, now)).toBeNull();
  });
});

it("treats a key as expired from the very moment of expiry", () => {
  expect(isExpired({ expiresAt: null }, now)).toBe(false);
  expect(isExpired({ expiresAt: "2026-11-20T12:00:00.001Z" }, now)).toBe(false);
  expect(isExpired({ expiresAt: "2026-11-20T12:00:00.000Z" }, now)).toBe(true);
});

it("gives assistants every scope but that of the hooks, and the hooks only theirs", () => {
  expect(SCOPE_SETS.everything.scopes).toHaveLength(SCOPES.length - 1);
  expect(SCOPE_SETS.reading.scopes).toEqual(["tasks:read", "knowledge:read", "memory:read", "agents:read"]);
  expect(SCOPE_SETS.hooks.scopes).toEqual(["hooks"]);
});
