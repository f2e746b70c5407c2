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

it("what has its name taken by now is restored under another one, also what was restored without the server", async () => {
  const [sailsId, windsId, chartId] = await Promise.all(
    ["Sails.md", "Winds.md", "Chart.md"].map((path) => visitor.vault.write(path, `Mine in ${path}`)),
  );
  const replace = async (path: string) => {
    await visitor.vault.delete(path);
    await visitor.vault.write(path, "Theirs");
  };
  await replace("Sails.md");
  await page.goto("/deleted");
  await page.getByRole("button", { name: "Restore Sails" }).click();
  await page.getByText("Something is at this path already.").waitFor();
  await page.getByRole("button", { name: "Restore as “Sails 2”" }).click();
  await page.getByRole("button", { name: "Restore Sails" }).waitFor({ state: "detached" });
  await expect.poll(() => idOf("Sails 2.md")).toBe(sailsId);
  expect((await visitor.vault.read("Sails 2.md")).content).toBe("Mine in Sails.md");

  await replace("Winds.md");
  await page.goto(`/documents?doc=${windsId}`);
  await page.getByRole("button", { name: "Restore", exact: true }).click();
  await page.getByRole("button", { name: "Restore as “Winds 2”" }).click();
  await page.getByRole("treeitem", { name: /^Winds 2/ }).waitFor();
  await expect.poll(() => idOf("Winds 2.md")).toBe(windsId);

  await visitor.vault.delete("Chart.md");
  await page.goto("/deleted");
  await page.getByRole("button", { name: "Restore Chart" }).waitFor();
  await leave(visitor);
  await page.getByRole("button", { name: "Restore Chart" }).click();
  await waiting(page, 1);
  await visitor.vault.write("Chart.md", "Theirs");
  await visitor.context.setOffline(false);
  const problem = page.getByRole("alert").filter({ hasText: "“Chart” could not be restored." });
  await problem.getByRole("button", { name: "Restore as “Chart 2”" }).click();
  await isSent(page);
  expect(await idOf("Chart 2.md")).toBe(chartId);
  expect((await visitor.vault.read("Chart.md")).content).toBe("Theirs");
});

async function idOf(path: string): Promise<string | undefined> {
  return (await visitor.vault.documents()).find((document) => document.path === path)?.id;
}
