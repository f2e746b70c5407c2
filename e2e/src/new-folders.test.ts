import type { Page } from "playwright-core";
import { beforeEach, describe, expect, it } from "vitest";
import { setUpDashboard } from "./dashboard.ts";
import { keptChanges, leave } from "./kept-in-browser.ts";
import type { Visitor } from "./visitor.ts";

const dashboard = setUpDashboard();
let visitor: Visitor;
let page: Page;

beforeEach(async () => {
  visitor = await dashboard.visit({ loadsAhead: true });
  ({ page } = visitor);
  for (const path of (await visitor.vault.folders()).toReversed()) await visitor.vault.delete(path);
  for (const { path } of await visitor.vault.documents()) await visitor.vault.delete(path);
  await visitor.vault.write("Plan.md", "Pack the tent.\n");
  await visitor.vault.write("Trips/Norway.md", "To the north.\n");
  await page.goto("/documents");
  await row("Trips").waitFor();
});

describe("a new folder", () => {
  it("is not created if the user gives up naming it, who goes on where it was asked for", async () => {
    const changes = requests();
    await askAt("Trips");
    await name().fill("Summer");
    await page.keyboard.press("Escape");
    await row("Summer").or(row("New folder")).or(name()).waitFor({ state: "detached" });
    await focused("Trips").waitFor();
    await page.getByRole("button", { name: "New folder" }).first().click();
    await name().waitFor();
    await page.keyboard.press("Escape");
    await name().waitFor({ state: "detached" });
    await page.locator("[role=treeitem]:focus").waitFor();
    expect(changes).toEqual([]);
    expect(await visitor.vault.folders()).toEqual(["/Trips"]);
  });

  it("is created under its name by one request, and has the focus", async () => {
    const changes = requests();
    await askAt("Trips");
    await name().fill("Summer");
    await page.keyboard.press("Enter");
    await focused("Trips/Summer").waitFor();
    await askAt("Summer");
    await page.keyboard.press("Enter");
    await focused("Trips/Summer/New folder").waitFor();
    await expect.poll(() => visitor.vault.folders()).toEqual(["/Trips", "/Trips/Summer", "/Trips/Summer/New folder"]);
    expect(changes).toEqual(["mkdir", "mkdir"]);
  });

  it("does not get a name that something else has there", async () => {
    await askAt("Plan");
    await name().fill("trips");
    await page.getByRole("alert").filter({ hasText: "“trips” already exists here." }).waitFor();
    await page.keyboard.press("Enter");
    await name().fill("Trips 2");
    await page.keyboard.press("Enter");
    await focused("Trips 2").waitFor();
    await expect.poll(() => visitor.vault.folders()).toEqual(["/Trips", "/Trips 2"]);
  });

  it("is named in the tree when it is asked for in a list", async () => {
    await page.getByRole("textbox", { name: "Search the documents" }).fill("north");
    await askAt("Norway");
    await name().fill("Winter");
    await page.keyboard.press("Enter");
    await focused("Trips/Winter").waitFor();
    await row("Plan").waitFor();
  });

  it("is not kept to be created without the server either if the user gives up naming it", async () => {
    visitor.watch.expect(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|RequestError|fetching the script/);
    await leave(visitor);
    await askAt("Trips");
    await page.keyboard.press("Escape");
    await name().waitFor({ state: "detached" });
    await focused("Trips").waitFor();
    expect(await keptChanges(page)).toBe(0);
  });
});

const row = (title: string) => page.getByRole("treeitem", { name: new RegExp(`^${title}( |$)`) });
const focused = (path: string) => page.locator(`[data-path="${path}"]:focus`);
const name = () => page.getByRole("textbox", { name: "Name of the new folder" });

async function askAt(title: string): Promise<void> {
  await row(title).first().click({ button: "right" });
  await page.getByRole("menuitem", { name: "New folder here" }).click();
  await name().waitFor();
}

/** The operations on folders that the page requests from now on. */
function requests(): string[] {
  const names: string[] = [];
  page.on("request", (request) => {
    const [, operation] = /\/fs\.?\/?(mkdir|rename|delete)/.exec(request.url()) ?? [];
    if (operation !== undefined && request.method() !== "GET") names.push(operation);
  });
  return names;
}
