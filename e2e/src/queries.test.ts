import type { Page } from "playwright-core";
import { beforeEach, expect, it } from "vitest";
import { checkThemes } from "./appearance.ts";
import { setUpDashboard } from "./dashboard.ts";
import type { VaultClient } from "./vault-client.ts";

const dashboard = setUpDashboard();
let page: Page;
let vault: VaultClient;

beforeEach(async () => {
  ({ page, vault } = await dashboard.visit());
});

const fence = (text: string) => `\`\`\`query\n${text}\n\`\`\`\n`;
const NOTE = [
  "# Overview\n\nBooks, best first:\n",
  fence("where #book\nsort rating desc\ncolumns title, author, rating"),
  "\nOpen tasks:\n",
  fence("from tasks\nwhere status != done\nsort due\ngroup priority"),
  "\nA mistake:\n",
  fence("from tasks\nwhere due < soon"),
  "\nThe end.\n",
].join("\n");

it("shows notes and tasks in a note, follows changes, and ticks tasks", async () => {
  await vault.write("Books/Dune.md", "---\ntags: [book]\nrating: 5\nauthor: Frank Herbert\n---\n# Dune\n");
  await vault.write("Books/Emma.md", "---\ntags: [book]\nrating: 4\nauthor: Jane Austen\n---\n# Emma\n");
  await dashboard.api.mutateAll("tasks.create", [
    { title: "Water the roses", dueDate: "2026-01-02", priority: 3 },
    { title: "Call Ada" },
  ]);
  const id = await vault.write("Overview.md", NOTE);
  await page.goto(`/documents?doc=${id}`);
  const table = page.getByRole("table");
  await table.getByRole("link", { name: "Dune" }).waitFor();
  expect(await table.getByRole("row").allInnerTexts()).toEqual([
    "title\tauthor\trating",
    "Dune\tFrank Herbert\t5",
    "Emma\tJane Austen\t4",
  ]);
  await page.getByText("Line 2: Due: expected a day such as").waitFor();
  await page.getByRole("heading", { name: "High" }).waitFor();

  await page.getByRole("button", { name: "Read" }).click();
  await page.getByRole("document", { name: "Text" }).waitFor();
  await table.getByRole("link", { name: "Emma" }).waitFor();
  expect(await checkThemes(page, "queries")).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await checkThemes(page, "queries-phone")).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });

  await page.getByRole("checkbox", { name: "Water the roses" }).click();
  await page.getByRole("checkbox", { name: "Water the roses" }).waitFor({ state: "detached" });
  await vault.write("Books/Ulysses.md", "---\ntags: [book]\nrating: 6\n---\n# Ulysses\n");
  await table.getByRole("row", { name: "Ulysses 6" }).waitFor();
  await dashboard.api.mutateAll("tasks.create", [{ title: "Buy soil" }]);
  await page.getByRole("checkbox", { name: "Buy soil" }).waitFor();

  await table.getByRole("link", { name: "Ulysses" }).click();
  await page.waitForURL((url) => url.searchParams.get("doc") !== id);
});

it("is inserted by a command, and shows its source while the caret is in it", async () => {
  const id = await vault.write("New.md", "Some words.\n");
  await page.goto(`/documents?doc=${id}`);
  await page.getByText("Some words.").click();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("insert a query changed");
  await page.getByRole("option", { name: "Insert a query: notes changed this week" }).click();
  await expect
    .poll(async () => (await vault.read("New.md")).content, { timeout: 20_000 })
    .toContain("Some words.\n```query\nfrom notes\nwhere modified = this week\n");
  await page.getByText("Some words.").click();
  const result = page.getByRole("region", { name: "Query" });
  await result.getByRole("link", { name: "New" }).waitFor();
  await result.click({ position: { x: 4, y: 4 } });
  await page.getByText("where modified = this week").waitFor();
  expect(await result.count()).toBe(0);
});

it("is shown in the description of a task, and views of a base as far as queries go", async () => {
  await vault.write("Books/Dune.md", "---\ntags: [book]\nrating: 5\n---\n# Dune\n");
  const [task] = await dashboard.api.mutateAll<{ id: string }>("tasks.create", [
    { title: "Read", description: `Next:\n\n${fence("where #book\ncolumns title, rating")}` },
  ]);
  await page.goto(`/tasks?task=${task?.id ?? ""}`);
  const table = page.getByRole("table");
  await table.getByRole("row", { name: "Dune 5" }).waitFor();
  const base = await vault.write(
    "Books.base",
    'filters: file.hasTag("book")\nviews:\n  - { type: table, name: All, order: [file.name, rating] }\n  - { type: cards, name: Odd, filters: rating % 2 == 1 }\n',
  );
  await page.goto(`/documents?doc=${base}`);
  await table.getByRole("row", { name: "Dune.md 5" }).waitFor();
  await page.getByRole("button", { name: "Odd" }).click();
  await page.getByText("This view cannot be shown here, because of the condition “rating % 2 == 1”.").waitFor();
  await page.getByRole("button", { name: "Write" }).click();
  await page.getByText("filters: file.hasTag").waitFor();
});
