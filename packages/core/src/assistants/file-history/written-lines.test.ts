import fc from "fast-check";
import { expect, test } from "vitest";
import { fileEdits, lineKeys, packKeys, pathFromRoot, unpackKeys, writtenKeys } from "./written-lines.ts";

const CODE = `export function total(items: Item[]) {\n  return items.reduce((sum, { price }) => sum + price, 0);\n}\n`;

test.each([
  ["indented otherwise", CODE.replaceAll(/^ {2}/gm, "\t\t\t")],
  ["with other line breaks", CODE.replaceAll("\n", "\r\n")],
  ["with more spacing and without semicolons", CODE.replaceAll(";", "").replaceAll("(", " ( ")],
  ["among lines of mere brackets", `{\n${CODE}\n});\n`],
])("lines %s have the same keys", (_how, text) => {
  expect(lineKeys(text)).toEqual(lineKeys(CODE));
});

test("lines that differ have different keys", () => {
  const lines = Array.from({ length: 20_000 }, (_, index) => `value${index}`);
  expect(new Set(lineKeys(lines.join("\n"))).size).toBeGreaterThan(19_990);
});

const written = (input: Record<string, unknown>, response?: unknown) =>
  fileEdits(input, response).map((edit) => [edit.path, writtenKeys(edit, 100), ...(edit.isWhole ? ["whole"] : [])]);
const NEW = lineKeys("const added = 1;");
const path = "/app/src/a.ts";
const before = "import a;\nconst old = 1;";
const after = "import a;\n  const added = 1;";
const patch = `*** Begin Patch
*** Update File: src/a.ts
*** Move to: src/b.ts
@@
 import a;
-const old = 1;
+const added = 1;
*** Delete File: src/c.ts
*** Add File: src/d.ts
+const added = 1;
*** End Patch`;
const structuredPatch = [{ oldStart: 1, lines: [" import a;", "-const old = 1;", "+const added = 1;"] }];

test.each<[string, Record<string, unknown>, unknown, unknown[]]>([
  ["Claude Code's Edit", { file_path: path, old_string: before, new_string: after }, undefined, [[path, NEW]]],
  ["MultiEdit", { file_path: path, edits: [{ old_string: before, new_string: after }] }, undefined, [[path, NEW]]],
  ["NotebookEdit", { notebook_path: path, new_source: "const added = 1;" }, undefined, [[path, NEW]]],
  ["a Write of a new file", { file_path: path, content: "const added = 1;" }, { type: "create" }, [[path, NEW]]],
  ["a Write over a file", { file_path: path, content: after }, { type: "update", structuredPatch }, [[path, NEW]]],
  ["Gemini's write_file", { file_path: path, content: "const added = 1;" }, undefined, [[path, NEW, "whole"]]],
  ["opencode's edit", { filePath: path, oldString: before, newString: after }, undefined, [[path, NEW]]],
  [
    "Codex's apply_patch",
    { command: patch },
    undefined,
    [
      ["src/b.ts", NEW],
      ["src/d.ts", NEW],
    ],
  ],
  ["a tool that reads", { file_path: path }, undefined, []],
  ["a command", { command: "npm test" }, undefined, []],
])("%s writes just the new lines", (_tool, input, response, edits) => {
  expect(written(input, response)).toEqual(edits);
});

test("lines that were moved or indented are not written, and one that occurs once more is", () => {
  const keys = (replaced: string, text: string) =>
    writtenKeys({ path, replaced, written: text, isDiff: false, isWhole: false }, 100);
  expect(keys("first();\nsecond();", "  second();\n  first();")).toEqual([]);
  expect(keys("first();", "first();\nfirst();")).toEqual(lineKeys("first();"));
});

test("keys survive being packed, and any text unpacks to some", () => {
  fc.assert(
    fc.property(fc.array(fc.integer(), { maxLength: 50 }), fc.string(), (keys, text) => {
      expect(unpackKeys(packKeys(keys), 100)).toEqual(keys);
      expect(unpackKeys(packKeys(keys), 3)).toEqual(keys.slice(0, 3));
      expect(unpackKeys(text, 3).length).toBeLessThanOrEqual(3);
    }),
  );
});

test.each([
  ["/app/src/a.ts", "src/a.ts"],
  ["src/../src/./a.ts", "packages/one/src/a.ts"],
  ["../../a.ts", "a.ts"],
  ["/app/../app/a.ts", "a.ts"],
  ["/application/a.ts", "/application/a.ts"],
  ["/tmp/a.ts", "/tmp/a.ts"],
])("%s is %s from the root", (given, expected) => {
  expect(pathFromRoot(given, "/app", "/app/packages/one")).toBe(expected);
});
