import { describe, expect, it } from "vitest";
import { redirectPath } from "./redirect-path.ts";

describe("redirectPath", () => {
  it("allows addresses of this app", () => {
    expect(redirectPath("/tasks?view=board&task=1")).toBe("/tasks?view=board&task=1");
  });

  it.each([undefined, "", "//evil.example", "/\\evil.example", "https://evil.example", "javascript:alert(1)", "tasks"])(
    "falls back to the home page for %s",
    (wanted) => {
      expect(redirectPath(wanted)).toBe("/");
    },
  );
});
