import { expect, it } from "vitest";
import { checkThemes } from "./appearance.ts";
import { setUpDashboard } from "./dashboard.ts";
import { leave } from "./kept-in-browser.ts";
import { createManyTasks, createSomeData } from "./sample-data.ts";

const dashboard = setUpDashboard();

it("filters by an expression, groups, and saves both as a view, which other pages show at once", async () => {
  const { projectIds } = await createSomeData(dashboard.api);
  await createManyTasks(dashboard.api, 300, [...projectIds.values()]);
  const { page } = await dashboard.visit();
  const { page: other } = await dashboard.visit();
  await other.goto("/views");
  await page.goto("/tasks?view=list");
  await page.locator("[data-task-id]").first().waitFor();

  await page.getByRole("button", { name: "Add filter" }).waitFor();
  await page.keyboard.press("f");
  const field = page.getByRole("textbox", { name: "Filter expression" });
  await field.fill("status:open and (priority:high or due:overdue");
  await page.getByText("a parenthesis is not closed").waitFor();
  await field.fill("status:open and (priority:high or due:overdue)");
  await field.press("Enter");
  await page.getByText("priority:high or due:overdue").waitFor();
  await page.getByRole("button", { name: "Group", exact: true }).click();
  await page.getByRole("menuitemcheckbox", { name: "Priority" }).click();
  await page.getByRole("button", { name: /^High \d/ }).waitFor();
  const counted = await page.getByRole("button", { name: /^High \d/ }).textContent();
  const groups = await dashboard.api.query<{ key: string; count: number }[]>("tasks.groups", {
    by: "priority",
    filter: "status:open and (priority:high or due:overdue)",
  });
  expect(counted).toBe(`High${groups.find(({ key }) => key === "3")?.count}`);

  await page.getByRole("button", { name: "Save as view" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Urgent");
  await page.getByRole("button", { name: "Save view" }).click();
  await page.waitForURL(/\/views\//);
  await page.getByRole("heading", { name: "Urgent" }).waitFor();
  await page.getByRole("button", { name: /^High \d/ }).waitFor();
  await other.getByRole("list", { name: "Views" }).getByRole("link", { name: "Urgent" }).click();
  await other.getByRole("button", { name: /^High \d/ }).waitFor();

  await page.getByRole("button", { name: "Actions for this view" }).click();
  await page.getByRole("menuitem", { name: "Delete view" }).click();
  await other.getByText("There is no such view").waitFor();
  await page.keyboard.press("Control+z");
  await other.getByRole("button", { name: /^High \d/ }).waitFor();
});

it("remembers the order of the tasks for the next visit, except that of a link", async () => {
  const { page } = await dashboard.visit();
  const choose = async (from: string, to: string) => {
    await page.getByRole("button", { name: `Order: ${from}` }).click();
    await page.getByRole("menuitemcheckbox", { name: to }).click();
    await page.getByRole("button", { name: `Order: ${to}` }).waitFor();
  };
  await page.goto("/tasks?view=list");
  await choose("Newest first", "Manual");
  await page.getByRole("link", { name: "Home", exact: true }).click();
  await page.getByRole("heading", { name: "Home" }).waitFor();
  await page
    .getByRole("link", { name: /^Tasks/ })
    .first()
    .click();
  await page.getByRole("button", { name: "Order: Manual" }).waitFor();
  await page.goto("/tasks?sort=title");
  await page.getByRole("button", { name: "Order: Title" }).waitFor();
  await page.goto("/tasks");
  await choose("Manual", "Newest first");
  await page.goto("/tasks");
  await page.getByRole("button", { name: "Order: Newest first" }).waitFor();
});

it("says that views cannot be changed without the server, and shows them", async () => {
  const { page, context, watch } = await dashboard.visit({ loadsAhead: true });
  watch.expect(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|RequestError|fetching the script/);
  await page.goto("/views");
  const actions = page.getByRole("button", { name: "Actions for Urgent" });
  await actions.waitFor();
  await leave({ page, context });
  await page.getByText("Views can be renamed, copied, ordered and deleted once the server responds.").waitFor();
  expect(await actions.isDisabled()).toBe(true);
  expect(await checkThemes(page, "views-offline")).toEqual([]);
  await page.getByRole("list", { name: "Views" }).getByRole("link", { name: "Urgent" }).click();
  await page.getByRole("heading", { name: "Urgent" }).waitFor();
  await page.goBack();
  await context.setOffline(false);
  await expect.poll(() => actions.isEnabled()).toBe(true);
});

it.each(["calendar", "upcoming", "ready"])("shows the %s in both themes and sizes", async (view) => {
  for (const size of ["desktop", "phone"] as const) {
    const { page } = await dashboard.visit({ size });
    await page.goto(`/tasks?view=${view}`);
    await page.locator("[data-task-id]").first().waitFor();
    expect(await checkThemes(page, `tasks-${view}-${size}`)).toEqual([]);
  }
});

it("moves tasks by keyboard and by dragging, and adds one on a day", async () => {
  const { page } = await dashboard.visit();
  await page.goto("/tasks?view=calendar");
  const cells = page.getByRole("gridcell").filter({ has: page.locator("[data-task-id]") });
  const [from, to] = [cells.first(), cells.nth(1)];
  const task = from.locator("[data-task-id]").first();
  const id = await task.getAttribute("data-task-id");
  await task.dragTo(to, { targetPosition: { x: 60, y: 12 } });
  await to.locator(`[data-task-id="${id}"]`).or(to.getByText(/more/)).first().waitFor();
  await page.keyboard.press("4");
  await page.locator("[data-task-id]").first().click();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Shift+W");
  await page.getByRole("button", { name: /^Overdue \d/ }).click();
  await page.getByRole("button", { name: /^Add a task: Tomorrow/ }).click();
  await page.getByRole("textbox", { name: "New task" }).fill("Water the roses");
  await page.keyboard.press("Enter");
  const find = () => dashboard.api.query<{ dueDate: string }[]>("tasks.list", { search: "roses" });
  await expect
    .poll(async () => (await find()).map(({ dueDate }) => dueDate))
    .toEqual([expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/)]);
});

it("a task that is added to a group gets its values, and the next one does not", async () => {
  const { page } = await dashboard.visit();
  await dashboard.api.mutateAll("tasks.create", [{ title: "In the group already", priority: 3 }]);
  await page.goto("/tasks?view=list&group=priority");
  await page.getByRole("button", { name: "Add a task: High" }).click();
  const field = page.getByRole("textbox", { name: "New task" });
  await field.fill("Added to high");
  await field.press("Enter");
  await page.getByRole("row", { name: /Added to high/ }).waitFor();
  await field.press("Escape");
  // Quick add is left a moment after the focus.
  await page.getByRole("button", { name: "Create task" }).waitFor({ state: "detached" });
  await field.fill("Added to none");
  await field.press("Enter");
  const priorityOf = async (title: string) => {
    const tasks = await dashboard.api.query<{ title: string; priority: number }[]>("tasks.list", {});
    return tasks.find((task) => task.title === title)?.priority;
  };
  await expect.poll(() => priorityOf("Added to high")).toBe(3);
  await expect.poll(() => priorityOf("Added to none")).toBe(2);
});
