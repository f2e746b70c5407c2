import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { lineKeys, unpackKeys } from "@workspace/core/written-lines";
import { afterEach, beforeEach, expect, test } from "vitest";
import { TemporaryHome } from "./support/temporary-home.ts";

let home: TemporaryHome;

beforeEach(() => {
  home = new TemporaryHome();
  home.configure("http://localhost:9");
});
afterEach(() => home.close());

/** What the event of a tool reports about lines, unpacked. */
async function report(tool_name: string, tool_input: object, tool_response: object = {}, cwd = home.project) {
  await home.hook("PostToolUse", { tool_name, tool_input, tool_response, cwd });
  const { eventData } = home.spooledEvents[0] as { eventData: { writtenLines?: { root: string; files: File[] } } };
  const { writtenLines } = eventData;
  return (
    writtenLines && {
      root: writtenLines.root,
      files: writtenLines.files.map((file) => ({ ...file, lines: unpackKeys(file.lines, 10_000) })),
    }
  );
}

interface File {
  readonly path: string;
  readonly lines: string;
}

const LINES = Array.from({ length: 900 }, (_, index) => `export const value${index} = compute(${index});`);

test("an event reports every line that was written, though its texts are cut, from the root of the repository", async () => {
  mkdirSync(join(home.project, ".git"));
  const folder = join(home.project, "packages/one");
  mkdirSync(folder, { recursive: true });
  const input = { file_path: join(folder, "a.ts"), content: LINES.join("\n") };
  const files = [{ path: "packages/one/a.ts", lines: lineKeys(LINES.join("\n")) }];
  expect(await report("Write", input, { type: "create" }, folder)).toEqual({ root: home.project, files });
  expect(JSON.stringify(home.spooledEvents[0]).length).toBeLessThan(10_000);
});

test("of a file that was overwritten, the lines that the assistant says are new", async () => {
  const structuredPatch = [{ lines: [" kept();", "-old();", "+added();"] }];
  const input = { file_path: join(home.project, "a.ts"), content: "kept();\nadded();" };
  const files = [{ path: "a.ts", lines: lineKeys("added();") }];
  expect(await report("Write", input, { type: "update", structuredPatch })).toEqual({ root: home.project, files });
});

test("no key depends on a secret", async () => {
  const content = (token: string) => `const token = "ghp_${token.repeat(9)}";\nuse(token);`;
  const input = { file_path: join(home.project, "a.ts"), content: content("a1B2") };
  const lines = (await report("Write", input))?.files[0]?.lines ?? [];
  expect(lines).toHaveLength(2);
  expect(lines).not.toContain(lineKeys(content("a1B2"))[0]);
});

test.each([
  ["Read", { file_path: "a.ts" }],
  ["Bash", { command: "npm test" }],
])("%s reports none", async (tool, input) => {
  expect(await report(tool, input)).toBeUndefined();
});
