import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import type { Input } from "./api-client.ts";
import { checkThemes } from "./appearance.ts";
import { setUpDashboard } from "./dashboard.ts";
import { SIZES, type Size } from "./window.ts";

const dashboard = setUpDashboard();

beforeAll(async () => {
  await dashboard.api.mutateAll("projects.create", [{ name: "Pond", color: "#36a869" }] satisfies Input[]);
});

let attempts = 0;
/** A word for the titles of one test, so that only its tasks are shown, also if it is repeated. */
const newWord = (name: string) => `${name}${(attempts += 1)}`;

/** Creates tasks one after the other, with titles that begin with a letter of the test. */
async function create(...titles: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const title of titles) {
    const [task] = await dashboard.api.mutateAll<{ id: string }>("tasks.create", [{ title }]);
    ids.push(task?.id ?? "");
  }
  return ids;
}

/** The rows of the list with their titles, those of subtasks after as many dashes as they are levels deep. */
async function outline(page: Page): Promise<string[]> {
  const rows = await page.locator("#page [data-task-id]").all();
  return Promise.all(
    rows.map(async (row) => {
      const title = (await row.locator("span.truncate").first().textContent()) ?? "";
      const padding = await row.evaluate((element) => Number.parseFloat(getComputedStyle(element).paddingLeft));
      return `${"-".repeat(Math.round(Math.max(padding - 8, 0) / 24))}${title}`;
    }),
  );
}

const shows = (page: Page, rows: string[]) => expect.poll(() => outline(page)).toEqual(rows);

describe("in the list", () => {
  it("tasks become subtasks, fold, move and come out again by keyboard alone", async () => {
    const word = newWord("kiwi");
    await create(`${word} build`, `${word} dig`, `${word} fill`);
    const { page } = await dashboard.visit();
    await page.goto(`/tasks?view=list&sort=manual&q=${word}`);
    await shows(page, [`${word} build`, `${word} dig`, `${word} fill`]);
    // The keys of the outline are loaded after the rows are shown.
    await page.waitForLoadState("networkidle");
    await page.locator("[data-task-id]").nth(1).focus();
    await page.keyboard.press("Shift+ArrowRight");
    await shows(page, [`${word} build`, `-${word} dig`, `${word} fill`]);
    await page.keyboard.press("j");
    await page.keyboard.press("Shift+ArrowRight");
    await shows(page, [`${word} build`, `-${word} dig`, `-${word} fill`]);
    await page.keyboard.press("Alt+ArrowUp");
    await shows(page, [`${word} build`, `-${word} fill`, `-${word} dig`]);
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await shows(page, [`${word} build`]);
    await page.getByRole("button", { name: `Subtasks of ${word} build: 0/2 done` }).waitFor();
    await page.reload();
    await shows(page, [`${word} build`]);
    await page.waitForLoadState("networkidle");
    await page.locator("[data-task-id]").first().focus();
    await page.keyboard.press("ArrowRight");
    await shows(page, [`${word} build`, `-${word} fill`, `-${word} dig`]);
    await page.keyboard.press("j");
    await page.keyboard.press("Shift+ArrowLeft");
    await shows(page, [`${word} build`, `-${word} dig`, `${word} fill`]);
    await page.keyboard.press("Control+z");
    await shows(page, [`${word} build`, `-${word} fill`, `-${word} dig`]);
    expect(await checkThemes(page, "task-outline")).toEqual([]);
  });

  it("completing a task completes its subtasks, and undoing reopens them", async () => {
    const word = newWord("cherry");
    const [build = ""] = await create(`${word} build`);
    for (const title of [`${word} dig`, `${word} fill`])
      await dashboard.api.mutateAll("tasks.create", [{ title, parentId: build }] satisfies Input[]);
    const { page } = await dashboard.visit();
    await page.goto(`/tasks?view=list&q=${word}`);
    await shows(page, [`${word} build`, `-${word} dig`, `-${word} fill`]);
    await page.locator("[data-task-id]").first().focus();
    await page.keyboard.press("Control+Enter");
    await page.getByText("Moved 3 tasks to Done").waitFor();
    await expect.poll(async () => (await page.getByRole("button", { name: "Status: Done" }).all()).length).toBe(3);
    await page.keyboard.press("Control+z");
    await expect.poll(async () => (await page.getByRole("button", { name: "Status: To do" }).all()).length).toBe(3);
  });

  it("a row is dragged to another place, and below another one; others see it at once", async () => {
    const word = newWord("damson");
    await create(`${word} one`, `${word} two`, `${word} three`);
    const { page } = await dashboard.visit();
    const other = await dashboard.visit();
    for (const each of [page, other.page]) {
      await each.goto(`/tasks?view=list&sort=manual&q=${word}`);
      await shows(each, [`${word} one`, `${word} two`, `${word} three`]);
    }
    const drag = async (from: string, to: string, { right = 0, isBelow = true } = {}) => {
      const row = page.locator("[data-task-id]", { hasText: from });
      await row.hover();
      const grip = await row.locator("[data-grip]").boundingBox();
      const target = await page.locator("[data-task-id]", { hasText: to }).boundingBox();
      if (grip === null || target === null) throw new Error("There is no such row.");
      await page.mouse.move(grip.x + grip.width / 2, grip.y + grip.height / 2);
      await page.mouse.down();
      await page.mouse.move(grip.x + 20, grip.y + 20);
      await page.mouse.move(grip.x + grip.width / 2 + right, target.y + (isBelow ? target.height - 4 : 4), {
        steps: 6,
      });
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      await page.mouse.up();
    };
    await drag(`${word} three`, `${word} one`, { isBelow: false });
    await shows(page, [`${word} three`, `${word} one`, `${word} two`]);
    await shows(other.page, [`${word} three`, `${word} one`, `${word} two`]);
    await drag(`${word} two`, `${word} three`, { right: 30 });
    await shows(page, [`${word} three`, `-${word} two`, `${word} one`]);
    await shows(other.page, [`${word} three`, `-${word} two`, `${word} one`]);
    await drag(`${word} two`, `${word} one`, { right: -60 });
    await shows(page, [`${word} three`, `${word} one`, `${word} two`]);
  });
});

describe("on the board", () => {
  it("a card is dragged to a place in another column", async () => {
    const word = newWord("banana");
    await create(`${word} one`, `${word} two`, `${word} three`);
    const { page } = await dashboard.visit();
    await page.goto(`/tasks?view=board&sort=manual&q=${word}`);
    const titles = (column: string) =>
      page.locator(`[data-column="${column}"] article`).evaluateAll((cards) => cards.map((card) => card.ariaLabel));
    await expect.poll(() => titles("todo")).toEqual([`${word} one`, `${word} two`, `${word} three`]);
    const dragCard = async (from: string, x: number, y: number) => {
      const box = await page.locator("article", { hasText: from }).boundingBox();
      if (box === null) throw new Error("There is no such card.");
      await page.mouse.move(box.x + 40, box.y + 12);
      await page.mouse.down();
      await page.mouse.move(x, y, { steps: 8 });
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      await page.mouse.up();
    };
    const first = await page.locator("article", { hasText: `${word} one` }).boundingBox();
    await dragCard(`${word} three`, (first?.x ?? 0) + 40, (first?.y ?? 0) + 2);
    await expect.poll(() => titles("todo")).toEqual([`${word} three`, `${word} one`, `${word} two`]);
    await page.locator("article", { hasText: `${word} one` }).focus();
    await page.keyboard.press("Alt+ArrowDown");
    await expect.poll(() => titles("todo")).toEqual([`${word} three`, `${word} two`, `${word} one`]);
    await page.keyboard.press("Shift+ArrowRight");
    await expect.poll(() => titles("in_progress")).toEqual([`${word} one`]);
    const column = await page.locator('[data-column="in_progress"] article').boundingBox();
    await dragCard(`${word} three`, (column?.x ?? 0) + 40, (column?.y ?? 0) + (column?.height ?? 0) + 2);
    await expect.poll(() => titles("in_progress")).toEqual([`${word} one`, `${word} three`]);
    expect(await checkThemes(page, "task-board-manual")).toEqual([]);
  });
});

it.each(Object.keys(SIZES) as Size[])("everything that belongs to a task is in its panel on a %s", async (size) => {
  const word = newWord("plum");
  const [build = "", related] = await create(`${word} build`, `${word} pipe`);
  expect(related).toBeDefined();
  const { page } = await dashboard.visit({ size });
  await page.goto(`/tasks?task=${build}`);
  const subtasks = page.getByRole("region", { name: "Subtasks" });
  const paste = (label: string, text: string) =>
    page.getByRole("textbox", { name: label }).evaluate((field, pasted) => {
      const data = new DataTransfer();
      data.setData("text/plain", pasted);
      field.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    }, text);
  await subtasks.getByRole("textbox").fill("Dig the hole");
  await page.keyboard.press("Enter");
  await paste("Add a subtask, or paste several lines", "- [ ] Line it\n- [x] Get a permit");
  await subtasks.getByText("1 of 3 done").waitFor();
  await subtasks.getByRole("button", { name: "Complete Dig the hole" }).click();
  await subtasks.getByText("2 of 3 done").waitFor();

  const checklist = page.getByRole("region", { name: "Checklist" });
  await paste("Add an item, or paste several lines", "1. Spade\n2. Gloves\n3. Sand");
  await checklist.getByText("0 of 3 done").waitFor();
  await checklist.getByRole("checkbox", { name: "Gloves" }).click();
  await checklist.getByText("1 of 3 done").waitFor();
  await checklist.getByRole("textbox", { name: "Item: Sand" }).fill("Fine sand");
  await page.keyboard.press("Enter");
  await checklist.getByRole("button", { name: "More for Fine sand" }).click();
  await page.getByRole("menuitem", { name: "Make it a subtask" }).click();
  await subtasks.getByText("Fine sand").waitFor();
  await checklist.getByText("1 of 2 done").waitFor();

  const references = page.getByRole("region", { name: "Related" });
  await references.getByRole("button", { name: "Relate to another task" }).click();
  await page.getByPlaceholder("Relate to another task").fill(word);
  await page.getByRole("option", { name: `${word} pipe` }).click();
  await references.getByRole("button", { name: `${word} pipe`, exact: true }).waitFor();
  expect(await checkThemes(page, `task-parts-${size}`)).toEqual([]);

  const activity = page.getByRole("region", { name: "Activity" });
  await activity
    .getByText(/related it to/)
    .first()
    .waitFor();
  await activity.getByRole("button", { name: /Undo.*ticked/ }).click();
  await checklist.getByText("0 of 2 done").waitFor();
  await references.getByRole("button", { name: `${word} pipe`, exact: true }).click();
  await page
    .getByRole("region", { name: "Related" })
    .getByRole("button", { name: `${word} build`, exact: true })
    .waitFor();
});

it("an item is ticked, renamed and moved before the server has answered that it was added", async () => {
  const [id = ""] = await create("Pack");
  const { page } = await dashboard.visit();
  await page.goto(`/tasks?task=${id}`);
  const checklist = page.getByRole("region", { name: "Checklist" });
  await checklist.getByRole("textbox").waitFor();
  const answers: (() => void)[] = [];
  await page.route("**/api/trpc/tasks.changeChecklist*", async (route) => {
    await new Promise<void>((resolve) => answers.push(resolve));
    await route.continue();
  });
  for (const text of ["Tent", "Stove"]) {
    await checklist.getByRole("textbox", { name: "Add an item" }).fill(text);
    await page.keyboard.press("Enter");
  }
  await checklist.getByRole("checkbox", { name: "Stove" }).click();
  await checklist.getByRole("textbox", { name: "Item: Stove" }).fill("Gas stove");
  await page.keyboard.press("Alt+ArrowUp");
  await page.keyboard.press("Enter");
  for (let answered = 0; answered < 5; answered += 1) {
    await expect.poll(() => answers.length).toBe(answered + 1);
    if (answered === 2) {
      // A change of somebody else's is read meanwhile, with a checklist that lacks what was done here.
      await dashboard.api.mutateAll("tasks.create", [{ title: "Socks", parentId: id }] satisfies Input[]);
      await page.getByRole("region", { name: "Subtasks" }).getByText("Socks").waitFor();
    }
    expect(await checklist.getByText("1 of 2 done").isVisible()).toBe(true);
    answers[answered]?.();
  }
  await expect
    .poll(() => dashboard.api.query<object[]>("tasks.checklist", { id }))
    .toMatchObject([
      { text: "Gas stove", isDone: true },
      { text: "Tent", isDone: false },
    ]);
});

it("a note is linked by its words, shows the task, and stays linked when it is renamed", async () => {
  const word = newWord("depth");
  const [id = ""] = await create("Survey");
  await dashboard.api.mutateAll("fs.write", [{ path: `${word}.md`, content: "As measured.\n" }] satisfies Input[]);
  const { page } = await dashboard.visit();
  await page.goto(`/tasks?task=${id}`);
  const references = page.getByRole("region", { name: "Related" });
  const search = async () => {
    await references.getByRole("button", { name: "Link a note or a conversation" }).click();
    await page.getByPlaceholder("Link a note or a conversation").fill(word);
    await page.getByRole("option", { name: word }).click({ timeout: 20_000 });
  };
  await search();
  await dashboard.api.mutateAll("fs.rename", [
    { oldPath: `${word}.md`, newPath: `Moved ${word}.md` },
  ] satisfies Input[]);
  await page.reload();
  const note = references.getByRole("link", { name: `Moved ${word}` });
  const targetId = new URL((await note.getAttribute("href")) ?? "", page.url()).searchParams.get("doc") ?? "";
  expect(await dashboard.api.query("tasks.linked", { kind: "note", targetId })).toMatchObject([
    { id, title: "Survey" },
  ]);
  await note.click();
  await page.waitForURL(/\/documents\?doc=/);
});

it("the focus stays where it went as soon as something was chosen in a picker", async () => {
  const word = newWord("heron");
  await create(`Chosen for ${word}`);
  const { page } = await dashboard.visit();
  await page.goto(`/tasks?view=list`);
  const row = (title: string) => page.locator("#page [data-task-id]", { has: page.getByText(title, { exact: true }) });
  await row(`Chosen for ${word}`)
    .getByRole("button", { name: /^Priority/ })
    .click();
  await page.getByRole("option", { name: "High" }).waitFor();
  // At once, as it happens while the page is slow.
  await page.evaluate(() => {
    const options = [...document.querySelectorAll<HTMLElement>("[role=option]")];
    options.find(({ textContent }) => textContent.includes("High"))?.click();
    document.querySelector<HTMLElement>("[aria-label='New task']")?.focus();
  });
  await page.getByRole("dialog").waitFor({ state: "detached" });
  // The picker gives the focus back in a task of its own.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)));
  await page.keyboard.type(`Typed at once ${word}`);
  await page.keyboard.press("Enter");
  await row(`Typed at once ${word}`).waitFor();
});
