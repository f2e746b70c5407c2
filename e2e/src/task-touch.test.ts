import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { setUpDashboard } from "./dashboard.ts";
import { centerOf, holdAndCarry, press } from "./gestures.ts";

const dashboard = setUpDashboard();

interface StoredTask {
  readonly id: string;
  readonly title: string;
  readonly parentId: string | null;
  readonly position: string;
}

const TITLES = ["Melon dig", "Melon fill", "Melon water"];

/** The tasks that the server has, in their manual order. */
async function stored(): Promise<StoredTask[]> {
  const tasks = await dashboard.api.query<StoredTask[]>("tasks.list", {});
  return tasks.toSorted((a, b) => (a.position < b.position ? -1 : 1));
}

const titles = async () => (await stored()).map(({ title }) => title);
const rowOf = (page: Page, title: string) => page.locator("#page [data-task-id]").filter({ hasText: title });

it("rows are held and carried to another place by touch, or below another task, and only held to be selected", async () => {
  for (const title of TITLES) await dashboard.api.mutateAll("tasks.create", [{ title }]);
  const { page } = await dashboard.visit({ size: "phone" });
  await page.goto("/tasks?view=list&sort=manual&q=Melon");
  await rowOf(page, "Melon water").waitFor();
  await page.waitForLoadState("networkidle");

  const top = await centerOf(rowOf(page, "Melon dig"));
  await holdAndCarry(page, rowOf(page, "Melon water"), { y: top.y - 30 });
  await expect.poll(titles).toEqual(["Melon water", "Melon dig", "Melon fill"]);
  expect(await page.getByText("1 selected").count()).toBe(0);

  const fill = await centerOf(rowOf(page, "Melon fill"));
  await holdAndCarry(page, rowOf(page, "Melon fill"), { y: fill.y + 12, dx: 60 });
  await expect
    .poll(async () => {
      const tasks = await stored();
      const dig = tasks.find(({ title }) => title === "Melon dig")?.id;
      return tasks.filter(({ parentId }) => parentId === dig).map(({ title }) => title);
    })
    .toEqual(["Melon fill"]);

  await press(page, rowOf(page, "Melon dig"), 700);
  await page.getByText("1 selected").waitFor();
});

it("holding the grip of a row selects nothing", async () => {
  const { page } = await dashboard.visit({ size: "phone" });
  await page.goto("/tasks?view=list&sort=manual&q=Melon");
  const grip = rowOf(page, "Melon water").locator("[data-grip]");
  await grip.waitFor();
  // The code that holds it loads after the first screen.
  await page.waitForLoadState("networkidle");
  await press(page, grip, 700);
  await rowOf(page, "Melon water").waitFor();
  expect(await page.getByText("1 selected").count()).toBe(0);
});
