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
  it("is the entry, the page, and all that they import, but nothing that is loaded later", () => {
    expect([...filesBeforeFirstScreen(chunks, "src/tasks-page.tsx")].toSorted()).toEqual([
      "deep.js",
      "entry.js",
      "framework.js",
      "shared.js",
      "tasks.js",
    ]);
  });

  it("refuses a page that is not a chunk of its own", () => {
    expect(() => filesBeforeFirstScreen(chunks, "src/home-page.tsx")).toThrow(/loaded lazily/);
  });
});
