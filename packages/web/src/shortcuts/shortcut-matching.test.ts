import { describe, expect, it } from "vitest";
import { createMatcher, describePress, type KeyPress } from "./shortcut-matching.ts";

function press(key: string, part: Partial<KeyPress> = {}): KeyPress {
  return { key, code: "", isModDown: false, isAltDown: false, isShiftDown: false, ...part };
}

describe("describePress", () => {
  it.each([
    [press("k", { isModDown: true }), "mod+k"],
    [press("J", { isShiftDown: true }), "shift+j"],
    [press("?", { isShiftDown: true }), "?"],
    [press("ArrowDown", { isShiftDown: true }), "shift+arrowdown"],
    [press("ArrowDown"), "arrowdown"],
    [press("с", { code: "KeyC" }), "c"],
    [press("ö", { code: "Semicolon" }), "ö"],
  ])("describes a key press", (given, expected) => {
    expect(describePress(given)).toBe(expected);
  });
});

describe("the matcher", () => {
  const bindings = new Map([
    ["c", "create"],
    ["g t", "tasks"],
    ["g h", "home"],
    ["t", "tags"],
  ]);

  it("matches a single key immediately", () => {
    expect(createMatcher()("c", 0, bindings)).toBe("create");
    expect(createMatcher()("z", 0, bindings)).toBeUndefined();
  });

  it("prefers a sequence to the single key it ends with", () => {
    const match = createMatcher();
    expect(match("g", 0, bindings)).toBe("waiting");
    expect(match("t", 500, bindings)).toBe("tasks");
    expect(match("t", 600, bindings)).toBe("tags");
  });

  it("forgets the first key after a timeout", () => {
    const match = createMatcher();
    match("g", 0, bindings);
    expect(match("t", 5_000, bindings)).toBe("tags");
  });

  it("matches the second key by itself if it completes no sequence", () => {
    const match = createMatcher();
    match("g", 0, bindings);
    expect(match("c", 100, bindings)).toBe("create");
  });
});
