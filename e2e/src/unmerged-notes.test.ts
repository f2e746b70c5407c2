import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { checkThemes } from "./appearance.ts";
import { setUpDashboard } from "./dashboard.ts";
import { keptIn, leave } from "./kept-in-browser.ts";

const dashboard = setUpDashboard();

it("a note whose line somebody else has changed, too, is said to be unsaved on each page, and merged", async () => {
  const visitor = await dashboard.visit({ loadsAhead: true });
  const { page, vault } = visitor;
  visitor.watch.expect(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|RequestError|fetching the script|40[049]|412/);
  const planId = await vault.write("Plan.md", "Pack the tent.\n");
  await vault.write("Linking.md", "See [[Plan]].\n");
  await page.goto(`/documents?doc=${planId}`);
  await page.locator(".cm-content").getByText("Pack").waitFor();
  await expect.poll(() => keptIn(page, "workspace-copy", "answers", `["documents","one","${planId}"]`)).toBe(1);
  await leave(visitor);
  const file = (tab: Page) => tab.getByRole("treeitem", { name: /^Linking/ });
  const other = await visitor.context.newPage();
  await other.goto("/documents");
  await file(other).click();
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("End");
  await page.keyboard.type(" Mine");
  await page.getByText("Saved on this device").waitFor();
  await file(page).click();
  await vault.write("Plan.md", "Pack the tent. Theirs\n");
  await visitor.context.setOffline(false);
  const listed = (tab: Page) =>
    tab.getByRole("region", { name: "Unsaved drafts" }).getByRole("button", { name: "Plan" });
  for (const tab of [page, other]) await listed(tab).waitFor();
  expect(await page.getByRole("alert").count()).toBe(0);
  const notice = page.getByRole("alert").filter({ hasText: "What you wrote in “Plan” is not saved." });
  for (const name of ["Projects", "Home"]) {
    await page.getByRole("link", { name, exact: true }).first().click();
    await notice.waitFor();
  }
  expect(await checkThemes(page, "unmerged-text")).toEqual([]);
  await notice.getByRole("button", { name: "Merge" }).click();
  const merge = page.getByRole("region", { name: "Merge two versions" });
  await merge.getByRole("group", { name: "Difference 1" }).getByLabel("Both").check();
  await merge.getByRole("button", { name: "Save the result" }).click();
  await expect.poll(async () => (await vault.read("Plan.md")).content).toMatch(/Mine[^]*Theirs|Theirs[^]*Mine/);
  await page.getByRole("link", { name: "Projects", exact: true }).first().click();
  await page.getByRole("heading", { name: "Projects", level: 1 }).waitFor();
  expect(await notice.count()).toBe(0);
  await listed(other).waitFor({ state: "detached" });
});
