import { describe, expect, it } from "vitest";
import { withToggledTask } from "./task-lines.ts";

describe("withToggledTask", () => {
  const text = ["- [ ] one", "```", "- [ ] in code", "```", "1. [x] two", "> - [ ] three", "- [] no task"].join("\n");

  it.each([
    [0, "- [x] one"],
    [1, "1. [ ] two"],
    [2, "> - [x] three"],
  ])("toggles task %i and changes nothing else", (place, line) => {
    const toggled = withToggledTask(text, place);
    expect(toggled.split("\n").filter((other, index) => other !== text.split("\n")[index])).toEqual([line]);
  });

  it("changes nothing if the task does not exist", () => {
    expect(withToggledTask(text, 9)).toBe(text);
  });
});
