import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { launchBrowser } from "./browser.ts";
import { startServer, type TestServer } from "./server.ts";
import { createVault, type VaultClient } from "./vault-client.ts";
import { createVisitor, type Visitor, endVisit } from "./visitor.ts";

/** Longer than the pause after which a text is saved. */
const SAVED_IN_MS = 8_000;

let server: TestServer;
let browser: Browser;
let visitor: Visitor;
let page: Page;
let vault: VaultClient;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(), launchBrowser()]);
});

afterAll(async () => {
  await browser.close();
  await server.close();
});

beforeEach(async () => {
  visitor = await createVisitor(browser, server);
  ({ page } = visitor);
  vault = createVault(visitor.context.request, server.url);
});

afterEach(({ task }) => endVisit(visitor, task));

describe("what is known of a document", () => {
  it("changes tags and title in the panel, and leaves the rest of the frontmatter alone", async () => {
    const id = await vault.write("Fields.md", "---\nowner: Ada # who\ntags: [one]\n---\nBody.\n");
    await openNote(id, "Body.");
    const panel = page.getByRole("complementary", { name: "About the document" });
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
    await panel.getByText("There is a field of this name.").waitFor();
    await panel.getByLabel("Name of the new field").fill("rating");
    await panel.getByLabel("Value of the new field").fill("4");
    await page.keyboard.press("Enter");
    await expectEventually(async () => (await vault.read("Fields.md")).content.includes("owner: Grace # who\n"));
    await expectEventually(async () => (await vault.read("Fields.md")).content.includes("rating: 4\n"));
    await panel.getByRole("button", { name: "Remove rating" }).click();
    await expectEventually(async () => !(await vault.read("Fields.md")).content.includes("rating"));
    await page.screenshot({ path: "screenshots/documents-fields.png" });
  });

  it("keeps a name that cannot be one as it was typed, and says why", async () => {
    await vault.write("Taken.md", "Here first.");
    const id = await vault.write("Other.md", "No heading.");
    await openNote(id, "No heading.");
    await page.getByRole("treeitem", { name: /Taken/ }).waitFor();
    const name = page.getByRole("textbox", { name: "Name of the note" });
    await name.fill("Taken");
    await page.keyboard.press("Enter");
    await page.getByText("There is a “Taken.md” here already.").waitFor();
    expect(await name.inputValue()).toBe("Taken");
    await page.keyboard.press("Escape");
    expect(await name.inputValue()).toBe("Other");
    await name.fill("a/b");
    await page.keyboard.press("Enter");
    await page.getByText("A name cannot hold slashes").waitFor();
    await name.fill("Better");
    await page.keyboard.press("Enter");
    await page.getByRole("treeitem", { name: /Better/ }).waitFor();
    // The tree shows the name before the file has it.
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
