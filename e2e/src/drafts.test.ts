import type { Page } from "playwright-core";
import { beforeEach, describe, expect, it } from "vitest";
import { takeScreenshot } from "./appearance.ts";
import { setUpDashboard } from "./dashboard.ts";
import { watchPage } from "./page-watch.ts";
import type { VaultClient } from "./vault-client.ts";
import type { Visitor } from "./visitor.ts";

/** Longer than the pause after which a text is saved, and than a retry. */
const SAVED_IN_MS = 20_000;
/** What a browser logs for requests without a response, and for a save whose text the server already has. */
const OUTAGE = /ERR_FAILED|ERR_CONNECTION_REFUSED|412/;

const dashboard = setUpDashboard();
let visitor: Visitor;
let tab: Page;
let vault: VaultClient;

beforeEach(async () => {
  visitor = await dashboard.visit();
  visitor.watch.expect(OUTAGE);
  ({ page: tab, vault } = visitor);
});

describe("another tab's draft", () => {
  it("stays when a tab without unsaved text is closed, and is adopted by the next visit", async () => {
    const id = await vault.write("Clean tab.md", "One line.\n");
    await vault.write("Elsewhere.md", "Elsewhere.\n");
    const other = await openTab();
    for (const page of [tab, other]) await openNote(page, id, "One line.");
    await dashboard.server.stop();
    await write(tab, "Written in the first tab.");
    await notSaved(tab);
    await tab.close();
    await dashboard.server.restart();
    await other.getByRole("treeitem", { name: /^Elsewhere/ }).click();
    await editor(other).getByText("Elsewhere.").waitFor();
    await other.getByRole("treeitem", { name: /^Clean tab/ }).click();
    await editor(other).getByText("Written in the first tab.").waitFor();
    await saved(other);
    expect((await vault.read("Clean tab.md")).content).toBe("One line.\nWritten in the first tab.");
    expect(await draftCount(other)).toBe(0);
  });

  it("is offered to a tab that has left the note with unsaved text of its own", async () => {
    const id = await vault.write("Left open.md", "One line.\n");
    const other = await openTab();
    await stopHearing(other);
    for (const page of [tab, other]) await openNote(page, id, "One line.");
    await dashboard.server.stop();
    await write(tab, "In the first one.");
    await notSaved(tab);
    await write(other, "In the second one.");
    await notSaved(other);
    await other.getByRole("link", { name: "Deleted", exact: true }).click();
    await tab.close();
    await dashboard.server.restart();
    await expectContent("Left open.md", "One line.\nIn the second one.");
    // Only the closed tab's draft is left once the other tab knows that its own text is saved.
    await expect.poll(() => draftCount(other), { timeout: SAVED_IN_MS }).toBe(1);
    await other.goBack();
    const merge = other.getByRole("region", { name: "Merge two versions" });
    await merge.getByText("In the first one.").first().waitFor();
  });

  it("is left by an undo in this one, which takes back what was written here", async () => {
    const id = await vault.write("Undone.md", "One line.\n");
    const other = await openTab();
    for (const page of [tab, other]) await openNote(page, id, "One line.");
    await write(tab, "Mine.");
    await editor(other).getByText("Mine.").waitFor();
    await write(other, " Theirs.");
    await editor(tab).getByText("Mine. Theirs.").waitFor();
    await tab.keyboard.press("Control+z");
    await editor(other).getByText("Mine.").waitFor({ state: "detached" });
    await saved(tab);
    await expectContent("Undone.md", "One line.\n Theirs.");
    await tab.keyboard.press("Control+Shift+z");
    await expectContent("Undone.md", "One line.\nMine. Theirs.");
  });

  it("is shown, but not adopted while that tab is open", async () => {
    const id = await vault.write("Living.md", "One line.\n");
    await openNote(tab, id, "One line.");
    await tab.route("**/api/trpc/documents.update*", (route) => route.abort());
    await write(tab, "Still being written.");
    await notSaved(tab);
    const other = await openTab();
    await openNote(other, id, "Still being written.");
    await notSaved(other);
    await write(tab, " And on.");
    await editor(other).getByText("Still being written. And on.").waitFor();
    expect(await unsavedNotes(other).count()).toBe(0);
    expect(await draftCount(other)).toBe(1);
    expect((await vault.read("Living.md")).content).toBe("One line.\n");
  });

  it("is shown, but not adopted while that tab is open, even over plain http", async () => {
    const other = await openTab();
    for (const page of [tab, other])
      await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, "locks"));
    const id = await vault.write("Plain http.md", "One line.\n");
    await openNote(tab, id, "One line.");
    await tab.route("**/api/trpc/documents.update*", (route) => route.abort());
    await write(tab, "Written over http.");
    await notSaved(tab);
    await openNote(other, id, "Written over http.");
    await notSaved(other);
    expect(await draftCount(other)).toBe(1);
    expect((await vault.read("Plain http.md")).content).toBe("One line.\n");
    await tab.close();
    await other.goto("/documents");
    await expectContent("Plain http.md", "One line.\nWritten over http.");
  });

  it("is shown by each tab as the other writes it, and saved as one text after both were closed", async () => {
    const id = await vault.write("In turn.md", "One line.\n");
    const other = await openTab();
    for (const page of [tab, other]) await openNote(page, id, "One line.");
    await dashboard.server.stop();
    await write(tab, "From the first tab");
    await editor(other).getByText("From the first tab").waitFor();
    await write(other, ", from the second");
    await editor(tab).getByText("From the first tab, from the second").waitFor();
    await write(tab, ", and the first.");
    await editor(other).getByText(", and the first.").waitFor();
    for (const page of [other, tab]) await page.close();
    await dashboard.server.restart();
    const later = await openTab();
    await later.goto("/tasks");
    await expectContent("In turn.md", "One line.\nFrom the first tab, from the second, and the first.");
    await expect.poll(() => draftCount(later), { timeout: SAVED_IN_MS }).toBe(0);
  });

  it("is saved by the tab that shows it if the one in which it was written is closed", async () => {
    const id = await vault.write("Handed over.md", "One line.\n");
    const other = await openTab();
    for (const page of [tab, other]) await openNote(page, id, "One line.");
    await dashboard.server.stop();
    await write(tab, "Written in the first tab.");
    await editor(other).getByText("Written in the first tab.").waitFor();
    await tab.close();
    await dashboard.server.restart();
    await saved(other);
    expect((await vault.read("Handed over.md")).content).toBe("One line.\nWritten in the first tab.");
    await expect.poll(() => draftCount(other), { timeout: SAVED_IN_MS }).toBe(0);
  });

  it("is saved with all that is written while that tab is reloaded", async () => {
    const id = await vault.write("Reloaded.md", "Bring");
    const other = await openTab();
    for (const page of [tab, other]) {
      await openNote(page, id, "Bring");
      await editor(page).focus();
      await page.keyboard.press("Control+End");
    }
    visitor.watch.expect(/412|ERR_ABORTED/);
    const writing = other.keyboard.type(" TENTS, ROPES, PEGS, STOVES, CUPS, PANS", { delay: 50 });
    await tab.keyboard.type(" bread and butter", { delay: 30 });
    await tab.reload();
    await editor(tab).getByText("bread").first().waitFor();
    await writing;
    await expect
      .poll(() => editor(tab).textContent(), { timeout: SAVED_IN_MS })
      .toBe(await editor(other).textContent());
    const text = (await editor(tab).textContent()) ?? "";
    expect(text.replaceAll(/[A-Z, ]/g, "")).toBe("ringbreadandbutter");
    expect(text.replaceAll(/[a-z, ]/g, "")).toBe("BTENTSROPESPEGSSTOVESCUPSPANS");
    await expectContent("Reloaded.md", text);
    for (const page of [tab, other]) await saved(page);
  });

  it("is offered for merging if two tabs that do not hear each other have unsaved text, so that neither is lost", async () => {
    const id = await vault.write("Both.md", "One line.\n");
    const other = await openTab();
    await stopHearing(other);
    for (const page of [tab, other]) await openNote(page, id, "One line.");
    await dashboard.server.stop();
    await write(tab, "From the first tab.");
    await notSaved(tab);
    await write(other, "From the second tab.");
    await notSaved(other);
    for (const page of [tab, other]) await page.close();
    await dashboard.server.restart();

    const later = await openTab();
    await later.goto(`/documents?doc=${id}`);
    const merge = later.getByRole("region", { name: "Merge two versions" });
    await merge.waitFor();
    expect((await vault.read("Both.md")).content).toBe("One line.\nFrom the second tab.");
    await takeScreenshot(later, "documents-two-drafts");
    await merge.getByRole("group", { name: "Difference 1" }).getByLabel("Both").check();
    await merge.getByRole("button", { name: "Save the result" }).click();
    await saved(later);
    expect((await vault.read("Both.md")).content).toBe("One line.\nFrom the first tab.\nFrom the second tab.");
    expect(await draftCount(later)).toBe(0);
  });
});

describe("a page that is closed right after typing", () => {
  it("sends what was just typed", async () => {
    const id = await vault.write("Left at once.md", "One line.\n");
    await openNote(tab, id, "One line.");
    await write(tab, "And gone.");
    await tab.goto("about:blank");
    await expectContent("Left at once.md", "One line.\nAnd gone.");
  });

  it("leaves a draft that the next visit to any page saves, unless others have changed the same lines", async () => {
    const names = ["Same", "Other lines", "Same line"];
    const tabs = [tab, await openTab(), await openTab()];
    for (const [index, page] of tabs.entries())
      await openNote(page, await vault.write(`${names[index]}.md`, "One line.\nLast"), "One line.");
    await dashboard.server.stop();
    for (const page of tabs) {
      await write(page, ", mine");
      await notSaved(page);
    }
    for (const page of tabs.slice(1)) await page.close();
    await tab.goto("about:blank");
    await dashboard.server.restart();
    await vault.write("Other lines.md", "One line, theirs.\nLast");
    await vault.write("Same line.md", "One line.\nLast, theirs");

    await tab.goto("/tasks");
    await expectContent("Same.md", "One line.\nLast, mine");
    await expectContent("Other lines.md", "One line, theirs.\nLast, mine");
    await tab.goto("/documents");
    await unsavedNotes(tab).getByRole("button", { name: "Same line" }).click();
    await tab.getByRole("region", { name: "Merge two versions" }).waitFor();
    expect((await vault.read("Same line.md")).content).toBe("One line.\nLast, theirs");
    expect(await unsavedNotes(tab).getByRole("button").count()).toBeLessThanOrEqual(1);
  });

  it("lists a very long note among the unsaved ones", async () => {
    const id = await vault.write("Long.md", "One line.\n");
    await vault.write("Long.md", `${"A line of a very long note.\n".repeat(10_000)}Last`);
    await openNote(tab, id, "A line of");
    await dashboard.server.stop();
    await write(tab, "The very end.");
    await notSaved(tab);
    await tab.goto("about:blank");
    await dashboard.server.restart();
    await vault.write("Long.md", "Theirs.\n");
    await tab.goto("/documents");
    await unsavedNotes(tab).getByRole("button", { name: "Long" }).click();
    await tab.getByRole("region", { name: "Merge two versions" }).getByText("The very end.").first().waitFor();
  });
});

/** Lets a tab get no messages of other tabs, as one that the browser has frozen, and lets them get none of its own. */
async function stopHearing(page: Page): Promise<void> {
  await page.addInitScript(() => {
    class Silent extends EventTarget {
      close = () => undefined;
      postMessage = () => undefined;
    }
    Reflect.set(globalThis, "BroadcastChannel", Silent);
  });
}

async function openTab(): Promise<Page> {
  const page = await visitor.context.newPage();
  await watchPage(page);
  return page;
}

async function openNote(page: Page, id: string, text: string): Promise<void> {
  await page.goto(`/documents?doc=${id}`);
  await editor(page).getByText(text).first().waitFor();
}

async function write(page: Page, text: string): Promise<void> {
  await page.bringToFront();
  await editor(page).focus();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(text);
}

function editor(page: Page) {
  return page.getByRole("textbox", { name: /^Text of/ });
}

function unsavedNotes(page: Page) {
  return page.getByRole("region", { name: "Unsaved drafts" });
}

async function notSaved(page: Page): Promise<void> {
  const isRefused = page.getByRole("button", { name: "Not saved – try again" });
  await page.getByText("Saved on this device").or(isRefused).waitFor({ timeout: SAVED_IN_MS });
}

async function saved(page: Page): Promise<void> {
  const state = page.getByRole("status").getByText("Saved", { exact: true });
  await state.waitFor({ state: "attached", timeout: SAVED_IN_MS });
}

async function expectContent(path: string, content: string): Promise<void> {
  await expect.poll(async () => (await vault.read(path)).content, { timeout: SAVED_IN_MS }).toBe(content);
}

/** The number of document drafts stored in the browser. */
async function draftCount(page: Page): Promise<number> {
  return page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes("draft.document.")).length);
}
