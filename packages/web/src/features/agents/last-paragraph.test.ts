import { describe, expect, it } from "vitest";
import { lastParagraphOf } from "./last-paragraph.ts";

describe("lastParagraphOf", () => {
  it.each([
    ["", ""],
    ["Nothing to do.", "Nothing to do."],
    ["I will look at the tasks.\n\nThree are **overdue**.\n", "Three are overdue."],
    ["## Overdue\n\n- **Call** the bank\n- `pay` rent", "Call the bank · pay rent"],
  ])("is what came of a run: %j", (output, expected) => {
    expect(lastParagraphOf(output)).toBe(expected);
  });
});
