import type { Page } from "playwright-core";
import { beforeEach, describe, expect, it } from "vitest";
import { takeScreenshot } from "./appearance.ts";
import { setUpDashboard } from "./dashboard.ts";
import type { Visitor } from "./visitor.ts";

const dashboard = setUpDashboard();
let visitor: Visitor;
let page: Page;

beforeEach(async () => {
  visitor = await dashboard.visit();
  ({ page } = visitor);
});

const callWith = (key: string, path: string) =>
  fetch(`${dashboard.server.url}${path}`, { headers: { Authorization: `Bearer ${key}` } });

describe("a key", () => {
  it("is created for a purpose, shown once, grants that access and no other, and is revoked immediately", async () => {
    await page.goto("/connect");
    await page.getByRole("button", { name: "New key" }).click();
    const dialog = page.getByRole("dialog", { name: "New API key" });
    await dialog.getByLabel("Name").fill("Backup script");
    await dialog.getByRole("button", { name: "Reading only" }).click();
    await dialog.getByLabel("Folder").fill("projects/garden");
    await dialog.getByRole("button", { name: "Create key" }).click();
    const banner = page.getByRole("region", { name: "The new key" });
    const key = (await banner.locator("code").textContent()) ?? "";
    await takeScreenshot(page, "connect-new-key");
    expect((await callWith(key, "/api/v1/tasks")).status).toBe(200);
    expect((await callWith(key, "/api/hooks/events")).status).toBe(403);

    await banner.getByRole("button", { name: "I have saved it" }).click();
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

describe("a calendar feed", () => {
  it("has an address that is shown once, is read without credentials, and ends when it is revoked", async () => {
    await page.goto("/connect?view=calendars");
    await page.getByText("No feeds yet.").waitFor();
    await page.getByRole("button", { name: "New feed" }).click();
    const dialog = page.getByRole("dialog", { name: "New calendar feed" });
    await dialog.getByLabel("Name").fill("Calendar on the phone");
    await dialog.getByLabel("Shown as").selectOption("Both");
    await dialog.getByRole("button", { name: "Create feed" }).click();
    const shown = page.getByRole("region", { name: "The new feed" });
    const url = (await shown.locator("code").textContent()) ?? "";
    await takeScreenshot(page, "connect-calendars");
    const read = await fetch(url);
    expect([read.status, (await read.text()).startsWith("BEGIN:VCALENDAR")]).toEqual([200, true]);

    await shown.getByRole("button", { name: "I have saved it" }).click();
    await page.getByRole("listitem").filter({ hasText: "Calendar on the phone" }).waitFor();
    expect(await page.content()).not.toContain(url);
    expect(await page.locator("code").allTextContents()).toEqual([`${dashboard.server.url}/caldav/`]);
    await page.getByRole("button", { name: "Revoke Calendar on the phone" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke feed" }).click();
    await page.getByText("No feeds yet.").waitFor();
    await visitor.watch.settle();
    expect((await fetch(url)).status).toBe(404);
  });

  it("has beside it a key for programs that change tasks", async () => {
    await page.goto("/connect?view=calendars");
    await page.getByRole("button", { name: "Create a key for CalDAV" }).click();
    const dialog = page.getByRole("dialog", { name: "New API key" });
    expect(await dialog.getByRole("button", { name: "A calendar program" }).getAttribute("aria-pressed")).toBe("true");
  });
});

describe("the snippets", () => {
  it("contain this server's address, and work", async () => {
    await page.goto("/connect");
    await page.getByRole("heading", { name: "MCP" }).waitFor();
    const texts = await page.locator("pre").allTextContents();
    const withAddress = texts.filter((text) => text.includes(dashboard.server.url));
    expect(withAddress.length).toBeGreaterThanOrEqual(6);
    for (const path of ["/mcp", "/api/v1/skill", "/api/v1/tasks", "/openapi.v1.json"]) {
      expect(withAddress.some((text) => text.includes(`${dashboard.server.url}${path}`))).toBe(true);
    }
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("region", { name: "curl" }).getByRole("button", { name: /Copy/ }).first().click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(`${dashboard.server.url}/api/v1/tasks`);
  });
});

describe("credits", () => {
  it("are added and listed in the ledger, and an invalid amount is rejected before it is sent", async () => {
    await page.goto("/connect?view=credits");
    await page.getByText("Initial credits").waitFor();
    await page.getByRole("textbox", { name: "Credits" }).fill("1.5");
    await page.getByText("Enter a whole number").waitFor();
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
