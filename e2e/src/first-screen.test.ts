import type { Page, Request } from "playwright-core";
import { expect, it } from "vitest";
import { setUpDashboard } from "./dashboard.ts";
import { holdRequests } from "./held-requests.ts";

const dashboard = setUpDashboard();

/**
 * The first data of each page, and how many scripts it loads before: the theme, the entry, the framework, what all pages need, what this
 * one needs, and the copy in the browser. Of the tasks also the quick add with all that it needs, as a key pressed before would be lost.
 */
const PAGES = [
  ["/", /home\.news/, 11],
  ["/tasks?view=list", /tasks\.list/, 25],
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
