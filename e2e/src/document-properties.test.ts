import type { Page } from "playwright-core";
import { beforeEach, describe, expect, it } from "vitest";
import { takeScreenshot } from "./appearance.ts";
import { setUpDashboard } from "./dashboard.ts";
import type { VaultClient } from "./vault-client.ts";
import type { Visitor } from "./visitor.ts";

/** Longer than the pause after which a text is saved. */
const SAVED_IN_MS = 20_000;

const dashboard = setUpDashboard();
let visitor: Visitor;
let page: Page;
let vault: VaultClient;

beforeEach(async () => {
  visitor = await dashboard.visit();
  ({ page, vault } = visitor);
});

describe("the details of a document", () => {
  it("change tags and title in the panel, and leave the rest of the frontmatter alone", async () => {
    const id = await vault.write("Fields.md", "---\nowner: Ada # who\ntags: [one]\n---\nBody.\n");
    await openNote(id, "Body.");
    const panel = page.getByRole("complementary", { name: "Document details" });
    await panel.getByText("owner").waitFor();
    await panel.getByLabel("Title").fill("A new title");
    await page.keyboard.press("Enter");
    await panel.getByRole("button", { name: "one" }).click();
    await page.getByRole("combobox", { name: "Change the tags" }).fill("two");
    await page.getByRole("option", { name: /Add the tag/ }).click();
    expect(await page.getByRole("combobox", { name: "Change the tags" }).inputValue()).toBe("");
    await page.keyboard.press("Escape");
    await expectEventually(async () => (await vault.read("Fields.md")).content.includes("two"));
    const { content } = await vault.read("Fields.md");
    expect(content).toContain("owner: Ada # who\n");
    expect(content).toContain("title: A new title\n");
    expect(content.endsWith("---\nBody.\n")).toBe(true);

    await panel.getByLabel("owner", { exact: true }).fill("Grace");
    await page.keyboard.press("Escape");
    expect(await panel.getByLabel("owner", { exact: true }).inputValue()).toBe("Ada");
    await panel.getByLabel("owner", { exact: true }).fill("Grace");
    await page.keyboard.press("Enter");
    await panel.getByRole("button", { name: "Add a field" }).click();
    await panel.getByLabel("Name of the new field").fill("tags");
    await panel.getByText("A field with this name already exists.").waitFor();
    await panel.getByLabel("Name of the new field").fill("rating");
    await page.keyboard.press("Enter");
    await page.keyboard.type("4");
    await page.keyboard.press("Enter");
    await panel.locator("button:focus", { hasText: "Add a field" }).waitFor();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await panel.locator("button:focus", { hasText: "Add a field" }).waitFor();
    await expectEventually(async () => (await vault.read("Fields.md")).content.includes("owner: Grace # who\n"));
    await expectEventually(async () => (await vault.read("Fields.md")).content.includes("rating: 4\n"));
    await panel.getByRole("button", { name: "Remove rating" }).click();
    await expectEventually(async () => !(await vault.read("Fields.md")).content.includes("rating"));
    await takeScreenshot(page, "documents-fields");
  });

  it("keep the focus when a field is saved or removed, and what is typed in another one meanwhile", async () => {
    const id = await vault.write("Rows.md", "---\nowner: Ada\nplaces: [a, b]\ndone: false\nrating: 3\n---\nBody.\n");
    await openNote(id, "Body.");
    const panel = page.getByRole("complementary", { name: "Document details" });
    const field = (name: string) => panel.getByLabel(name, { exact: true });
    const focused = (name: string) => panel.locator(`[aria-label="${name}"]:focus`);
    // The first change is answered once something else has been typed.
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    await page.route("**/documents.update*", async (route) => {
      await answered;
      await route.continue();
    });
    await field("owner").fill("Grace");
    await page.keyboard.press("Enter");
    await focused("places").waitFor();
    await page.keyboard.type(", c");
    answer();
    await expectEventually(async () => (await vault.read("Rows.md")).content.includes("owner: Grace"));
    await page.unrouteAll({ behavior: "wait" });
    await focused("places").waitFor();
    expect(await field("places").inputValue()).toContain(", c");
    await page.keyboard.press("Enter");
    await focused("done").waitFor();
    await page.keyboard.press("Space");
    await expectEventually(async () => (await vault.read("Rows.md")).content.includes("done: true"));
    expect((await vault.read("Rows.md")).content).toMatch(/places: \[\s*a, b, c\s*\]|places:\s+- a\s+- b\s+- c/);
    await focused("done").waitFor();
    await panel.getByRole("button", { name: "Remove done" }).focus();
    await page.keyboard.press("Enter");
    await focused("rating").waitFor();
    await page.keyboard.press("Shift+Tab");
    await panel.getByRole("button", { name: "Remove rating" }).press("Enter");
    await panel.locator("button:focus", { hasText: "Add a field" }).waitFor();
    await field("places").fill("d");
    await page.keyboard.press("Enter");
    await panel.locator("button:focus", { hasText: "Add a field" }).waitFor();
    await panel.getByLabel("Title").fill("Rows of fields");
    await page.keyboard.press("Enter");
    await panel.locator("button:focus", { hasText: "No tags" }).waitFor();
    await expectEventually(async () => (await vault.read("Rows.md")).content.includes("title: Rows of fields"));
  });

  it("show many fields a part at a time", async () => {
    const fields = Array.from({ length: 100 }, (_, index) => `field${index}: value ${index}\n`);
    await openNote(await vault.write("Many.md", `---\n${fields.join("")}---\nBody.\n`), "Body.");
    const panel = page.getByRole("complementary", { name: "Document details" });
    await panel.getByLabel("field39", { exact: true }).waitFor();
    expect(await panel.getByLabel("field40", { exact: true }).count()).toBe(0);
    const more = panel.getByRole("button", { name: "Show more of 100 fields" });
    await more.click();
    expect(await panel.getByLabel("field79", { exact: true }).inputValue()).toBe("value 79");
    await more.click();
    await panel.getByLabel("field99", { exact: true }).waitFor();
    expect(await more.count()).toBe(0);
  });

  it("keep an invalid name as it was typed, and say what is wrong", async () => {
    await vault.write("Taken.md", "Here first.");
    const id = await vault.write("Other.md", "No heading.");
    await openNote(id, "No heading.");
    await page.getByRole("treeitem", { name: /Taken/ }).waitFor();
    const name = page.getByRole("textbox", { name: "Note name" });
    await name.fill("Taken");
    await page.keyboard.press("Enter");
    await page.getByText("“Taken.md” already exists here.").waitFor();
    expect(await name.inputValue()).toBe("Taken");
    await page.keyboard.press("Escape");
    expect(await name.inputValue()).toBe("Other");
    await name.fill("a/b");
    await page.keyboard.press("Enter");
    await page.getByText("A name cannot contain slashes").waitFor();
    await name.fill("Better");
    await page.keyboard.press("Enter");
    await page.getByRole("treeitem", { name: /Better/ }).waitFor();
    // The tree shows the new name before the file has it.
    await expect.poll(() => vault.read("Better.md").catch(() => null)).toMatchObject({ content: "No heading." });
  });
});

async function openNote(id: string, text: string): Promise<void> {
  await page.goto(`/documents?doc=${id}`);
  await page.getByText(text).first().waitFor();
}

async function expectEventually(holds: () => Promise<boolean>): Promise<void> {
  await expect.poll(holds, { timeout: SAVED_IN_MS }).toBe(true);
}
