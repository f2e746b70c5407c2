import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { launchBrowser } from "./browser.ts";
import { startServer, type TestServer } from "./server.ts";
import { createVisitor, type Visitor, endVisit } from "./visitor.ts";

let server: TestServer;
let browser: Browser;
let visitor: Visitor;
let page: Page;

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
});

afterEach(({ task }) => endVisit(visitor, task));

const callWith = (key: string, path: string) =>
  fetch(`${server.url}${path}`, { headers: { Authorization: `Bearer ${key}` } });

describe("a key", () => {
  it("is made for what it is wanted for, shown once, opens that and nothing else, and is revoked at once", async () => {
    await page.goto("/connect");
    await page.getByRole("button", { name: "New key" }).click();
    const dialog = page.getByRole("dialog", { name: "New API key" });
    await dialog.getByLabel("Name").fill("Backup script");
    await dialog.getByRole("button", { name: "Reading only" }).click();
    await dialog.getByRole("button", { name: "Create key" }).click();
    const banner = page.getByRole("region", { name: "The new key" });
    const key = (await banner.locator("code").textContent()) ?? "";
    await page.screenshot({ path: "screenshots/connect-new-key.png" });
    expect((await callWith(key, "/api/v1/tasks")).status).toBe(200);
    expect((await callWith(key, "/api/hooks/events")).status).toBe(403);

    await banner.getByRole("button", { name: "I have kept it" }).click();
    await page.getByRole("radio", { name: "API keys" }).click();
    const row = page.getByRole("row", { name: /Backup script/ });
    await row.waitFor();
    expect(await page.content()).not.toContain(key);
    await row.getByRole("button", { name: /Revoke/ }).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /Revoke/ })
      .click();
    await page.getByText("No keys yet").waitFor();
    await visitor.watch.settle();
    expect((await callWith(key, "/api/v1/tasks")).status).toBe(401);
  });
});

describe("what is to be pasted", () => {
  it("has this server's address, and does what it says", async () => {
    await page.goto("/connect");
    await page.getByRole("heading", { name: "MCP" }).waitFor();
    const texts = await page.locator("pre").allTextContents();
    const withAddress = texts.filter((text) => text.includes(server.url));
    expect(withAddress.length).toBeGreaterThanOrEqual(6);
    for (const path of ["/mcp", "/api/v1/skill", "/api/v1/tasks", "/openapi.v1.json"]) {
      expect(withAddress.some((text) => text.includes(`${server.url}${path}`))).toBe(true);
    }
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("region", { name: "curl" }).getByRole("button", { name: /Copy/ }).first().click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(`${server.url}/api/v1/tasks`);
  });
});

describe("credits", () => {
  it("are added and stand in the ledger, and a wrong amount is refused before it is sent", async () => {
    await page.goto("/connect?view=credits");
    await page.getByText("First credits").waitFor();
    await page.getByRole("textbox", { name: "Credits" }).fill("1.5");
    await page.getByText("A whole number").waitFor();
    expect(await page.getByRole("button", { name: "Add credits" }).isDisabled()).toBe(true);
    await page.getByRole("textbox", { name: "Credits" }).fill("250");
    await page.getByLabel("Note").fill("For the weekly report");
    await page.getByRole("button", { name: "Add credits" }).click();
    const entry = page.getByRole("row", { name: /For the weekly report/ });
    await entry.waitFor();
    expect(await entry.textContent()).toContain("+250");
    await page.getByText("1,250").first().waitFor();
  });
});
