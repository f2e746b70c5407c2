import type { Page } from "playwright-core";
import { beforeEach, describe, expect, it } from "vitest";
import { setUpDashboard } from "./dashboard.ts";
import { keptTexts, leave } from "./kept-in-browser.ts";
import type { Visitor } from "./visitor.ts";
import type { Theme } from "./window.ts";

const dashboard = setUpDashboard();
let visitor: Visitor;
let page: Page;
let planId: string;

beforeEach(async () => {
  await open("light");
  for (const { path } of await visitor.vault.documents()) await visitor.vault.delete(path);
  planId = await visitor.vault.write("Plan.md", "Pack the tent.\n");
});

describe("a phone with a note open", () => {
  it.each(["light", "dark"] as const)("shows above it that the server is away, in %s", async (theme) => {
    await open(theme);
    await openNoteAndLeave();
    const banner = page.getByText(/^Offline/);
    await expect.poll(() => isOnTop(banner)).toBe(true);
    const [above, bar] = [
      await banner.boundingBox(),
      await page.getByRole("button", { name: "Back to the files" }).boundingBox(),
    ];
    expect(above?.height).toBeLessThan(48);
    expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0);
  });

  it("shows above it what the server has not accepted, also above its properties", async () => {
    await openNoteAndLeave();
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("And the stove");
    await page.getByRole("article").getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await visitor.vault.write("Plan.md", "Pack both tents.\n");
    await visitor.context.setOffline(false);
    const banner = page.getByText("“Plan” could not be deleted.");
    await page.goto(`/documents?doc=${planId}`);
    await expect.poll(() => isOnTop(banner)).toBe(true);
    await page.getByRole("button", { name: "Properties, links and versions" }).click();
    await expect.poll(() => isOnTop(banner)).toBe(true);
  });
});

it("knows the projects and tasks while the server is away if only Home was open", async () => {
  await dashboard.api.mutateAll("projects.create", [{ name: "Journey", color: "#0e8a8a" }]);
  await dashboard.api.mutateAll("tasks.create", [{ title: "Buy a map" }]);
  await page.goto("/");
  await expect.poll(() => keptTexts(page), { timeout: 30_000 }).toEqual([planId]);
  await leave(visitor);
  await page.getByRole("link", { name: "Tasks", exact: true }).click();
  await page.getByText("Buy a map").waitFor();
  await page.getByRole("navigation").getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Projects" }).click();
  await page.getByText("Journey").waitFor();
  await page.reload();
  await page.getByText("Journey").waitFor();
});

async function open(theme: Theme): Promise<void> {
  visitor = await dashboard.visit({ size: "phone", theme, loadsAhead: true });
  ({ page } = visitor);
  visitor.watch.expect(
    /ERR_INTERNET_DISCONNECTED|ERR_FAILED|ERR_CONNECTION|RequestError|fetching the script|40[049]|412/,
  );
}

async function openNoteAndLeave(): Promise<void> {
  await page.goto(`/documents?doc=${planId}`);
  await page.getByText("Pack the tent.").waitFor();
  await expect.poll(() => keptTexts(page), { timeout: 30_000 }).toEqual([planId]);
  await leave(visitor);
}

/** Whether nothing covers the middle of an element. */
function isOnTop(locator: ReturnType<Page["getByText"]>): Promise<boolean> {
  return locator.first().evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const shown = document.elementFromPoint(left + width / 2, top + height / 2);
    return shown !== null && (element.contains(shown) || shown.contains(element));
  });
}
