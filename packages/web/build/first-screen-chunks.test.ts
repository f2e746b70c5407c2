import { expect, test } from "vitest";
import { firstScreenChunks, partChunks } from "./first-screen-chunks.ts";

const IMPORTERS: Readonly<Record<string, readonly string[]>> = {
  "/src/main.tsx": ["/index.html"],
  "/src/shell.ts": ["/src/main.tsx", "/src/cycle.ts"],
  "/src/cycle.ts": ["/src/shell.ts"],
  "/src/row.tsx": ["/src/home-page.tsx", "/src/list.tsx", "/src/filter.tsx"],
  "/src/list.tsx": ["/src/tasks-page.tsx"],
  "/src/dialog.tsx": ["/src/palette.tsx"],
  "/src/shared.ts": ["/src/shell.ts", "/src/frame.ts"],
  "/src/frame.ts": ["/frame.html"],
  "/src/banner.tsx": [],
  "/src/filter.tsx": [],
  "/src/draft.ts": ["/src/banner.tsx", "/src/filter.tsx"],
  "/src/field.tsx": ["/src/filter.tsx"],
  "/src/picker.tsx": ["/src/filter.tsx", "/src/notes-page.tsx"],
  "/src/large-picker.tsx": ["/src/filter.tsx", "/src/notes-page.tsx"],
  "/src/editor.tsx": ["/src/notes-page.tsx"],
  "/src/segmented.tsx": ["/src/notes-page.tsx", "/src/chat-page.tsx", "/src/hooks-page.tsx", "/src/usage-page.tsx"],
  "/node_modules/react/index.js": ["/src/dialog.tsx", "/src/shell.ts"],
  "/node_modules/react-dom/test.js": ["/src/dialog.tsx"],
  "/node_modules/@tanstack/react-query/index.js": ["/src/shell.ts", "/src/notes-page.tsx"],
  "/node_modules/@tanstack/react-query/useQueries.js": ["/node_modules/@tanstack/react-query/index.js"],
};
const SIZES: Readonly<Record<string, number>> = {
  "/src/row.tsx": 9_000,
  "/src/draft.ts": 9_000,
  "/src/large-picker.tsx": 1_500,
  "/src/large-list.tsx": 1_500,
};
const IMPORTS: Readonly<Record<string, readonly string[]>> = {
  "/src/picker.tsx": ["/src/row.tsx"],
  "/src/large-picker.tsx": ["/src/large-list.tsx"],
};
const SCREEN = { document: "/index.html", entry: "src/main.tsx", pages: ["src/home-page.tsx", "src/tasks-page.tsx"] };
const graph = {
  getModuleInfo: (id: string) => ({
    importers: IMPORTERS[id] ?? [],
    importedIds: IMPORTS[id] ?? [],
    isEntry: id.endsWith(".html"),
    code: "x".repeat(SIZES[id] ?? 800),
  }),
};

test.each([
  ["/src/main.tsx", null],
  ["/src/shell.ts", "app"],
  ["/src/cycle.ts", "app"],
  ["/src/row.tsx", "app"],
  ["/src/list.tsx", "with-tasks-page"],
  ["/src/tasks-page.tsx", null],
  ["/src/dialog.tsx", null],
  ["/src/shared.ts", null],
  ["/src/app.css", null],
  ["/node_modules/react/index.js", "framework"],
  ["/node_modules/react-dom/test.js", null],
  ["/node_modules/@tanstack/react-query/index.js", "framework"],
  ["/node_modules/@tanstack/react-query/useQueries.js", null],
])("for a first screen, %s is in the chunk %s", (id, chunk) => {
  expect(firstScreenChunks(SCREEN)(id, graph)).toBe(chunk);
});

test.each([
  ["/src/banner.tsx", "with-frame"],
  // Every page loads the frame.
  ["/src/draft.ts", "with-frame"],
  ["/src/field.tsx", "with-tasks"],
  ["/src/editor.tsx", "with-notes-page"],
  // What it imports of a first screen is loaded anyway.
  ["/src/picker.tsx", "common"],
  ["/src/large-picker.tsx", "with-notes-page+tasks"],
  ["/src/segmented.tsx", "common"],
  ["/src/notes-page.tsx", null],
  ["/src/dialog.tsx", null],
  ["/src/shared.ts", null],
])("after a first screen, %s is in the chunk %s", (id, chunk) => {
  const chunkOf = partChunks({ ...SCREEN, parts: { frame: ["src/banner.tsx"], tasks: ["src/filter.tsx"] } });
  expect(chunkOf(id, graph)).toBe(chunk);
});
