import { beforeEach, expect, it } from "vitest";
import { findAccessibilityProblems } from "./accessibility.ts";
import { setUpDashboard } from "./dashboard.ts";
import { takeScreenshot } from "./appearance.ts";
import type { Visitor } from "./visitor.ts";

const dashboard = setUpDashboard();
let visitor: Visitor;

beforeEach(async () => {
  visitor = await dashboard.visit();
});

const EXPORT = JSON.stringify([
  { uuid: "1", description: "Renew the passport", project: "Papers", due: "20270301T110000Z" },
  { uuid: "2", description: "Sell the sofa", status: "deleted" },
]);

it("imports tasks from a file after showing what it would create", async () => {
  const { page } = visitor;
  await page.goto("/tasks?view=list");
  await page.getByText("No tasks yet").or(page.getByRole("grid")).first().waitFor();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("import");
  await page.getByRole("option", { name: "Import tasks" }).click();
  const dialog = page.getByRole("dialog", { name: "Import tasks" });
  const submit = dialog.getByRole("button", { name: /^Import/ });
  expect(await submit.isDisabled()).toBe(true);
  const choose = (name: string, content: string) =>
    dialog.getByLabel("File").setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(content) });

  visitor.watch.expect(/400/);
  await choose("tasks.json", "[1]");
  await dialog.getByRole("alert").getByText("expected data.json").waitFor();

  await choose("tasks.json", EXPORT);
  await dialog.getByText("1 task will be created. New projects: Papers.").waitFor();
  expect(await dialog.getByLabel("From").inputValue()).toBe("taskwarrior");
  await dialog.getByText("1 not imported").click();
  await dialog.getByText("task 2: Sell the sofa (was deleted)").waitFor();
  await takeScreenshot(page, "task-import");
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await submit.click();
  await page.getByText("Imported 1 task").waitFor();
  await page.getByRole("row", { name: /Renew the passport/ }).waitFor();

  await page.keyboard.press("Control+k");
  await page.keyboard.type("import");
  await page.getByRole("option", { name: "Import tasks" }).click();
  await choose("tasks.json", EXPORT);
  await dialog.getByText("There is nothing new in this file. 1 task in it was imported before.").waitFor();
  expect(await submit.isDisabled()).toBe(true);
});

it("shows what belongs to the tasks of a file before they are imported", async () => {
  const { page } = visitor;
  await page.goto("/tasks?view=list");
  await page.getByText("No tasks yet").or(page.getByRole("grid")).first().waitFor();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("import");
  await page.getByRole("option", { name: "Import tasks" }).click();
  const dialog = page.getByRole("dialog", { name: "Import tasks" });
  const text = "- [ ] Look after the ferns\n  - [ ] Water them 🔁 every 3 days ⏰ 2099-12-01 08:30\n";
  await dialog
    .getByLabel("File")
    .setInputFiles({ name: "ferns.md", mimeType: "text/plain", buffer: Buffer.from(text) });
  const row = dialog.getByRole("listitem").filter({ hasText: "Water them" });
  await row.getByText("part of Look after the ferns").waitFor();
  await row.getByText("every 3 days").waitFor();
  await row.getByText("1 reminder").waitFor();
  await takeScreenshot(page, "task-import-parts");
  await dialog.getByRole("button", { name: "Import 2 tasks" }).click();
  await page.getByText("Imported 2 tasks").waitFor();
});
