import type { Page } from "playwright-core";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { setUpDashboard } from "./dashboard.ts";
import type { Visitor } from "./visitor.ts";

const dashboard = setUpDashboard();
let visitor: Visitor;
let page: Page;

beforeAll(async () => {
  await dashboard.api.mutateAll("tasks.create", [{ title: "Water the plants" }]);
});

beforeEach(async () => {
  // Only pages that load all of their code ahead have the browser keep it.
  visitor = await dashboard.visit({ loadsAhead: true });
  ({ page } = visitor);
  visitor.watch.expect(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|RequestError/);
});

describe("the files of the dashboard", () => {
  it("are kept by the browser, so that a page opens while the server is away", async () => {
    await page.goto("/tasks?view=list");
    await filesAreKept();
    await visitor.context.setOffline(true);
    await page.reload();
    await page.getByRole("heading", { name: "Tasks", level: 1 }).waitFor();
    await page.getByRole("link", { name: "Usage" }).click();
    await page.getByRole("heading", { name: "Usage", level: 1 }).waitFor();
  });

  it("are those of the server as long as it responds, and what is not the dashboard is never taken for it", async () => {
    await page.goto("/tasks?view=list");
    await filesAreKept();
    const sent = page.waitForResponse(
      (response) => response.url().includes("/tasks") && response.request().isNavigationRequest(),
    );
    await page.reload();
    expect((await sent).headers()["content-security-policy"]).toContain("default-src 'self'");
    await page.goto("/api/health");
    expect(await page.textContent("body")).toContain("ok");
    await visitor.context.setOffline(true);
    await page.goto("/docs");
    await page.getByRole("heading", { name: "Workspace cannot be reached" }).waitFor();
  });
});

/** Waits until the browser has all files that the pages need. */
async function filesAreKept(): Promise<void> {
  const isKept = () => page.evaluate(async () => (await caches.match("/offline-files.json")) !== undefined);
  await expect.poll(isKept, { timeout: 60_000 }).toBe(true);
}
