import { expect, it } from "vitest";
import { setUpDashboard } from "./dashboard.ts";

const dashboard = setUpDashboard();
const ARABIC = "اتصل بالطبيب لتحديد موعد قبل نهاية الأسبوع القادم إن أمكن ذلك صباحا";
const LONG_ITEM = "Check whether the redirects of the old pages work, ".repeat(6).trim();

it("titles from right to left lose their end, not their beginning, where there is no room", async () => {
  const { page } = await dashboard.visit();
  const today = new Date().toISOString().slice(0, 10);
  await dashboard.api.mutateAll("tasks.create", [{ title: ARABIC, dueDate: today }]);
  for (const view of ["list", "calendar", "board"]) {
    await page.goto(`/tasks?view=${view}`);
    const title = page.locator("[data-task-id]").getByText(ARABIC).first();
    await title.waitFor();
    expect(await title.evaluate((element) => getComputedStyle(element).direction)).toBe("rtl");
  }
  await page.goto("/tasks?view=list");
  await page.locator("[data-task-id]").first().waitFor();
  const field = page.getByRole("textbox", { name: "New task" });
  await field.fill(ARABIC);
  // Another field takes the place of this one once its code is loaded.
  await expect.poll(() => field.evaluate((element) => getComputedStyle(element).direction)).toBe("rtl");
});

it("the whole of a long item of a checklist is shown, and edited on one line", async () => {
  const { page } = await dashboard.visit();
  await dashboard.api.mutateAll("tasks.create", [{ title: "Launch the site" }]);
  const [task] = await dashboard.api.query<{ id: string }[]>("tasks.list", { search: "Launch the site" });
  const id = task?.id ?? "";
  await dashboard.api.mutateAll("tasks.changeChecklist", [{ id, add: [LONG_ITEM] }]);
  await page.goto(`/tasks?view=list&task=${id}`);
  const item = page.getByRole("textbox", { name: /^Item: Check whether/ });
  await item.waitFor();
  const hidden = () =>
    item.evaluate(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
      Math.max(scrollWidth - clientWidth, scrollHeight - clientHeight),
    );
  await expect.poll(hidden).toBeLessThanOrEqual(1);
  await item.press("End");
  await item.fill("Check them\nall");
  await item.press("Enter");
  const items = async () => {
    const found = await dashboard.api.query<{ text: string }[]>("tasks.checklist", { id });
    return found.map(({ text }) => text);
  };
  await expect.poll(items).toEqual(["Check them all"]);
});

it("a project with a long name does not push a choice of projects out of its dialog", async () => {
  const { page } = await dashboard.visit({ size: "phone" });
  const name = "Research data management at the university, application for 2027 and later";
  await dashboard.api.mutateAll("projects.create", [{ name, color: "#0e8a8a" }]);
  await page.goto("/tasks?view=list");
  await page.locator("[data-task-id]").first().waitFor();
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByRole("dialog").waitFor();
  await page.keyboard.type("import tasks");
  await page.getByRole("option", { name: /Import tasks/ }).click();
  const dialog = page.getByRole("dialog", { name: "Import tasks" });
  await dialog.getByLabel("Project").waitFor();
  const overlap = () =>
    dialog.evaluate((element) => {
      const right = element.getBoundingClientRect().right;
      return Math.max(
        ...[...element.querySelectorAll("select")].map((field) => field.getBoundingClientRect().right - right),
      );
    });
  expect(await overlap()).toBeLessThan(0);
});
