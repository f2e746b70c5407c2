import { makeZip } from "@workspace/core/testing";
import { beforeEach, expect, it } from "vitest";
import { findAccessibilityProblems } from "./accessibility.ts";
import { takeScreenshot } from "./appearance.ts";
import { setUpDashboard } from "./dashboard.ts";
import type { Visitor } from "./visitor.ts";

const dashboard = setUpDashboard();
let visitor: Visitor;

beforeEach(async () => {
  visitor = await dashboard.visit();
});

const ID = "0123456789abcdef0123456789abcdef";
const EXPORT = makeZip([
  {
    name: `Garden plan ${ID}.md`,
    content: `# Garden plan\n\n[Roses](Garden%20plan%20${ID}/Roses%201${ID.slice(1)}.md)\n`,
  },
  { name: `Garden plan ${ID}/Roses 1${ID.slice(1)}.md`, content: "# Roses\n\nWater them.\n" },
  { name: "../outside.md", content: "no" },
]);

it("imports notes from an archive after showing what it would create", async () => {
  const { page } = visitor;
  const openDialog = async () => {
    await page.keyboard.press("Control+k");
    await page.keyboard.type("import");
    await page.getByRole("option", { name: "Import notes", exact: true }).click();
  };
  await page.goto("/documents");
  await page.getByRole("tree").or(page.getByText("Your vault is empty")).first().waitFor();
  await openDialog();
  const dialog = page.getByRole("dialog", { name: "Import notes" });
  const submit = dialog.getByRole("button", { name: /^Import/ });
  expect(await submit.isDisabled()).toBe(true);
  const choose = (name: string, buffer: Buffer) =>
    dialog.getByLabel("File").setInputFiles({ name, mimeType: "application/zip", buffer });

  visitor.watch.expect(/400/);
  await choose("notes.zip", Buffer.from("hello"));
  await dialog.getByRole("alert").getByText("no ZIP archive").waitFor();

  await choose("notion.zip", EXPORT);
  await dialog.getByText("Notion: 2 files will be created, 2 of them notes.").waitFor();
  await dialog.getByText("1 file left out").click();
  await dialog.getByText("../outside.md: has a path outside of the archive").waitFor();
  await takeScreenshot(page, "note-import");
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await submit.click();
  await page.getByText("Imported 2 files").waitFor();
  await page
    .getByRole("treeitem", { name: /^Garden plan/ })
    .first()
    .waitFor();

  await openDialog();
  await choose("notion.zip", EXPORT);
  await dialog.getByText("2 files in it were imported before.").waitFor();
  expect(await submit.isDisabled()).toBe(true);
});
