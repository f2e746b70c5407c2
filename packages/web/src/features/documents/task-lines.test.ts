import { describe, expect, it } from "vitest";
import { withToggledTask } from "./task-lines.ts";

describe("withToggledTask", () => {
  const text = ["- [ ] one", "```", "- [ ] in code", "```", "1. [x] two", "> - [ ] three", "- [] no task"].join("\n");

  it.each([
    [0, "- [x] one"],
    [1, "1. [ ] two"],
    [2, "> - [x] three"],
  ])("ticks or unticks task %i and changes nothing else", (place, line) => {
    const toggled = withToggledTask(text, place);
    expect(toggled.split("\n").filter((other, index) => other !== text.split("\n")[index])).toEqual([line]);
  });

  it("changes nothing for a task that is not there", () => {
    expect(withToggledTask(text, 9)).toBe(text);
  });
});
