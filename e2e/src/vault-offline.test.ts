import type { Page } from "playwright-core";
import { beforeEach, describe, expect, it } from "vitest";
import { setUpDashboard } from "./dashboard.ts";
import { comeBack, keptIn, leave, waiting } from "./kept-in-browser.ts";
import type { Visitor } from "./visitor.ts";

const dashboard = setUpDashboard();
let visitor: Visitor;
let page: Page;

beforeEach(async () => {
  visitor = await dashboard.visit({ loadsAhead: true });
  ({ page } = visitor);
  visitor.watch.expect(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|RequestError|fetching the script|40[49]/);
  for (const path of (await visitor.vault.folders()).toReversed()) await visitor.vault.delete(path);
  for (const { path } of await visitor.vault.documents()) await visitor.vault.delete(path);
  await visitor.vault.write("Known.md", "# Known\n");
});

describe("folders that are created while the server is away", () => {
  it("are shown, renamed, filled and deleted before they are created, across a reload", async () => {
    await openAndLeave();
    await createFolder("Ideas");
    await createFolder("Never");
    await waiting(page, 2);
    await folder("Ideas").click({ button: "right" });
    await page.getByRole("menuitem", { name: "New note" }).click();
    await name().fill("In it");
    await name().press("Enter");
    await page.keyboard.type("A note in a new folder");
    await folder("Never").click({ button: "right" });
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await folder("Never").waitFor({ state: "detached" });
    await page.reload();
    await folder("Ideas").click({ button: "right" });
    await page.getByRole("menuitem", { name: "Rename" }).click();
    await page.getByRole("textbox", { name: "New name for Ideas" }).fill("Good ideas");
    await page.keyboard.press("Enter");
    await folder("Good ideas").waitFor();
    await createFolder("In it, too");
    await waiting(page, 3);
    await comeBack(visitor);
    await expect.poll(() => contentOf("Good ideas/In it.md"), { timeout: 30_000 }).toBe("A note in a new folder");
    await page.reload();
    await folder("In it, too").waitFor();
    expect(await visitor.vault.folders()).toEqual(["/Good ideas", "/Good ideas/In it, too"]);
  });

  it("are the ones that somebody else has created by then", async () => {
    await openAndLeave();
    await createFolder("Both");
    await waiting(page, 1);
    await visitor.vault.write("Both/Theirs.md", "Theirs");
    await comeBack(visitor);
    await folder("Both").click();
    await page.getByRole("treeitem", { name: /^Theirs/ }).waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
  });
});

describe("templates, while the server is away", () => {
  it("are what new notes begin with, which are created once", async () => {
    await visitor.vault.write("Templates/Meeting.md", "---\ntags: [meeting]\n---\nOf {{title}}\n\nWith: {{cursor}}\n");
    await setNotes({ folderTemplates: [{ folder: "Work", template: "Templates/Meeting.md" }] });
    await visitor.vault.write("Work/Known too.md", "Known\n");
    await openAndLeave();
    await folder("Work").click({ button: "right" });
    await page.getByRole("menuitem", { name: "New note" }).click();
    await editor().getByText("With:").waitFor();
    await name().fill("Monday");
    await name().press("Enter");
    await file("Monday").waitFor();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("Grace");
    await waiting(page, 1);
    await comeBack(visitor);
    await expect
      .poll(() => contentOf("Work/Monday.md"), { timeout: 30_000 })
      .toBe("---\ntags: [meeting]\n---\nOf Untitled\n\nWith: \nGrace");
    expect(await page.getByRole("region", { name: "Merge two versions" }).count()).toBe(0);
  });
});

describe("the note of today, while the server is away", () => {
  it("is created from its template when something is written, and sent once", async () => {
    await visitor.vault.write("Templates/Day.md", "# {{weekday}}\n\n{{cursor}}\n");
    await setNotes({ dailyTemplate: "Templates/Day.md" });
    await openAndLeave();
    await page.getByRole("button", { name: "Today's note" }).first().click();
    await page.getByRole("textbox", { name: "Text of the note" }).pressSequentially("Woke up early");
    await editor().getByText("Woke up early").waitFor();
    await waiting(page, 1);
    await page.reload();
    await editor().getByText("Woke up early").click();
    await page.keyboard.press("End");
    await page.keyboard.type(", and wrote");
    await comeBack(visitor);
    const weekday = new Date().toLocaleDateString("en", { weekday: "long" });
    await expect.poll(() => contentOf(today()), { timeout: 30_000 }).toBe(`# ${weekday}\n\nWoke up early, and wrote\n`);
    expect(await journal()).toEqual([today()]);
  });

  it("becomes a part of the one that there is by then", async () => {
    await openAndLeave();
    await page.getByRole("button", { name: "Today's note" }).first().click();
    await page.getByRole("textbox", { name: "Text of the note" }).pressSequentially("Mine");
    await editor().getByText("Mine").waitFor();
    await waiting(page, 1);
    await visitor.vault.write(today(), "Theirs\n");
    await comeBack(visitor);
    await expect.poll(() => contentOf(today()), { timeout: 30_000 }).toBe("Theirs\nMine");
    await editor().getByText("Theirs").click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type(", and more");
    await expect.poll(() => contentOf(today()), { timeout: 30_000 }).toBe("Theirs\nMine, and more");
    expect(await journal()).toEqual([today()]);
    expect(await page.getByRole("alert").count()).toBe(0);
  });
});

const editor = () => page.locator(".cm-content");
const name = () => page.getByLabel("Note name");
const file = (title: string) => page.getByRole("treeitem", { name: new RegExp(`^${title}`) });
const folder = (title: string) => page.getByRole("treeitem", { name: new RegExp(`^${title}( Actions for .*)?$`) });

/** Opens the vault, and goes offline once the browser keeps the templates. */
async function openAndLeave(): Promise<void> {
  await page.goto("/documents");
  await folder("Known").waitFor();
  const kept = () => keptIn(page, "workspace-copy", "answers", '["note-templates"]');
  const hasTemplates = (await visitor.vault.documents()).some(({ path }) => path.startsWith("Templates/"));
  await expect.poll(kept).toBeGreaterThanOrEqual(hasTemplates ? 1 : -1);
  await expect.poll(() => keptIn(page, "workspace-copy", "answers", '["note-settings"]')).toBe(1);
  await leave(visitor);
}

async function createFolder(title: string): Promise<void> {
  await page.getByRole("button", { name: "New folder" }).first().click();
  await page.getByRole("textbox", { name: "Name of the new folder" }).fill(title);
  await page.keyboard.press("Enter");
  await folder(title).waitFor();
}

async function setNotes(settings: object): Promise<void> {
  const { request } = visitor.context;
  const { data } = await (await request.get("/api/notes/settings")).json();
  const { version, updatedAt: _, ...present } = data;
  const changed = { ...present, folderTemplates: [], dailyTemplate: null, ...settings, expectedVersion: version };
  const response = await request.put("/api/notes/settings", {
    data: changed,
    headers: { origin: dashboard.server.url },
  });
  expect(response.status()).toBe(200);
}

function today(): string {
  const now = new Date();
  const [month, day] = [now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0"));
  return `Journal/${now.getFullYear()}-${month}-${day}.md`;
}

async function journal(): Promise<string[]> {
  return (await visitor.vault.documents()).map(({ path }) => path).filter((path) => path.startsWith("Journal/"));
}

async function contentOf(path: string): Promise<string | null> {
  return (await visitor.vault.exists(path)) ? (await visitor.vault.read(path)).content : null;
}
