import { expect, test } from "vitest";
import { firstScreenChunks } from "./first-screen-chunks.ts";

const IMPORTERS: Readonly<Record<string, readonly string[]>> = {
  "/src/main.tsx": ["/index.html"],
  "/src/shell.ts": ["/src/main.tsx", "/src/cycle.ts"],
  "/src/cycle.ts": ["/src/shell.ts"],
  "/src/row.tsx": ["/src/home.tsx", "/src/list.tsx"],
  "/src/list.tsx": ["/src/tasks.tsx"],
  "/src/dialog.tsx": ["/src/palette.tsx"],
  "/src/shared.ts": ["/src/shell.ts", "/src/frame.ts"],
  "/src/frame.ts": ["/frame.html"],
  "/node_modules/react/index.js": ["/src/dialog.tsx", "/src/shell.ts"],
  "/node_modules/react-dom/test.js": ["/src/dialog.tsx"],
};
const chunkOf = firstScreenChunks({
  document: "/index.html",
  entry: "src/main.tsx",
  pages: ["src/home.tsx", "src/tasks.tsx"],
});
const graph = { getModuleInfo: (id: string) => ({ importers: IMPORTERS[id] ?? [], isEntry: id.endsWith(".html") }) };

test.each([
  ["/src/main.tsx", null],
  ["/src/shell.ts", "app"],
  ["/src/cycle.ts", "app"],
  ["/src/row.tsx", "app"],
  ["/src/list.tsx", "with-tasks"],
  ["/src/tasks.tsx", null],
  ["/src/dialog.tsx", null],
  ["/src/shared.ts", null],
  ["/src/app.css", null],
  ["/node_modules/react/index.js", "framework"],
  ["/node_modules/react-dom/test.js", null],
])("%s is in the chunk %s", (id, chunk) => {
  expect(chunkOf(id, graph)).toBe(chunk);
});
