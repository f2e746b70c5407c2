import type { Page } from "playwright-core";
import { beforeEach, describe, expect, it } from "vitest";
import { setUpDashboard } from "./dashboard.ts";
import { comeBack, isSent, leave, waiting } from "./kept-in-browser.ts";
import type { Visitor } from "./visitor.ts";

const dashboard = setUpDashboard();
let visitor: Visitor;
let page: Page;

beforeEach(async () => {
  // Only pages that load all of their code ahead have the browser keep it.
  visitor = await dashboard.visit({ loadsAhead: true });
  ({ page } = visitor);
  // Until a note has been created, its text cannot be saved.
  visitor.watch.expect(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|RequestError|fetching the script|40[49]/);
  await visitor.vault.write("Known.md", "# Known\n");
});

describe("notes that are created while the server is away", () => {
  it("are kept with what is written in them across a reload, renamed, and created once", async () => {
    await openAndLeave();
    await create("Packing", "Tent and rope");
    await waiting(page, 1);
    await page.reload();
    await editor().getByText("Tent and rope").click();
    await page.keyboard.press("End");
    await page.keyboard.type(", and soap");
    await name().fill("What to pack");
    await name().press("Enter");
    await file("What to pack").waitFor();
    await page.reload();
    await editor().getByText("Tent and rope, and soap").waitFor();
    await comeBack(visitor);
    await expect.poll(() => contentOf("What to pack.md")).toBe("Tent and rope, and soap");
    await expect.poll(paths).toEqual(["Known.md", "What to pack.md"]);
    await page.reload();
    await editor().getByText("Tent and rope, and soap").waitFor();
    expect(await file("What to pack").count()).toBe(1);
  });

  it("are saved with their text although none of them is open by then", async () => {
    await openAndLeave();
    await create("Closed", "Written on the train");
    await waiting(page, 1);
    await page.goto("/tasks?view=list");
    await page.getByText(/1 change will be sent/).waitFor();
    await comeBack(visitor);
    await expect.poll(() => contentOf("Closed.md"), { timeout: 30_000 }).toBe("Written on the train");
  });

  it("are shown by two tabs as either writes in them, and saved with what both have written", async () => {
    await openAndLeave();
    await create("Shared", "From the first tab");
    await waiting(page, 1);
    const other = await visitor.context.newPage();
    await other.goto(page.url());
    const otherEditor = other.locator(".cm-content");
    await otherEditor.getByText("From the first tab").click();
    await other.keyboard.press("Control+End");
    await other.keyboard.type(", from the second");
    await editor().getByText("From the first tab, from the second").click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type(", and the first");
    await otherEditor.getByText(", and the first").waitFor();
    // Both tabs may save at once; then one of them merges and saves again.
    visitor.watch.expect(/412/);
    await comeBack(visitor);
    const text = "From the first tab, from the second, and the first";
    await expect.poll(() => contentOf("Shared.md"), { timeout: 30_000 }).toBe(text);
    for (const tab of [page, other]) {
      await tab.getByRole("status").getByText("Saved", { exact: true }).waitFor({ state: "attached" });
      expect(await tab.locator(".cm-content").textContent()).toBe(text);
    }
    await other.close();
  });

  it("have all that two tabs write in one line at the same moment", async () => {
    await openAndLeave();
    await create("Same line", "Bring");
    await waiting(page, 1);
    const other = await visitor.context.newPage();
    await other.goto(page.url());
    await other.locator(".cm-content").getByText("Bring").waitFor();
    const tabs = [page, other];
    const words = [" bread and butter", " TENTS, ROPES, PEGS"];
    for (const tab of tabs) {
      await tab.locator(".cm-content").getByText("Bring").click();
      await tab.keyboard.press("Control+End");
    }
    await Promise.all(tabs.map((tab, index) => tab.keyboard.type(words[index] ?? "", { delay: 30 })));
    const textIn = (tab: Page) => tab.locator(".cm-content").textContent();
    await expect.poll(async () => (await textIn(page)) === (await textIn(other))).toBe(true);
    const text = (await textIn(page)) ?? "";
    // Spaces and commas are in both.
    expect(text.replaceAll(/[A-Z, ]/g, "")).toBe("ringbreadandbutter");
    expect(text.replaceAll(/[a-z, ]/g, "")).toBe("BTENTSROPESPEGS");
    expect(text).toHaveLength("Bring".length + words.join("").length);
    // Both tabs may save at once; then one of them merges and saves again.
    visitor.watch.expect(/412/);
    await comeBack(visitor);
    await expect.poll(() => contentOf("Same line.md"), { timeout: 30_000 }).toBe(text);
    for (const tab of tabs) {
      await tab.getByRole("status").getByText("Saved", { exact: true }).waitFor({ state: "attached" });
      expect(await textIn(tab)).toBe(text);
    }
    await other.close();
  });

  it("have tags, a project and fields before they are created, by which they are found, and keep them", async () => {
    await openAndLeave();
    await createProject("Journeys");
    await page.goto("/documents");
    await create("Tagged", "Which tent?");
    const panel = page.getByRole("complementary", { name: "Document details" });
    await panel.getByRole("button", { name: "No tags" }).click();
    await page.getByRole("combobox", { name: "Change the tags" }).fill("camping");
    await page.getByRole("option", { name: /Add the tag/ }).click();
    await page.keyboard.press("Escape");
    await panel.getByRole("button", { name: "No project" }).click();
    await page.getByRole("option", { name: "Journeys" }).click();
    await panel.getByRole("button", { name: "Add a field" }).click();
    await panel.getByLabel("Name of the new field").fill("rating");
    await panel.getByLabel("Value of the new field").fill("4");
    await page.keyboard.press("Enter");
    await panel.getByLabel("rating", { exact: true }).waitFor();
    await waiting(page, 2);
    await page.reload();
    await panel.getByRole("button", { name: "Journeys" }).waitFor();
    expect(await panel.getByLabel("rating", { exact: true }).inputValue()).toBe("4");
    await page.getByRole("radio", { name: "Tags" }).click();
    await page
      .getByRole("list", { name: "Tags" })
      .getByRole("button", { name: /^camping/ })
      .click();
    await page
      .getByRole("treeitem", { name: /Tagged/ })
      .or(page.getByRole("option", { name: /Tagged/ }))
      .first()
      .waitFor();
    await comeBack(visitor);
    await expect
      .poll(async () => (await contentOf("Tagged.md")) ?? "", { timeout: 30_000 })
      .toMatch(/^---\ntags: .*camping[^]*rating: 4\n---\nWhich tent\?$/);
    const [document] = await documentsAt("Tagged.md");
    expect(document).toMatchObject({ tags: ["camping"], project: { name: "Journeys" } });
  });

  it("are created once although the response is lost", async () => {
    await open();
    // Its text is saved over what the lost response would have told of, once that is read.
    visitor.watch.expect(/412/);
    await page.route(/notes\.create\b/, async (route) => {
      await route.fetch();
      await route.abort();
    });
    await page.keyboard.press("c");
    await name().waitFor();
    await waiting(page, 1);
    await name().fill("Only once");
    await name().press("Enter");
    await page.keyboard.type("Text");
    await file("Only once").waitFor();
    await page.unrouteAll({ behavior: "wait" });
    await isSent(page);
    await expect.poll(() => contentOf("Only once.md"), { timeout: 30_000 }).toBe("Text");
    expect(await paths()).toEqual(["Known.md", "Only once.md"]);
  });

  it("never replace one that somebody else has created at their path: it gets another name", async () => {
    await openAndLeave();
    await create("Trip", "Mine");
    await waiting(page, 1);
    await visitor.vault.write("Trip.md", "Theirs");
    await visitor.context.setOffline(false);
    await page.getByRole("alert").filter({ hasText: "“Trip” could not be created" }).waitFor();
    expect(await contentOf("Trip.md")).toBe("Theirs");
    await page.getByRole("button", { name: "Create as “Trip 2”" }).click();
    await isSent(page);
    await expect.poll(() => contentOf("Trip 2.md"), { timeout: 30_000 }).toBe("Mine");
    expect(await contentOf("Trip.md")).toBe("Theirs");
  });

  it("are renamed and deleted without the one that somebody else has created at their path", async () => {
    await openAndLeave();
    await create("Twin", "Mine");
    await create("Pair", "Mine as well");
    await waiting(page, 2);
    await visitor.vault.write("Twin.md", "Theirs");
    await visitor.vault.write("Pair.md", "Theirs as well");
    await visitor.context.setOffline(false);
    await page.getByRole("alert").filter({ hasText: "1 change more" }).waitFor();
    await expect.poll(() => file("Pair").count()).toBe(2);
    await file("Pair").first().click({ button: "right" });
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await expect.poll(() => file("Pair").count()).toBe(1);
    await file("Twin").first().click({ button: "right" });
    await page.getByRole("menuitem", { name: "Rename" }).click();
    await page.getByRole("textbox", { name: "New name for Twin.md" }).first().fill("Twin of mine");
    await page.keyboard.press("Enter");
    await isSent(page);
    await expect.poll(() => contentOf("Twin of mine.md"), { timeout: 30_000 }).toBe("Mine");
    expect(await contentOf("Twin.md")).toBe("Theirs");
    expect(await contentOf("Pair.md")).toBe("Theirs as well");
    expect(await paths()).toEqual(["Known.md", "Pair.md", "Twin of mine.md", "Twin.md"]);
  });

  it("can be merged with one that somebody else has created at their path", async () => {
    await openAndLeave();
    await create("Plan", "Mine");
    await waiting(page, 1);
    await visitor.vault.write("Plan.md", "Theirs");
    await visitor.context.setOffline(false);
    await page.getByRole("button", { name: "Merge with that one" }).click();
    await page.getByRole("radio", { name: "Both" }).first().click();
    await page.getByRole("button", { name: "Save the result" }).click();
    await isSent(page);
    await expect.poll(() => contentOf("Plan.md")).toMatch(/Mine\nTheirs|Theirs\nMine/);
    await expect.poll(paths).toEqual(["Known.md", "Plan.md"]);
  });

  it("are not created if they are deleted before, unless that is undone", async () => {
    await openAndLeave();
    await create("Gone", "Not needed");
    await create("Back", "Needed after all");
    await waiting(page, 2);
    await remove("Gone");
    await remove("Back");
    await page.keyboard.press("Control+z");
    await file("Back").waitFor();
    expect(await file("Gone").count()).toBe(0);
    await comeBack(visitor);
    await expect.poll(() => contentOf("Back.md"), { timeout: 30_000 }).toBe("Needed after all");
    await expect.poll(paths).toEqual(["Back.md", "Known.md"]);
  });
});

const editor = () => page.locator(".cm-content");
const name = () => page.getByLabel("Note name");
const file = (title: string) => page.getByRole("treeitem", { name: new RegExp(`^${title}( Actions for .*)?$`) });

async function open(): Promise<void> {
  const others = (await visitor.vault.documents()).filter(({ path }) => path !== "Known.md");
  for (const { path } of others) await visitor.vault.delete(path);
  await page.goto("/documents");
  await file("Known").waitFor();
}

async function openAndLeave(): Promise<void> {
  await open();
  await leave(visitor);
}

/** Creates a note with a text in the page. */
async function create(title: string, text: string): Promise<void> {
  await page.getByRole("button", { name: "New note" }).first().click();
  // Until then, the note that was open before is still shown.
  await expect.poll(() => name().inputValue()).toBe("Untitled");
  await name().fill(title);
  await name().press("Enter");
  await file(title).waitFor();
  await page.keyboard.type(text);
  await editor().getByText(text).waitFor();
}

async function createProject(title: string): Promise<void> {
  await page.goto("/projects");
  await page.getByRole("button", { name: "New project" }).first().click();
  await page.getByLabel("Name").fill(title);
  await page.getByRole("button", { name: "Create project" }).click();
  await page.getByRole("heading", { name: title }).waitFor();
}

async function documentsAt(path: string): Promise<object[]> {
  const documents: { path: string }[] = await visitor.vault.documents();
  return documents.filter((document) => document.path === path);
}

async function remove(title: string): Promise<void> {
  await file(title).click({ button: "right" });
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await file(title).waitFor({ state: "detached" });
}

async function contentOf(path: string): Promise<string | null> {
  return (await visitor.vault.exists(path)) ? (await visitor.vault.read(path)).content : null;
}

async function paths(): Promise<string[]> {
  return (await visitor.vault.documents()).map(({ path }) => path).toSorted();
}
