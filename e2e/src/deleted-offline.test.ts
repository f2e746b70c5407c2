import type { Page } from "playwright-core";
import { beforeEach, expect, it } from "vitest";
import { setUpDashboard } from "./dashboard.ts";
import { comeBack, isSent, keptTexts, leave, waiting } from "./kept-in-browser.ts";
import type { Visitor } from "./visitor.ts";

const dashboard = setUpDashboard();
let visitor: Visitor;
let page: Page;
let ids: readonly string[];

beforeEach(async () => {
  visitor = await dashboard.visit({ loadsAhead: true });
  ({ page } = visitor);
  visitor.watch.expect(
    /ERR_INTERNET_DISCONNECTED|ERR_FAILED|ERR_CONNECTION|RequestError|fetching the script|40[049]|412/,
  );
  for (const { path } of await visitor.vault.documents()) await visitor.vault.delete(path);
  ids = [await visitor.vault.write("Plan.md", "Pack.\n"), await visitor.vault.write("Route.md", "Go.\n")].toSorted();
});

it("what was deleted while the server is away is listed, across a reload, and restored whatever others have changed", async () => {
  const [task] = await dashboard.api.mutateAll<{ id: string }>("tasks.create", [{ title: "Buy a map" }]);
  await dashboard.api.mutateAll("projects.create", [{ name: "Boat", color: "#3b82f6" }]);
  await page.goto("/documents");
  await expect.poll(() => keptTexts(page), { timeout: 30_000 }).toEqual(ids);
  await leave(visitor);
  for (const name of ["Plan", "Route"]) {
    await page.getByRole("treeitem", { name: new RegExp(`^${name}`) }).click({ button: "right" });
    await page.getByRole("menuitem", { name: "Delete" }).click();
  }
  await page.goto("/tasks?view=list");
  await page.getByText("Buy a map").first().click({ button: "right" });
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("link", { name: "Boat" }).first().click();
  await page.getByRole("button", { name: "Actions for this project" }).click();
  await page.getByRole("menuitem", { name: "Delete project" }).click();
  await waiting(page, 4);
  await page.goto("/deleted");
  await page.getByText("This is what is known in this browser.").waitFor();
  await page.reload();
  await page.getByRole("button", { name: "Restore Route" }).waitFor();
  expect(await page.getByRole("button", { name: /^Restore / }).count()).toBe(4);
  for (const name of ["Plan", "Buy a map", "Boat"]) {
    await page.getByRole("button", { name: `Restore ${name}` }).click();
    await page.getByRole("button", { name: `Restore ${name}` }).waitFor({ state: "detached" });
  }
  await dashboard.api.mutateAll("tasks.update", [{ id: task?.id, title: "Buy two maps" }]);
  await visitor.vault.write("Plan.md", "Pack, too.\n");
  await comeBack(visitor);
  expect(await page.getByRole("alert").count()).toBe(0);
  expect((await visitor.vault.documents()).map(({ path }) => path)).toEqual(["Plan.md"]);
  await page.goto("/tasks?view=list");
  await page.getByText("Buy two maps").first().waitFor();
  await page.getByRole("link", { name: "Boat" }).first().waitFor();
});

it("what was changed of a note that has been deleted elsewhere is not tried again until the note is restored", async () => {
  const id = await visitor.vault.write("Plan.md", "Pack.\n");
  await page.goto("/documents");
  await expect.poll(() => keptTexts(page), { timeout: 30_000 }).toEqual(ids);
  await leave(visitor);
  await page.getByRole("treeitem", { name: /^Plan/ }).click({ button: "right" });
  await page.getByRole("menuitem", { name: "Rename" }).click();
  await page.getByRole("textbox", { name: "New name for Plan.md" }).fill("Voyage");
  await page.keyboard.press("Enter");
  await waiting(page, 1);
  await visitor.vault.delete("Plan.md");
  await visitor.context.setOffline(false);
  const problem = page.getByRole("alert").filter({ hasText: "“Voyage” could not be renamed." });
  await problem.getByText("It has been deleted elsewhere.").waitFor();
  await expect.poll(() => problem.getByRole("button").allInnerTexts()).toEqual(["Discard"]);
  await dashboard.api.mutateAll("documents.restore", [{ id }]);
  await problem.getByRole("button", { name: "Try again" }).click();
  await isSent(page);
  await expect.poll(() => visitor.vault.exists("Voyage.md")).toBe(true);
});
