import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { checkThemes } from "./appearance.ts";
import { setUpDashboard } from "./dashboard.ts";

const dashboard = setUpDashboard();

interface StoredTask {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly dueDate: string | null;
  readonly repeat: string | null;
}

/** The tasks with this title, as the server has them, newest first. */
async function stored(page: Page, title: string): Promise<StoredTask[]> {
  const response = await page.request.get(`/api/tasks?search=${encodeURIComponent(title)}`);
  return ((await response.json()) as { data: StoredTask[] }).data;
}

it("a task that repeats is captured, done, brought back and skipped with the keyboard", async () => {
  const { page } = await dashboard.visit();
  // Of an attempt that failed.
  for (const { id } of await stored(page, "Water the plants")) await page.request.delete(`/api/tasks/${id}`);
  await page.goto("/tasks?view=list");
  await page.getByRole("textbox", { name: "New task" }).waitFor();
  await page.keyboard.press("c");
  await page.keyboard.type("Water the plants every 2 weeks");
  await page.getByRole("button", { name: /^Repeats: every 2 weeks/ }).waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  const rows = page.getByRole("row", { name: /Water the plants/ });
  await rows.getByText("Today").waitFor();
  const [first] = await stored(page, "Water the plants");
  expect(first).toMatchObject({ repeat: "FREQ=WEEKLY;INTERVAL=2" });

  // Done: another page shows the next one as well, and it is taken back with an undo.
  const other = await dashboard.visit();
  await other.page.goto("/tasks?view=list&status=todo");
  await rows.first().focus();
  await page.keyboard.press("Control+Enter");
  await expect.poll(async () => (await stored(page, "Water the plants")).length).toBe(2);
  const nextRow = other.page.getByRole("row", { name: /Water the plants/ });
  await expect.poll(async () => [await nextRow.count(), await nextRow.getByText("Today").count()]).toEqual([1, 0]);
  await page.keyboard.press("Control+z");
  await expect.poll(async () => (await stored(page, "Water the plants")).map(({ id }) => id)).toEqual([first?.id]);
  await nextRow.getByText("Today").waitFor();
  await expect.poll(() => rows.count()).toBe(1);

  // The rule is changed in words, in German too, and the date is skipped.
  await rows.first().focus();
  await page.keyboard.press("r");
  await page.getByPlaceholder("Every 2 weeks, jeden Montag").waitFor();
  await page.keyboard.type("jeden Tag");
  await page.getByRole("option", { name: "Every day" }).waitFor();
  expect(await checkThemes(page, "repeat-picker")).toEqual([]);
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await stored(page, "Water the plants"))[0]?.repeat).toBe("FREQ=DAILY");
  await page.keyboard.press("r");
  await page.getByRole("option", { name: "Skip to the next date" }).click();
  await rows.getByText("Tomorrow").waitFor();

  await rows.first().focus();
  await page.keyboard.press("Enter");
  const panel = page.getByRole("complementary").filter({ hasText: "Repeats" });
  await panel.getByRole("button", { name: "Every day" }).waitFor();
  expect(await checkThemes(page, "task-that-repeats")).toEqual([]);
});

it("a snoozed task is out of sight, in a place of its own, and comes back by itself", async () => {
  const { page } = await dashboard.visit();
  await dashboard.api.mutateAll("tasks.create", [{ title: "Answer the letter" }, { title: "Read the paper" }]);
  await page.goto("/tasks?view=list");
  const row = page.getByRole("row", { name: /Answer the letter/ });
  await row.waitFor();
  await row.focus();
  await page.keyboard.press("z");
  await page.getByRole("option", { name: /^Tomorrow/ }).click();
  await row.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Snoozed 1" }).click();
  await row.getByText("Tomorrow 9:00").waitFor();
  expect(await page.getByRole("row", { name: /Read the paper/ }).count()).toBe(0);
  expect(await checkThemes(page, "snoozed-tasks")).toEqual([]);

  const [task] = await stored(page, "Answer the letter");
  const soon = new Date(Date.now() + 3_000).toISOString();
  await dashboard.api.mutateAll("tasks.update", [{ id: task?.id ?? "", snoozedUntil: soon }]);
  await page.getByRole("button", { name: "Snoozed 1" }).click();
  await page.getByRole("row", { name: /Read the paper/ }).waitFor();
  await row.getByText("Back").waitFor();
});

it("the fields of a task fit on a phone", async () => {
  const { page } = await dashboard.visit({ size: "phone" });
  const [task] = await dashboard.api.mutateAll<StoredTask>("tasks.create", [
    { title: "Pay the rent", dueDate: "2030-01-31", repeat: "FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1" },
  ]);
  await page.goto(`/tasks?view=list&task=${task?.id ?? ""}`);
  await page.getByRole("button", { name: "Every month on the 31st or the last day" }).waitFor();
  expect(await checkThemes(page, "task-that-repeats-phone")).toEqual([]);
});

it("a reminder appears on every page of its person until it is seen on one", async () => {
  const { page } = await dashboard.visit();
  const { page: other } = await dashboard.visit();
  const [task] = await dashboard.api.mutateAll<StoredTask>("tasks.create", [
    { title: "Call the doctor", dueDate: "2030-01-31", dueTime: "09:00" },
  ]);
  await page.goto(`/tasks?view=list&task=${task?.id ?? ""}`);
  await other.goto("/");
  await page.getByRole("button", { name: "Remind me" }).click();
  await page.getByRole("option", { name: "1 hour before" }).click();
  await page.getByText("1 hour before · 31 Jan 2030 8:00").waitFor();
  expect(await checkThemes(page, "task-with-reminder")).toEqual([]);
  const at = new Date(Date.now() + 1_000).toISOString();
  await dashboard.api.mutateAll("tasks.remind", [{ id: task?.id ?? "", at }]);
  const toastOn = (shown: Page) => shown.getByRole("status").filter({ hasText: "Call the doctor" });
  for (const shown of [page, other]) await toastOn(shown).waitFor({ timeout: 20_000 });
  expect(await checkThemes(other, "reminder")).toEqual([]);
  await toastOn(other).getByRole("button", { name: "Open" }).click();
  await toastOn(page).waitFor({ state: "detached" });
  await other.getByRole("button", { name: "Remind me" }).waitFor();
  await page.reload();
  await page.getByRole("row", { name: /Call the doctor/ }).waitFor();
  expect(await toastOn(page).count()).toBe(0);
});

it("a reminder leaves the buttons of a dialog free on a phone, and is dismissed without closing it", async () => {
  const { page } = await dashboard.visit({ size: "phone" });
  const [task] = await dashboard.api.mutateAll<StoredTask>("tasks.create", [{ title: "Take the cake out" }]);
  await page.goto("/projects");
  // What is added to the page below an open dialog is hidden from screen readers.
  await page.getByRole("region", { name: /^Notifications/ }).waitFor({ state: "attached" });
  await page.getByRole("button", { name: "New project" }).first().click();
  const dialog = page.getByRole("dialog", { name: "New project" });
  await dialog.getByLabel("Name").fill("Kitchen");
  const at = new Date(Date.now() + 1_000).toISOString();
  await dashboard.api.mutateAll("tasks.remind", [{ id: task?.id ?? "", at }]);
  const toast = page.getByRole("status").filter({ hasText: "Take the cake out" });
  await toast.waitFor({ timeout: 20_000 });
  const topOf = async (element: Locator) => (await element.boundingBox())?.y ?? 0;
  await expect.poll(async () => (await bottomOf(toast)) < (await topOf(dialog))).toBe(true);
  await toast.getByRole("button", { name: "Dismiss" }).click();
  await toast.waitFor({ state: "detached" });
  expect(await dialog.getByLabel("Name").inputValue()).toBe("Kitchen");
});

async function bottomOf(element: Locator): Promise<number> {
  const box = await element.boundingBox();
  return box === null ? Infinity : box.y + box.height;
}
