import type { Page } from "playwright-core";
import { beforeEach, describe, expect, it } from "vitest";
import { checkThemes } from "./appearance.ts";
import { setUpDashboard } from "./dashboard.ts";
import { isSent, keptIn, leave, waiting } from "./kept-in-browser.ts";
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
  for (const { path } of await visitor.vault.documents()) await visitor.vault.delete(path);
  planId = await visitor.vault.write("Plan.md", "---\nrating: 3\n---\nPack the tent.\n");
});

describe("a text that was written in a note that somebody else has deleted meanwhile", () => {
  it("is said to be unsaved on every page, across a reload, and saved once the note is restored", async () => {
    await writeAndLeave("Two stoves");
    await visitor.vault.delete("Plan.md");
    await visitor.context.setOffline(false);
    await unsaved().waitFor();
    await page.goto("/tasks");
    await unsaved().waitFor();
    expect(await checkThemes(page, "text-of-deleted-note")).toEqual([]);
    await unsaved().getByRole("button", { name: "Restore and save" }).click();
    await unsaved().waitFor({ state: "detached" });
    await expect.poll(() => contentOf("Plan.md")).toContain("Two stoves");
  });

  it("is saved at once when the note is restored while it is open, also by somebody else", async () => {
    await writeAndLeave("Two stoves");
    await visitor.vault.delete("Plan.md");
    await visitor.context.setOffline(false);
    await unsaved().waitFor();
    await page.getByRole("button", { name: "Restore", exact: true }).click();
    await unsaved().waitFor({ state: "detached" });
    await expect.poll(() => contentOf("Plan.md"), { timeout: 3_000 }).toContain("Two stoves");
    await page.getByRole("status").getByText("Saved", { exact: true }).waitFor({ state: "attached" });
    expect((await contentOf("Plan.md"))?.match(/Two stoves/g)).toHaveLength(1);
  });

  it("is kept and saved although it was written after the note had been deleted", async () => {
    visitor.watch.expect(/404/);
    await page.goto(`/documents?doc=${planId}`);
    await page.locator(".cm-content").getByText("Pack").waitFor();
    await write("Two ");
    await page.getByRole("status").getByText("Saved", { exact: true }).waitFor({ state: "attached" });
    await visitor.vault.delete("Plan.md");
    await page.getByRole("button", { name: "Restore", exact: true }).waitFor();
    await page.keyboard.type("stoves");
    await unsaved().waitFor();
    await page.reload();
    await page.locator(".cm-content").getByText("Two stoves").waitFor();
    await unsaved().getByRole("button", { name: "Restore and save" }).click();
    await unsaved().waitFor({ state: "detached" });
    await expect.poll(() => contentOf("Plan.md"), { timeout: 3_000 }).toContain("Two stoves");
  });

  it("is saved if the note is restored without the server", async () => {
    await writeAndLeave("Two stoves");
    await visitor.vault.delete("Plan.md");
    await visitor.context.setOffline(false);
    await unsaved().waitFor();
    await visitor.context.setOffline(true);
    await unsaved().getByRole("button", { name: "Restore and save" }).click();
    await waiting(page, 1);
    await unsaved().waitFor({ state: "detached" });
    await page.getByRole("link", { name: "Home" }).first().click();
    await visitor.context.setOffline(false);
    await isSent(page);
    await expect.poll(() => contentOf("Plan.md"), { timeout: 3_000 }).toContain("Two stoves");
  });

  it("is saved under another name, with the properties of the note, if something else has the path by then", async () => {
    await writeAndLeave("Two stoves");
    await visitor.vault.delete("Plan.md");
    await visitor.vault.write("plan.md", "Theirs\n");
    await visitor.context.setOffline(false);
    await unsaved().getByText("something else has its name").waitFor();
    await page.goto("/tasks");
    await unsaved().getByRole("button", { name: "Save as “Plan 2”" }).click();
    await unsaved().waitFor({ state: "detached" });
    await expect.poll(() => contentOf("Plan 2.md")).toMatch(/^---\nrating: 3\n---\nPack the tent.\nTwo stoves/);
    expect(await contentOf("plan.md")).toBe("Theirs\n");
    await page.getByText("Saved as “Plan 2”").waitFor();
    await page.getByRole("button", { name: "Open" }).click();
    await page.locator(".cm-content").getByText("Two stoves").waitFor();
  });

  it("is given up if the user says so, and can be written in again", async () => {
    await writeAndLeave("Two stoves");
    await visitor.vault.delete("Plan.md");
    await visitor.context.setOffline(false);
    await unsaved().getByRole("button", { name: "Discard" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Keep it" }).click();
    await unsaved().getByRole("button", { name: "Discard" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Discard" }).click();
    await unsaved().waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Restore", exact: true }).click();
    await page.getByRole("treeitem", { name: /^Plan/ }).waitFor();
    await write("One stove");
    await expect.poll(() => contentOf("Plan.md")).toContain("One stove");
    expect(await contentOf("Plan.md")).not.toContain("Two stoves");
  });
});

const unsaved = () => page.getByRole("alert").filter({ hasText: "What you wrote in “Plan” is not saved." });

async function write(text: string): Promise<void> {
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(text);
}

/** Opens the plan, and writes in it without a connection. */
async function writeAndLeave(text: string): Promise<void> {
  await page.goto(`/documents?doc=${planId}`);
  await page.locator(".cm-content").getByText("Pack").waitFor();
  await expect.poll(() => keptIn(page, "workspace-copy", "answers", `["documents","one","${planId}"]`)).toBe(1);
  await leave(visitor);
  await write(text);
}

async function contentOf(path: string): Promise<string | null> {
  return (await visitor.vault.exists(path)) ? (await visitor.vault.read(path)).content : null;
}
