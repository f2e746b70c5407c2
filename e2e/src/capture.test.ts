import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import type { Input } from "./api-client.ts";
import { checkThemes } from "./appearance.ts";
import { setUpDashboard } from "./dashboard.ts";
import { SIZES, type Size } from "./window.ts";

const dashboard = setUpDashboard();

interface StoredTask {
  readonly title: string;
  readonly status: string;
  readonly dueDate: string | null;
  readonly dueTime: string | null;
  readonly tags: readonly string[];
  readonly priority: number;
  readonly project: { readonly name: string } | null;
}

beforeAll(async () => {
  await dashboard.api.mutateAll("projects.create", [{ name: "Garden", color: "#36a869" }] satisfies Input[]);
});

/** The task with this title, as the server has it. */
async function stored(page: Page, title: string): Promise<StoredTask | undefined> {
  const response = await page.request.get(`/api/tasks?search=${encodeURIComponent(title)}`);
  const { data } = (await response.json()) as { data: StoredTask[] };
  return data.find((task) => task.title === title);
}

/** The date in this many days, by the browser's clock. */
function dateIn(page: Page, days: number): Promise<string> {
  return page.evaluate((distance) => {
    const date = new Date();
    date.setDate(date.getDate() + distance);
    return new Intl.DateTimeFormat("en-CA").format(date);
  }, days);
}

const chip = (page: Page, name: RegExp) => page.getByRole("button", { name });

describe("with the keyboard alone", () => {
  it("a task is captured, corrected and done", async () => {
    const { page } = await dashboard.visit();
    await page.goto("/tasks?view=list");
    await page.getByRole("textbox", { name: "New task" }).waitFor();
    await page.keyboard.press("c");
    await page.keyboard.type("Call dentist tomorrow 9am #health !high @Garden");
    await chip(page, /^Due date: Tomorrow 9:00/).waitFor();
    await chip(page, /^Tag: health/).waitFor();
    await chip(page, /^Priority: High/).waitFor();
    await chip(page, /^Project: Garden/).waitFor();
    expect(await checkThemes(page, "capture")).toEqual([]);

    // What was refused is forgotten with its words.
    await page.keyboard.press("Control+.");
    await chip(page, /^Project: Garden/).waitFor({ state: "detached" });
    await page.getByRole("textbox", { name: "New task" }).fill("");
    await page.keyboard.type("Call dentist tomorrow 9am #health !high @Garden");
    await chip(page, /^Project: Garden/).waitFor();

    // The last part is left in the title, then the one before.
    await page.keyboard.press("Control+.");
    await chip(page, /^Project: Garden/).waitFor({ state: "detached" });
    await page.keyboard.press("Control+.");
    await chip(page, /^Priority: High/).waitFor({ state: "detached" });
    await page.keyboard.press("Enter");
    const title = "Call dentist !high @Garden";
    const row = page.getByRole("row", { name: new RegExp(title) });
    await row.getByText("Tomorrow 9:00").waitFor();
    await expect
      .poll(() => stored(page, title))
      .toMatchObject({
        dueDate: await dateIn(page, 1),
        dueTime: "09:00",
        tags: ["health"],
        priority: 2,
        project: null,
      });

    await page.keyboard.press("Escape");
    await page.keyboard.press("j");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("button", { name: /^Done 1/ }).waitFor();
    await expect.poll(() => stored(page, title)).toMatchObject({ status: "done", dueTime: "09:00" });
  });

  it("the palette creates a task as it is understood, or as it is typed", async () => {
    const { page } = await dashboard.visit();
    await page.goto("/tasks?view=list");
    await page.getByRole("textbox", { name: "New task" }).waitFor();
    const asTyped = "Steuer abgeben übermorgen um 18 Uhr !hoch @garden";
    const typeInPalette = async () => {
      await page.keyboard.press("Control+k");
      await page
        .getByPlaceholder(/^Search everything/)
        .and(page.locator(":focus"))
        .waitFor();
      await page.keyboard.type(asTyped);
      await page.getByText(/^(Nothing else was found\.|With some of the words)$/).waitFor();
      await page.getByRole("option", { name: /“Steuer abgeben”/, selected: true }).waitFor();
    };
    await typeInPalette();
    expect(await checkThemes(page, "capture-palette")).toEqual([]);
    await page.keyboard.press("Enter");
    await typeInPalette();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect
      .poll(() => stored(page, "Steuer abgeben"))
      .toMatchObject({
        dueDate: await dateIn(page, 2),
        dueTime: "18:00",
        priority: 3,
        project: { name: "Garden" },
      });
    await expect.poll(() => stored(page, asTyped)).toMatchObject({ dueDate: null, dueTime: null, priority: 2 });
  });

  it("the due date is picked in words, and a time alone is one on that day", async () => {
    const { page } = await dashboard.visit();
    await page.goto("/tasks?view=list");
    await page.getByRole("textbox", { name: "New task" }).waitFor();
    await page.keyboard.press("c");
    await page.keyboard.type("Prune the roses");
    await page.keyboard.press("Enter");
    await page.getByRole("row", { name: /Prune the roses/ }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("j");
    await page.keyboard.press("d");
    await page.getByRole("textbox", { name: "Due date in words" }).waitFor();
    await page.keyboard.type("nonsense");
    await page.getByText("Not a date that can be read.").waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("textbox", { name: "Due date in words" }).fill("in 3 days");
    expect(await checkThemes(page, "capture-due-picker")).toEqual([]);
    await page.keyboard.press("Enter");
    const dueDate = await dateIn(page, 3);
    await expect.poll(() => stored(page, "Prune the roses")).toMatchObject({ dueDate, dueTime: null });

    await page.keyboard.press("d");
    await page.getByRole("textbox", { name: "Due date in words" }).fill("5pm");
    await page.keyboard.press("Enter");
    await expect.poll(() => stored(page, "Prune the roses")).toMatchObject({ dueDate, dueTime: "17:00" });
    await page
      .getByRole("row", { name: /Prune the roses/ })
      .getByText(/17:00$/)
      .waitFor();
  });
});

it.each(Object.keys(SIZES) as Size[])(
  "the dialog shows what it understood, and creates the project on a %s",
  async (size) => {
    const { page } = await dashboard.visit({ size });
    const name = `Balcony-${size}`;
    await page.goto("/");
    await page.getByRole("button", { name: "New task" }).first().click();
    const dialog = page.getByRole("dialog", { name: "New task" });
    await dialog.getByRole("textbox", { name: "Title" }).fill(`Order soil friday 3pm #shopping !low @${name}`);
    await dialog.getByRole("button", { name: /^Due date: .*15:00/ }).waitFor();
    expect(await checkThemes(page, `capture-dialog-${size}`)).toEqual([]);
    await dialog.getByRole("button", { name: `Create project “${name}”` }).click();
    await dialog.getByRole("button", { name: `Project: ${name}` }).waitFor();
    await dialog.getByRole("button", { name: /^Priority: Low/ }).click();
    await dialog.getByRole("button", { name: "Create task" }).click();
    const title = `Order soil !low`;
    await expect
      .poll(() => stored(page, title))
      .toMatchObject({ dueTime: "15:00", tags: ["shopping"], project: { name } });

    await page.goto("/tasks?view=list");
    await page
      .getByRole("row", { name: new RegExp(title) })
      .first()
      .waitFor();
    const field = page.getByRole("textbox", { name: "New task" });
    await field.fill("Water tomatoes tomorrow evening #balcony !high @Garden");
    await chip(page, /^Due date: Tomorrow 19:00/).waitFor();
    expect(await checkThemes(page, `capture-quick-add-${size}`)).toEqual([]);
    await page
      .getByRole("row", { name: new RegExp(title) })
      .first()
      .click();
    await page.getByText(/15:00/).first().waitFor();
    expect(await checkThemes(page, `capture-panel-${size}`)).toEqual([]);
    await page.goto("/tasks?view=board");
    await page
      .getByRole("article", { name: new RegExp(title) })
      .first()
      .waitFor();
    expect(await checkThemes(page, `capture-board-${size}`)).toEqual([]);
  },
);
