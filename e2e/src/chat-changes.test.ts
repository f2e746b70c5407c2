import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { checkThemes } from "./appearance.ts";
import { lastAnswer, waitForAnswer } from "./conversation.ts";
import { setUpDashboard } from "./dashboard.ts";
import { setUpModelDouble } from "./model-double.ts";
import { SIZES, type Size } from "./window.ts";

const model = setUpModelDouble("gpt-5-mini");
const dashboard = setUpDashboard(model.settings);

const post = async (page: Page, path: string, data: object) =>
  (await (await page.request.post(`${dashboard.server.url}/api/${path}`, { data })).json()) as { data: any };
const read = async (page: Page, path: string) => (await post(page, "fs/read", { path })).data?.content;
async function ask(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: "Message" }).fill(text);
  await page.getByRole("button", { name: "Send" }).click();
}

it.each(Object.keys(SIZES) as Size[])(
  "what calls change in notes and tasks is shown and undone, on a %s",
  async (size) => {
    const { page } = await dashboard.visit({ size });
    const path = `plan-${size}.md`;
    await post(page, "fs/write", { path, content: "Peas\nBeans\n" });
    const { data: task } = await post(page, "tasks", { title: `Sow (${size})` });
    model.double.reply(
      {
        toolCalls: [
          { name: "notes_edit", arguments: { path, edits: [{ oldText: "Beans", newText: "Leeks" }] } },
          { name: "tasks_update", arguments: { id: task.id, priority: 3 } },
          { name: "notes_create", arguments: { path: `new-${size}.md`, content: "New" } },
          { name: "tasks_create", arguments: { title: `Hoe (${size})` } },
        ],
      },
      { text: "All done." },
    );
    await page.goto("/chat");
    await ask(page, "Change everything");
    await waitForAnswer(page, "All done.");
    const answer = lastAnswer(page);
    await answer
      .getByRole("table", { name: `Changes of ${path}` })
      .getByText("Leeks")
      .waitFor();
    await answer
      .getByText(/set the priority to/)
      .first()
      .waitFor();
    await answer.getByText(`Hoe (${size})`).last().waitFor();
    expect(await checkThemes(page, `chat-changes-${size}`)).toEqual([]);

    await answer.getByRole("button", { name: new RegExp(`Undo ?: changing ${path}`) }).click();
    await answer.getByText("undone").first().waitFor();
    expect(await read(page, path)).toBe("Peas\nBeans\n");
    await answer.getByRole("button", { name: /Undo ?: set the priority/ }).click();
    await expect.poll(() => answer.getByText("undone").count()).toBe(2);
    await answer.getByRole("button", { name: new RegExp(`Undo ?: creating new-${size}`) }).click();
    await answer.getByText(`new-${size}.md has been moved or deleted since.`).waitFor();
    expect(await read(page, `new-${size}.md`)).toBe(undefined);
    await answer.getByRole("button", { name: /Undo ?: creating Hoe/ }).click();
    await answer.getByText("deleted since").last().waitFor();
    const tasks = await page.request.get(`${dashboard.server.url}/api/tasks/${task.id}`);
    expect(((await tasks.json()) as { data: { priority: number } }).data.priority).toBe(task.priority);
  },
);

it("a change that somebody has gone on from is not undone, and an earlier answer shows its changes when asked", async () => {
  const { page } = await dashboard.visit();
  await post(page, "fs/write", { path: "story.md", content: "One" });
  model.double.reply(
    { toolCalls: [{ name: "notes_append", arguments: { path: "story.md", text: "Two" } }] },
    { text: "Appended." },
    { text: "Nothing more." },
  );
  await page.goto("/chat");
  await ask(page, "Go on with the story");
  await waitForAnswer(page, "Appended.");
  await post(page, "fs/write", { path: "story.md", content: "Three" });
  await lastAnswer(page).getByText("changed since").waitFor();
  expect(await page.getByRole("button", { name: /Undo ?: changing/ }).count()).toBe(0);
  await ask(page, "And?");
  await waitForAnswer(page, "Nothing more.");
  await page.reload();
  await page.getByRole("button", { name: "Show what changed" }).click();
  await page.getByRole("table", { name: "Changes of story.md" }).getByText("Two").waitFor();
});
