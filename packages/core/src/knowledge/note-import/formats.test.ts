import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeZip } from "../../../testing/make-zip.ts";
import { createTestVault, type TestVault } from "../../../testing/test-vault.ts";
import { createNoteImportService } from "./note-import.service.ts";

const ID_A = "0123456789abcdef0123456789abcdef";
const ID_B = "1123456789abcdef0123456789abcdef";
const ID_C = "2123456789abcdef0123456789abcdef";

let vault: TestVault;
let directory: string;

beforeEach(async () => {
  vault = await createTestVault();
  directory = await mkdtemp(join(tmpdir(), "note-formats-"));
});
afterEach(async () => {
  await vault.close();
  await rm(directory, { recursive: true, force: true });
});

async function run(files: Record<string, string>) {
  const file = join(directory, "export.zip");
  await writeFile(file, makeZip(Object.entries(files).map(([name, content]) => ({ name, content }))));
  const options = { format: "auto", folder: "", dryRun: false } as const;
  return createNoteImportService(vault).import({ file, directory }, options, { author: vault.author });
}

it("takes a vault of Obsidian for one although its notes have permalinks for publishing", async () => {
  const files = { "a.md": "---\npermalink: start\n---\n[[b]]\n", "b.md": "---\npermalink: b/c\n---\n" };
  expect(await run(files)).toMatchObject({ format: "obsidian", createdCount: 2 });
});

it("takes the vault of an export of a workspace, and nothing else of it", async () => {
  const files = { "workspace-export.json": "{}", "tasks.json": "[]", "vault/a/b.md": "# B\n", "vault/a/c.txt": "c" };
  expect(await run(files)).toMatchObject({ format: "workspace", createdCount: 2, skippedCount: 0 });
  expect(await vault.names()).toEqual(expect.arrayContaining(["a/b.md", "a/c.txt"]));
});

it("links to tables of Notion that were exported as pages, and reads names in every script", async () => {
  const encoded = encodeURIComponent("кот");
  await run({
    [`Home ${ID_A}.md`]: `# Home\n\n[Tasks](Home%20${ID_A}/Tasks%20${ID_B}.csv) [gone](Gone%20${ID_C}.csv)\n![](Home%20${ID_A}/${encodeURIComponent(encoded)}.png)\n`,
    [`Home ${ID_A}/Tasks ${ID_B}.md`]: "# Tasks\n",
    [`Home ${ID_A}/${encoded}.png`]: "\u0000png",
    [`Home ${ID_A}/100%25.png`]: "\u0000png",
  });
  expect(await vault.read("Home.md")).toBe(
    `# Home\n\n[Tasks](Home/Tasks.md) [gone](Gone%20${ID_C}.csv)\n![](Home/кот.png)\n`,
  );
  expect(await vault.names()).toEqual(expect.arrayContaining(["Home/100%25.png", "Home/Tasks.md", "Home/кот.png"]));
});

it("underlines what Bear underlines, which others would strike out", async () => {
  const written = "# A\n~under~ ~~struck~~ `~code~` about ~5 or ~6 **~both~**\n```\n~x~\n```\n";
  await run({ "Bear.bear2bk/A.textbundle/text.md": written, "Bear.bear2bk/A.textbundle/info.json": "{}" });
  expect(await vault.read("A.md")).toBe(
    "# A\n<u>under</u> ~~struck~~ `~code~` about ~5 or ~6 **<u>both</u>**\n```\n~x~\n```\n",
  );
});
