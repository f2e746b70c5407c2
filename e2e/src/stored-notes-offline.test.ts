import type { Page } from "playwright-core";
import { beforeEach, describe, expect, it } from "vitest";
import { setUpDashboard } from "./dashboard.ts";
import { comeBack, isSent, keptIn, keptTexts, leave, waiting } from "./kept-in-browser.ts";
import type { Visitor } from "./visitor.ts";

const dashboard = setUpDashboard();
let visitor: Visitor;
let page: Page;
let planId: string;

beforeEach(async () => {
  visitor = await dashboard.visit({ loadsAhead: true });
  ({ page } = visitor);
  visitor.watch.expect(
    /ERR_INTERNET_DISCONNECTED|ERR_FAILED|ERR_CONNECTION|RequestError|fetching the script|40[049]|412/,
  );
  const { data: entries } = await (await visitor.context.request.get("/api/fs/list")).json();
  for (const { path } of entries) await visitor.vault.delete(path);
  await visitor.vault.write("Work/Other.md", "# Other\n");
  await visitor.vault.write("Linking.md", "See [[Plan]].\n");
  planId = await visitor.vault.write("Plan.md", "---\nrating: 3\n---\nPack the tent.\n");
});

describe("notes that the server has, while it is away", () => {
  it("are renamed and moved in all tabs, across a reload, and once when it responds", async () => {
    await openAndLeave();
    const other = await visitor.context.newPage();
    await other.goto(`/documents?doc=${planId}`);
    await file("Plan", other).waitFor();
    await rename("Plan", "Journey");
    await rename("Journey", "Voyage");
    await waiting(page, 1);
    await file("Voyage", other).waitFor();
    expect(await file("Plan", other).count()).toBe(0);
    await page.reload();
    await move("Voyage", "Work");
    await waiting(page, 1);
    await page.reload();
    await page.getByText("Work/Voyage.md").first().waitFor();
    await comeBack(visitor);
    expect(await paths()).toEqual(["Linking.md", "Work/Other.md", "Work/Voyage.md"]);
    expect(await contentOf("Linking.md")).toContain("Voyage");
    await other.getByText("Work/Voyage.md").first().waitFor();
    await other.close();
  });

  it("are linked by their former names until the server knows the new ones", async () => {
    const linkingId = await visitor.vault.write("Linking.md", "See [[Plan]].\n\n- one\n");
    await page.goto(`/documents?doc=${linkingId}`);
    await page.locator(".cm-content").getByText("one").waitFor();
    await expect.poll(() => keptIn(page, "workspace-copy", "answers", `["documents","one","${linkingId}"]`)).toBe(1);
    await expect.poll(() => keptTexts(page), { timeout: 30_000 }).toContain(planId);
    await leave(visitor);
    await rename("Plan", "Voyage");
    await page.locator(".cm-link").getByText("Plan").waitFor();
    expect(await page.locator(".cm-link-new").count()).toBe(0);
    await page.keyboard.press("ControlOrMeta+e");
    await page.getByRole("link", { name: "Plan" }).click();
    await page.locator(".cm-content, article").getByText("Pack the tent.").first().waitFor();
    await file("Voyage").waitFor();
    expect(await file("Plan").count()).toBe(0);
    await waiting(page, 1);
  });

  it("keep the title that their text has, and one extension, when they are renamed", async () => {
    planId = await visitor.vault.write("Plan.md", "# Plan\n\nPack the tent.\n");
    await openAndLeave();
    const other = await visitor.context.newPage();
    await other.goto("/documents");
    await file("Plan", other).waitFor();
    await file("Plan").click({ button: "right" });
    await page.getByRole("menuitem", { name: "Rename" }).click();
    await page.getByRole("textbox", { name: "New name for Plan.md" }).fill("Voyage.md");
    await page.keyboard.press("Enter");
    await file("Voyage").waitFor();
    await page.getByRole("article", { name: "Plan" }).waitFor();
    await other.getByRole("radio", { name: "Most recent first" }).click();
    await other.locator("[data-path='Voyage.md']").filter({ hasText: "Plan" }).waitFor();
    await other.getByRole("radio", { name: "Folders" }).click();
    await comeBack(visitor);
    expect(await paths()).toEqual(["Linking.md", "Voyage.md", "Work/Other.md"]);
    await page.getByRole("article", { name: "Plan" }).waitFor();
  });

  it("are deleted and restored, and deleted with what was written in them before", async () => {
    await openAndLeave();
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("Not needed");
    await remove("Plan");
    await remove("Linking");
    await page.keyboard.press("Control+z");
    await file("Linking").waitFor();
    await waiting(page, 2);
    await page.reload();
    await file("Linking").waitFor();
    expect(await file("Plan").count()).toBe(0);
    await comeBack(visitor);
    expect(await paths()).toEqual(["Linking.md", "Work/Other.md"]);
    await page.getByRole("button", { name: "Restore" }).click();
    await file("Plan").waitFor();
    await expect.poll(() => contentOf("Plan.md")).toContain("Not needed");
  });

  it("are not deleted if somebody else has changed them since, unless the user says so", async () => {
    await openAndLeave();
    await remove("Plan");
    await remove("Linking");
    await waiting(page, 2);
    await visitor.vault.write("Plan.md", "Newer\n");
    await visitor.vault.write("Linking.md", "Newer, too\n");
    await visitor.context.setOffline(false);
    await problem("Plan").getByRole("button", { name: "Keep it" }).click();
    await problem("Linking").getByRole("button", { name: "Delete it anyway" }).click();
    await isSent(page);
    await file("Plan").waitFor();
    expect(await paths()).toEqual(["Plan.md", "Work/Other.md"]);
    expect(await contentOf("Plan.md")).toBe("Newer\n");
  });

  it("are not asked about if they were restored again, whatever was deleted in between and others have changed", async () => {
    await openAndLeave();
    await remove("Plan");
    await remove("Linking");
    await page.getByRole("link", { name: "Deleted", exact: true }).click();
    await page.getByRole("button", { name: "Restore Plan" }).click();
    await page.getByRole("button", { name: "Restore Plan" }).waitFor({ state: "detached" });
    await visitor.vault.write("Plan.md", "Newer\n");
    await comeBack(visitor);
    expect(await paths()).toEqual(["Plan.md", "Work/Other.md"]);
    expect(await contentOf("Plan.md")).toBe("Newer\n");
    expect(await page.getByRole("alert").count()).toBe(0);
  });

  it("are deleted by one answer although text was typed in them before and others have written elsewhere in them", async () => {
    planId = await visitor.vault.write("Plan.md", "Pack the tent.\n\nBuy a map.\n");
    await openAndLeave();
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("Not needed");
    await remove("Plan");
    await waiting(page, 1);
    await visitor.vault.write("Plan.md", "Pack both tents.\n\nBuy a map.\n");
    await visitor.context.setOffline(false);
    await problem("Plan").getByRole("button", { name: "Delete it anyway" }).click();
    await isSent(page);
    expect(await paths()).toEqual(["Linking.md", "Work/Other.md"]);
    await page.getByRole("button", { name: "Restore", exact: true }).click();
    await file("Plan").waitFor();
    await expect.poll(() => contentOf("Plan.md")).toBe("Pack both tents.\n\nBuy a map.\nNot needed");
  });

  it("are given properties, which are shown across a reload and set with those of others", async () => {
    await openAndLeave();
    await addTag("camping");
    await setField("rating", "5");
    await panel().getByLabel("Title").fill("All our plans");
    await page.keyboard.press("Enter");
    await waiting(page, 1);
    await page.reload();
    await panel().getByRole("button", { name: "camping" }).waitFor();
    expect(await panel().getByLabel("Title").inputValue()).toBe("All our plans");
    expect(await panel().getByLabel("rating", { exact: true }).inputValue()).toBe("5");
    await visitor.vault.write("Plan.md", "---\nrating: 3\nplace: lake\n---\nPack both tents.\n");
    await comeBack(visitor);
    const content = (await contentOf("Plan.md")) ?? "";
    const lines = ["title: All our plans", "rating: 5", "place: lake", "camping", "Pack both tents."];
    for (const line of lines) expect(content).toContain(line);
  });

  it("keep what others have made of the same property until the user decides", async () => {
    await openAndLeave();
    await setField("rating", "5");
    await waiting(page, 1);
    await visitor.vault.write("Plan.md", "---\nrating: 4\n---\nPack the tent.\n");
    await visitor.context.setOffline(false);
    await problem("Plan").getByText("There: rating “4”. Yours: rating “5”.").waitFor();
    expect(await contentOf("Plan.md")).toContain("rating: 4");
    await problem("Plan").getByRole("button", { name: "Save mine" }).click();
    await isSent(page);
    expect(await contentOf("Plan.md")).toContain("rating: 5");
  });

  it("are given what nobody else has changed, whatever the user decides about the rest", async () => {
    await openAndLeave();
    await addTag("camping");
    await setField("rating", "5");
    await waiting(page, 1);
    await visitor.vault.write("Plan.md", "---\ntags: [theirs]\nrating: 3\n---\nPack the tent.\n");
    await visitor.context.setOffline(false);
    await problem("Plan").getByText("There: tags “theirs”. Yours: tags “camping”.").waitFor();
    expect(await contentOf("Plan.md")).toContain("rating: 5");
    // By now that is somebody else's to change, too.
    await visitor.vault.write("Plan.md", "---\ntags: [theirs]\nrating: 4\n---\nPack the tent.\n");
    await problem("Plan").getByRole("button", { name: "Keep theirs" }).click();
    await isSent(page);
    await panel().getByRole("button", { name: "theirs" }).waitFor();
    await expect.poll(() => panel().getByLabel("rating", { exact: true }).inputValue()).toBe("4");
    expect(await contentOf("Plan.md")).toContain("tags: [theirs]");
  });

  it("are not moved over another one, nor away from where others have moved them, without a question", async () => {
    await openAndLeave();
    await rename("Plan", "Taken");
    await rename("Linking", "Mine");
    await waiting(page, 2);
    await visitor.vault.write("Taken.md", "Theirs\n");
    await renameElsewhere("Linking.md", "Theirs.md");
    await visitor.context.setOffline(false);
    await problem("Taken").getByText("could not be renamed").waitFor();
    await problem("Taken").getByRole("button", { name: "Name it “Taken 2”" }).click();
    await problem("Mine").getByText("It was renamed elsewhere, too. There: “Theirs.md”. Yours: “Mine.md”.").waitFor();
    await problem("Mine").getByRole("button", { name: "Keep theirs" }).click();
    await isSent(page);
    expect(await paths()).toEqual(["Taken 2.md", "Taken.md", "Theirs.md", "Work/Other.md"]);
    expect(await contentOf("Taken.md")).toBe("Theirs\n");
  });

  it("are deleted without a question although what they link to is renamed before", async () => {
    await openAndLeave();
    await rename("Plan", "Voyage");
    await remove("Linking");
    await waiting(page, 2);
    await comeBack(visitor);
    expect(await paths()).toEqual(["Voyage.md", "Work/Other.md"]);
  });

  it("are changed once although each response is lost", async () => {
    await visitor.vault.write("Gone.md", "Not needed\n");
    await open();
    await page.route(/(fs\.rename|fs\.delete|documents\.update)\b/, async (route) => {
      await route.fetch();
      await route.abort();
    });
    await addTag("camping");
    await rename("Plan", "Voyage");
    await remove("Gone");
    await expect.poll(paths).toEqual(["Linking.md", "Voyage.md", "Work/Other.md"]);
    await page.unrouteAll({ behavior: "wait" });
    await isSent(page);
    expect(await paths()).toEqual(["Linking.md", "Voyage.md", "Work/Other.md"]);
    expect((await contentOf("Voyage.md"))?.match(/camping/g)).toHaveLength(1);
    expect(await page.getByRole("alert").count()).toBe(0);
  });

  it("are changed while the server is down, and once it has restarted", async () => {
    visitor.watch.expect(/WebSocket|50[0234]/);
    // All of the page's code is there by then.
    await openAndLeave();
    await visitor.context.setOffline(false);
    await dashboard.server.stop();
    try {
      await rename("Plan", "Voyage");
      await setField("rating", "5");
      await remove("Linking");
      await waiting(page, 3);
    } finally {
      await dashboard.server.restart();
    }
    await isSent(page);
    expect(await paths()).toEqual(["Voyage.md", "Work/Other.md"]);
    expect(await contentOf("Voyage.md")).toContain("rating: 5");
  });

  it("are moved into a folder that is still to be created, and with it", async () => {
    await openAndLeave();
    await page.getByRole("button", { name: "New folder" }).first().click();
    await page.getByRole("textbox", { name: "Name of the new folder" }).fill("Trips");
    await page.keyboard.press("Enter");
    await file("Trips").waitFor();
    await move("Plan", "Trips");
    await file("Trips").click({ button: "right" });
    await page.getByRole("menuitem", { name: "Rename" }).click();
    await page.getByRole("textbox", { name: "New name for Trips" }).fill("Journeys");
    await page.keyboard.press("Enter");
    await page.getByText("Journeys/Plan.md").first().waitFor();
    await waiting(page, 2);
    await comeBack(visitor);
    expect(await paths()).toEqual(["Journeys/Plan.md", "Linking.md", "Work/Other.md"]);
  });
});

it("folders that the server has are not said to be changed without it", async () => {
  await openAndLeave();
  await remove("Work");
  await page.getByText("Folders are renamed, moved and deleted only while the server responds.").waitFor();
  await file("Work").waitFor();
  await page.getByText("Deleted “Work”").waitFor({ state: "detached" });
  await page.locator("[data-path='Work']:focus").waitFor();
  await file("Work").click({ button: "right" });
  await page.getByRole("menuitem", { name: "Rename" }).click();
  await page.getByRole("textbox", { name: "New name for Work" }).fill("Jobs");
  await page.keyboard.press("Enter");
  await page.getByText("Could not rename “Work”").waitFor();
  await page.getByRole("link", { name: "Tasks", exact: true }).click();
  await page.getByRole("heading", { name: "Tasks", level: 1 }).waitFor();
  await page.getByText("Could not rename “Work”").waitFor({ state: "detached" });
});

it("what is known only to the server is said to need it, and who can read a note cannot be changed", async () => {
  await openAndLeave();
  await panel().getByText("It can be changed once the server responds.").waitFor();
  expect(await panel().getByRole("radio", { name: "By link" }).isDisabled()).toBe(true);
  await panel().getByRole("radio", { name: "Links" }).click();
  await panel().getByText("The links can be shown once the server responds.").waitFor();
  await panel().getByRole("radio", { name: "Versions" }).click();
  await panel().getByText("The earlier versions can be shown once the server responds.").waitFor();
  await visitor.context.setOffline(false);
  await panel().getByText("No earlier versions").waitFor();
});

const panel = () => page.getByRole("complementary", { name: "Document details" });
const problem = (title: string) => page.getByRole("alert").filter({ hasText: `“${title}” could not be` });

function file(title: string, tab = page) {
  return tab.getByRole("treeitem", { name: new RegExp(`^${title}( [^\\d].*)?$`) });
}

async function open(): Promise<void> {
  await page.goto(`/documents?doc=${planId}`);
  await file("Plan").waitFor();
  await page.locator(".cm-content").getByText("Pack").waitFor();
}

/** Opens the plan, and goes offline once the browser keeps it. */
async function openAndLeave(): Promise<void> {
  await open();
  await expect.poll(() => keptIn(page, "workspace-copy", "answers", `["documents","one","${planId}"]`)).toBe(1);
  await leave(visitor);
}

async function rename(title: string, to: string): Promise<void> {
  await file(title).click({ button: "right" });
  await page.getByRole("menuitem", { name: "Rename" }).click();
  await page.getByRole("textbox", { name: `New name for ${title}.md` }).fill(to);
  await page.keyboard.press("Enter");
  await file(to).waitFor();
}

async function move(title: string, folder: string): Promise<void> {
  await file(title).click({ button: "right" });
  await page.getByRole("menuitem", { name: "Move to…" }).click();
  await page.getByRole("option", { name: folder }).click();
  await page.getByText(`Moved “${title}.md” to “${folder}”`).waitFor();
}

async function remove(title: string): Promise<void> {
  await file(title).click({ button: "right" });
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByText(`Deleted “${title}`).first().waitFor();
}

async function addTag(tag: string): Promise<void> {
  await panel().getByRole("button", { name: "No tags" }).click();
  await page.getByRole("combobox", { name: "Change the tags" }).fill(tag);
  await page.getByRole("option", { name: /Add the tag/ }).click();
  await page.keyboard.press("Escape");
  await panel().getByRole("button", { name: tag }).waitFor();
}

async function setField(field: string, value: string): Promise<void> {
  await panel().getByLabel(field, { exact: true }).fill(value);
  await page.keyboard.press("Enter");
}

async function renameElsewhere(from: string, to: string): Promise<void> {
  const data = { oldPath: `/${from}`, newPath: `/${to}` };
  const headers = { origin: dashboard.server.url };
  const response = await visitor.context.request.post("/api/fs/rename", { data, headers });
  expect(response.status()).toBe(200);
}

async function contentOf(path: string): Promise<string | null> {
  return (await visitor.vault.exists(path)) ? (await visitor.vault.read(path)).content : null;
}

async function paths(): Promise<string[]> {
  return (await visitor.vault.documents()).map(({ path }) => path).toSorted();
}
