import { describe, expect, it } from "vitest";
import { nextAddress } from "./next-address.ts";

describe("nextAddress", () => {
  it("leads to addresses of ours", () => {
    expect(nextAddress("/tasks?view=board&task=1")).toBe("/tasks?view=board&task=1");
  });

  it.each([undefined, "", "//evil.example", "/\\evil.example", "https://evil.example", "javascript:alert(1)", "tasks"])(
    "leads home instead of to %s",
    (wanted) => {
      expect(nextAddress(wanted)).toBe("/");
    },
  );
});
