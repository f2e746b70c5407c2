import type { Page, Request } from "playwright-core";
import { describe, expect, it } from "vitest";
import { setUpDashboard } from "./dashboard.ts";
import { holdRequests } from "./held-requests.ts";
import { SIZES, type Size } from "./window.ts";

const dashboard = setUpDashboard();

/**
 * The first data of each page, and how many scripts it loads before: the theme, the entry, the framework, what all pages need, what this
 * one needs, and the copy in the browser. Of the tasks also the quick add with all that it needs, as a key pressed before would be lost.
 */
const PAGES = [
  ["/", /home\.news/, 11],
  ["/tasks?view=list", /tasks\.list/, 26],
] as const;

it.each(PAGES)(
  "%s asks for its first data before it loads what it does without until then",
  async (path, data, scripts) => {
    const { page } = await dashboard.visit();
    const files = requestsOf(page, isScript);
    const release = await holdRequests(page, "**/api/trpc/**");
    const asked = page.waitForRequest(data);
    await page.goto(path, { waitUntil: "commit" });
    await asked;
    await page.getByRole("heading", { level: 1 }).waitFor();
    const before = [...files];
    expect(before.slice(scripts)).toEqual([]);
    release();
    await page.getByRole("button", { name: "Today's note" }).waitFor();
    expect(files.length).toBeGreaterThan(before.length);
  },
);

it("asks for a page's code and for the session at the same time", async () => {
  const { page } = await dashboard.visit();
  const release = await holdRequests(page, "**/api/auth/get-session");
  const asked = page.waitForRequest(/tasks-page-[^/]*\.js$/);
  await page.goto("/tasks?view=list", { waitUntil: "commit" });
  await asked;
  release();
  await page.getByRole("heading", { name: "Tasks", level: 1 }).waitFor();
});

function isScript(request: Request): boolean {
  return request.resourceType() === "script";
}

/** The paths that the page requests from now on. */
function requestsOf(page: Page, isWanted: (request: Request) => boolean): string[] {
  const paths: string[] = [];
  page.on("request", (request) => {
    if (isWanted(request)) paths.push(new URL(request.url()).pathname);
  });
  return paths;
}

describe("until the application has loaded", () => {
  const frame = (page: Page) => page.locator("#first-frame");

  it.each(Object.keys(SIZES) as Size[])(
    "a %s shows the frame and the title of the page, and nothing moves then",
    async (size) => {
      const { page } = await dashboard.visit({ size });
      await page.addInitScript(observeShifts);
      const release = await holdRequests(page, "**/assets/*.js");
      await page.goto("/tasks?view=list", { waitUntil: "commit" });
      await frame(page).getByText("Tasks", { exact: true }).waitFor();
      const before = await frame(page).locator("#first-title").boundingBox();
      release();
      const title = page.getByRole("heading", { name: "Tasks", level: 1 });
      await title.waitFor();
      expect(await frame(page).count()).toBe(0);
      const after = await title.boundingBox();
      expect([after?.x, after?.y]).toEqual([before?.x, before?.y]);
      expect(await page.evaluate(() => Reflect.get(window, "shifted") as number)).toBeLessThan(0.05);
    },
  );

  it.each([
    ["/", "Home"],
    ["/settings", "Settings"],
    ["/nothing-here", ""],
  ])("%s is titled %j", async (path, title) => {
    const { page, watch } = await dashboard.visit();
    watch.expect(/404/);
    const release = await holdRequests(page, "**/assets/*.js");
    await page.goto(path, { waitUntil: "commit" });
    await frame(page).getByText("Workspace").waitFor();
    expect(await page.locator("#first-title").textContent()).toBe(title);
    release();
    await page.getByRole("heading", { level: 1 }).waitFor();
  });

  it("a page without a frame shows none, and the sidebar is as narrow as it was left", async () => {
    const { page } = await dashboard.visit();
    await page.goto("/settings");
    await page.getByRole("button", { name: "Hide the sidebar" }).click();
    const release = await holdRequests(page, "**/assets/*.js");
    await page.goto("/forgot-password", { waitUntil: "commit" });
    await page.locator("#root").waitFor({ state: "attached" });
    expect(await frame(page).count()).toBe(0);
    await page.goto("/settings", { waitUntil: "commit" });
    await frame(page).getByText("Settings").waitFor();
    const before = await page.locator("#first-sidebar").boundingBox();
    release();
    await page.getByRole("heading", { name: "Settings", level: 1 }).waitFor();
    expect((await page.getByRole("navigation", { name: "Main" }).boundingBox())?.width).toBe(before?.width);
  });
});

/** Adds up how far what is shown has moved without the user, in the page. */
function observeShifts(): void {
  Reflect.set(window, "shifted", 0);
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      Reflect.set(window, "shifted", Number(Reflect.get(window, "shifted")) + Number(Reflect.get(entry, "value")));
  }).observe({ type: "layout-shift", buffered: true });
}
