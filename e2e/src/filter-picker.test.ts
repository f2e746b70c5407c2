import type { Page } from "playwright-core";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { checkThemes } from "./appearance.ts";
import { setUpDashboard } from "./dashboard.ts";

const DAY_MS = 86_400_000;
const dashboard = setUpDashboard();
let page: Page;

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

beforeAll(async () => {
  await dashboard.api.mutateAll("tasks.create", [
    { title: "Water the roses", dueDate: inDays(-3), priority: 3, tags: ["garden"] },
    { title: "Call Ada", dueDate: inDays(0) },
    { title: "Buy soil", dueDate: inDays(0), tags: ["garden"] },
    ...Array.from({ length: 57 }, (_, index) => ({
      title: `Task ${index}`,
      status: (["todo", "in_progress", "blocked", "done"] as const)[index % 4],
      priority: ([1, 2, 3] as const)[index % 3],
      tags: index % 5 === 0 ? ["reading", "long/term"] : [],
      ...(index % 3 > 0 && { dueDate: inDays(1 + (index % 40)) }),
    })),
  ]);
}, 120_000);

beforeEach(async () => {
  ({ page } = await dashboard.visit());
});

it("picks conditions from lists and from a month", async () => {
  await page.goto("/tasks");
  await page.getByRole("button", { name: "Add filter" }).click();
  const fields = page.getByRole("group", { name: "Add a condition" });
  const text = page.getByRole("textbox", { name: "Filter expression" });
  await fields.getByRole("button", { name: "Due" }).click();
  await page.getByRole("option", { name: "Overdue" }).click();
  await page.getByRole("option", { name: "Today", exact: true }).click();
  expect(await text.inputValue()).toBe("due:overdue,today ");
  expect(await checkThemes(page, "filter-picker")).toEqual([]);
  await fields.getByRole("button", { name: "Tag" }).click();
  await page.getByRole("option", { name: "garden" }).click();
  expect(await text.inputValue()).toBe("due:overdue,today and tag:garden ");
  await page.getByRole("button", { name: "Apply" }).click();
  await page.getByText("Call Ada").waitFor({ state: "detached" });
  await page.getByText("Water the roses").waitFor();
  await page.getByText("Buy soil").waitFor();
});

it("shows a month with dots and the list of a day on a phone, and all views there", async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/tasks?view=calendar");
  await page.getByText("Call Ada").waitFor();
  expect(await page.getByText("Water the roses").count()).toBe(0);
  expect(await page.getByRole("button", { name: /, marked$/ }).count()).toBeGreaterThan(3);
  expect(await checkThemes(page, "calendar-phone")).toEqual([]);
  for (const view of ["list", "board", "upcoming", "ready"]) {
    await page.goto(`/tasks?view=${view}`);
    await page
      .getByText(/^Task \d+$/)
      .first()
      .waitFor();
    expect(await checkThemes(page, `tasks-${view}-phone`)).toEqual([]);
  }
});

it("begins weeks with the day that is set", async () => {
  await page.goto("/tasks?view=calendar");
  const first = page.getByRole("columnheader").first();
  await first.waitFor();
  await page.goto("/settings?view=calendar");
  await page.getByLabel("Weeks begin on").selectOption("Sunday");
  expect(await checkThemes(page, "settings-calendar")).toEqual([]);
  await page.getByRole("button", { name: "Save settings" }).click();
  await page.getByText("The settings have been saved.").waitFor();
  await page.goto("/tasks?view=calendar");
  await expect.poll(() => first.innerText(), { timeout: 20_000 }).toBe("Sun");
  expect(await checkThemes(page, "calendar-desktop")).toEqual([]);
});
