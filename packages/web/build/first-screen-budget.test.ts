import { describe, expect, it } from "vitest";
import { filesBeforeFirstScreen, type BuiltChunk } from "./first-screen-budget.ts";

function chunk(fileName: string, imports: string[], part: Partial<BuiltChunk> = {}): BuiltChunk {
  return { fileName, code: "", imports, isEntry: false, facadeModuleId: null, ...part };
}

const chunks = [
  chunk("entry.js", ["framework.js"], { isEntry: true }),
  chunk("framework.js", []),
  chunk("tasks.js", ["shared.js"], { facadeModuleId: "/web/src/tasks-page.tsx" }),
  chunk("shared.js", ["framework.js", "deep.js"]),
  chunk("deep.js", ["shared.js"]),
  chunk("palette.js", ["shared.js"]),
];

describe("filesBeforeFirstScreen", () => {
  it("contains the entry, the page and everything they import, but nothing that is loaded later", () => {
    expect([...filesBeforeFirstScreen(chunks, "src/tasks-page.tsx")].toSorted()).toEqual([
      "deep.js",
      "entry.js",
      "framework.js",
      "shared.js",
      "tasks.js",
    ]);
  });

  it("rejects a page that has no chunk of its own", () => {
    expect(() => filesBeforeFirstScreen(chunks, "src/home-page.tsx")).toThrow(/loaded lazily/);
  });
});
