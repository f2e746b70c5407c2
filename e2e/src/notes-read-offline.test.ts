import type { Page } from "playwright-core";
import { beforeEach, describe, expect, it } from "vitest";
import { setUpDashboard } from "./dashboard.ts";
import { keptTexts, leave } from "./kept-in-browser.ts";
import type { Visitor } from "./visitor.ts";

const TIMEOUT = { timeout: 30_000 };

const dashboard = setUpDashboard();
let visitor: Visitor;
let page: Page;
/** The ids of the documents that each tab of the visitor has read. */
let reads: Map<Page, Set<string>>;

beforeEach(async () => {
  // Only pages that load all of their code ahead read notes ahead.
  visitor = await dashboard.visit({ loadsAhead: true });
  ({ page } = visitor);
  visitor.watch.expect(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|RequestError|fetching the script|40[149]/);
  for (const { path } of await visitor.vault.documents()) await visitor.vault.delete(path);
  reads = new Map();
  visitor.context.on("request", (request) => {
    if (!request.url().includes("documents.get")) return;
    const tab = request.frame().page();
    const ids = decodeURIComponent(request.url()).match(/[0-9a-f-]{36}/g) ?? [];
    reads.set(tab, new Set([...(reads.get(tab) ?? []), ...ids]));
  });
});

describe("notes that were never opened", () => {
  it("are read while the server is away, from any page, with their folders", async () => {
    const ids = await writeNotes({
      "Trips/Tent.md": "# Tent\n\nTwo poles",
      "Trips/Far/Rope.md": "Ten metres",
      "x.txt": "X",
    });
    await openTasks();
    await expect.poll(() => keptTexts(page), TIMEOUT).toEqual(ids.toSorted());
    await leave(visitor);
    await page.getByRole("link", { name: "Documents" }).click();
    await file("Trips").click();
    await file("Tent").click();
    await text("Two poles").waitFor();
    await page.reload();
    await text("Two poles").waitFor();
    await file("Far").click();
    await file("Rope").click();
    await text("Ten metres").waitFor();
  });

  it("are read again when they have changed while the browser was closed, and only those", async () => {
    const ids = await writeNotes({ "Same.md": "Unchanged", "One.md": "The first", "Two.md": "The second" });
    await openTasks();
    await expect.poll(() => keptTexts(page), TIMEOUT).toEqual(ids.toSorted());
    await page.goto("/favicon.svg");
    const [same = ""] = ids;
    await visitor.vault.write("One.md", "The first, changed");
    await visitor.vault.rename("Two.md", "Renamed.md");
    const [added = ""] = await writeNotes({ "Three.md": "The third" });
    reads.clear();
    await openTasks();
    await expect.poll(() => keptTexts(page), TIMEOUT).toEqual([...ids, added].toSorted());
    await leave(visitor);
    await page.getByRole("link", { name: "Documents" }).click();
    await file("One").click();
    await text("The first, changed").waitFor();
    await file("Renamed").click();
    await text("The second").waitFor();
    expect(reads.get(page)?.has(same)).toBe(false);
  });

  it("are removed from the device when they are deleted elsewhere, and all of them when the user signs out", async () => {
    const [one = "", two = ""] = await writeNotes({ "One.md": "The first", "Two.md": "The second" });
    await openTasks();
    await expect.poll(() => keptTexts(page), TIMEOUT).toEqual([one, two].toSorted());
    await visitor.vault.delete("One.md");
    await expect.poll(() => keptTexts(page), TIMEOUT).toEqual([two]);
    await page.getByRole("button", { name: "Ada Lindqvist" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in to Workspace" }).waitFor();
    await expect.poll(() => keptTexts(page)).toEqual([]);
  });

  it("are read by only one of two tabs, and by the other one once that is closed", async () => {
    const ids = await writeNotes({ "One.md": "The first", "Two.md": "The second" });
    await openTasks();
    const other = await visitor.context.newPage();
    await other.goto("/tasks?view=list");
    await expect.poll(() => keptTexts(page), TIMEOUT).toEqual(ids.toSorted());
    await page.waitForTimeout(3_000);
    const [reader = page] = reads.keys();
    expect(reads.size).toBe(1);
    await reader.close();
    const left = reader === page ? other : page;
    const [added = ""] = await writeNotes({ "Three.md": "The third" });
    await expect.poll(() => keptTexts(left), TIMEOUT).toContain(added);
    expect([...(reads.get(left) ?? [])]).toContain(added);
  });
});

const file = (title: string) => page.getByRole("treeitem", { name: new RegExp(`^${title}`) });
const text = (words: string) => page.locator(".cm-content").getByText(words, { exact: true });

async function writeNotes(notes: Readonly<Record<string, string>>): Promise<string[]> {
  const ids: string[] = [];
  for (const [path, content] of Object.entries(notes)) ids.push(await visitor.vault.write(path, content));
  return ids;
}

async function openTasks(): Promise<void> {
  await page.goto("/tasks?view=list");
  await page.getByRole("heading", { name: "Tasks", level: 1 }).waitFor();
}
