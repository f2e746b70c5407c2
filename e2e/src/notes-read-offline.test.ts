import type { Page } from "playwright-core";
import { beforeEach, describe, expect, it } from "vitest";
import { setUpDashboard } from "./dashboard.ts";
import { filesAreKept, keptIn, keptTexts, leave } from "./kept-in-browser.ts";
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

describe("what is not kept", () => {
  it("for lack of room is said of each note, and how many are kept: those changed last", async () => {
    await page.addInitScript(() => {
      StorageManager.prototype.estimate = () => Promise.resolve({ quota: 10_000, usage: 0 });
    });
    const [old = "", ...ids] = await writeNotes({
      "Old.md": "old ".repeat(300),
      "New.md": "new ".repeat(300),
      "Short.md": "Short",
    });
    await openTasks();
    await expect.poll(() => keptTexts(page), TIMEOUT).toEqual(ids.toSorted());
    await page.goto("/settings?view=storage");
    await page.getByRole("region", { name: "On this device" }).getByText("2 of 3 notes are kept").waitFor();
    await leave(visitor);
    await page.getByRole("link", { name: "Documents" }).click();
    await page.getByText("2 of 3 notes are kept on this device.").waitFor();
    await file("Old").getByRole("img", { name: "Not kept on this device" }).waitFor();
    expect(await page.getByRole("img", { name: "Not kept on this device" }).count()).toBe(1);
    await file("Old").click();
    await page.getByRole("heading", { name: "Not kept on this device" }).waitFor();
    expect(page.url()).toContain(old);
    await file("Short").click();
    await text("Short").waitFor();
  });

  it("because the connection is slow or metered is read once it no longer is", async () => {
    await page.addInitScript(() => {
      Object.defineProperty(navigator, "connection", { value: { effectiveType: "3g" }, configurable: true });
    });
    const ids = await writeNotes({ "One.md": "The first" });
    await openTasks();
    await filesAreKept(page);
    await page.waitForTimeout(5_000);
    expect(await keptTexts(page)).toEqual([]);
    await page.evaluate(() => Object.assign(Reflect.get(navigator, "connection") as object, { effectiveType: "4g" }));
    await expect.poll(() => keptTexts(page), TIMEOUT).toEqual(ids);
  });

  it("because the text was changed after it was read is said, and what was read is shown", async () => {
    const ids = await writeNotes({ "One.md": "The first" });
    await page.goto("/documents");
    await expect.poll(() => keptTexts(page), TIMEOUT).toEqual(ids);
    await page.evaluate(() => Object.defineProperty(navigator, "connection", { value: { saveData: true } }));
    await visitor.vault.write("One.md", "The first, changed");
    await visitor.vault.rename("One.md", "Renamed.md");
    await file("Renamed").waitFor();
    await leave(visitor);
    await file("Renamed").click();
    await text("The first").waitFor();
    await page.getByText("The text has been changed since this device read it.").waitFor();
  });
});

describe("the search, while the server is away", () => {
  it("finds words in notes that are kept, in the documents and everywhere", async () => {
    const ids = await writeNotes({ "Trip.md": "We need a Lantern and rope", "Other.md": "Nothing" });
    await openTasks();
    await expect.poll(() => keptTexts(page), TIMEOUT).toEqual(ids.toSorted());
    await leave(visitor);
    await page.keyboard.press("Control+k");
    await page.getByPlaceholder("Search everything, or run a command…").fill("lantern");
    await page.getByRole("option", { name: /^Trip/ }).click();
    await text("We need a Lantern and rope").waitFor();
    await page.getByLabel("Search the documents").fill("rope lantern");
    const hits = page.getByRole("tree", { name: "Search results" }).getByRole("treeitem");
    await hits.getByText("We need a Lantern and rope").waitFor();
    expect(await hits.count()).toBe(1);
    await page.getByLabel("Search the documents").fill("candle");
    await page
      .getByText("No file has “candle” in its name, or in its text as far as that is kept on this device.")
      .waitFor();
  });

  it("finds what was typed in notes and new notes since then, also in another tab, and not what that has replaced", async () => {
    const [tripId = ""] = await writeNotes({ "Trip.md": "Lantern", "Other.md": "Nothing" });
    await page.goto(`/documents?doc=${tripId}`);
    await text("Lantern").waitFor();
    await expect.poll(() => keptTexts(page), TIMEOUT).toContain(tripId);
    await leave(visitor);
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("Candle");
    const other = await visitor.context.newPage();
    await other.goto("/documents");
    await page.getByRole("button", { name: "New note" }).first().click();
    const title = page.getByLabel("Note name");
    await expect.poll(() => title.inputValue()).toBe("Untitled");
    await title.fill("Fresh");
    await title.press("Enter");
    await file("Fresh").waitFor();
    await page.keyboard.type("Matches");
    await text("Matches").waitFor();
    for (const tab of [page, other]) {
      const hits = tab.getByRole("tree", { name: "Search results" }).getByRole("treeitem");
      await tab.getByLabel("Search the documents").fill("matches");
      await hits.getByText("Fresh").first().waitFor();
      await tab.getByLabel("Search the documents").fill("candle");
      await hits.getByText("Trip").first().waitFor();
      await tab.getByLabel("Search the documents").fill("lantern");
      await tab.getByText("No file has “lantern” in its name").waitFor();
      await tab.keyboard.press("Control+k");
      await tab.getByPlaceholder("Search everything, or run a command…").fill("candle");
      await tab.getByRole("option", { name: /^Trip/ }).waitFor();
      await tab.keyboard.press("Escape");
    }
  });

  it("finds words whatever their accents and case, and with quotes around them", async () => {
    const ids = await writeNotes({
      "Recipe.md": "Cre\u0300me br\u00fbl\u00e9e, by J\u00f8rgen",
      "Way.md": "Down the gro\u00dfe Stra\u00dfe to \u017di\u017ekov",
    });
    await openTasks();
    await expect.poll(() => keptTexts(page), TIMEOUT).toEqual(ids.toSorted());
    await leave(visitor);
    await page.getByRole("link", { name: "Documents" }).click();
    const hits = page.getByRole("tree", { name: "Search results" }).getByRole("treeitem");
    const queries: readonly [string, RegExp][] = [
      ["brulee", /Recipe/],
      ["CR\u00c8ME jorgen", /Recipe/],
      ["Strasse", /Way/],
      ['"grosse strasse" zizkov', /Way/],
    ];
    for (const [query, found] of queries) {
      await page.getByLabel("Search the documents").fill(query);
      await hits.getByText(found).first().waitFor();
      expect(await hits.count()).toBe(1);
    }
    await page.keyboard.press("Control+k");
    await page.getByPlaceholder("Search everything, or run a command…").fill("strasse");
    await page.getByRole("option", { name: /^Way/ }).locator("mark").getByText("Stra\u00dfe").waitFor();
  });
});

it("that there are no projects is known while the server is away", async () => {
  await page.goto("/projects");
  await page.getByRole("heading", { name: "No projects yet" }).waitFor();
  await expect.poll(() => keptIn(page, "workspace-copy", "kinds", "project")).toBe(1);
  await leave(visitor);
  await page.reload();
  await page.getByRole("heading", { name: "No projects yet" }).waitFor();
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
