import { expect, it } from "vitest";
import { checkThemes } from "./appearance.ts";
import { sendMessage, waitForAnswer } from "./conversation.ts";
import { setUpDashboard } from "./dashboard.ts";
import { setUpModelDouble } from "./model-double.ts";
import { SIZES, type Size } from "./window.ts";

const model = setUpModelDouble("gpt-5-mini");
const dashboard = setUpDashboard(model.settings);

const told = () => model.double.requests.at(-1)?.messages.findLast(({ role }) => role === "user")?.content;

it("a note and a task are mentioned by typing, kept across a reload, and given to the model", async () => {
  const { page } = await dashboard.visit();
  const post = (path: string, data: object) => page.request.post(`${dashboard.server.url}/api/${path}`, { data });
  await post("fs/write", { path: "Garden plan.md", content: "Peas before beans." });
  await post("tasks", { title: "Buy sweet peas" });
  model.double.reply({ text: "Peas." }, { text: "Peas, still." });
  await page.goto("/chat");
  const field = page.getByRole("textbox", { name: "Message" });
  await field.click();
  await page.keyboard.type("What comes first in @");
  await page.getByPlaceholder("Note, task or memory").fill("garden");
  await page.getByRole("option", { name: /Garden plan/ }).click();
  await expect.poll(() => field.inputValue()).toBe("What comes first in @Garden plan ");
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("TEXTAREA");
  await page.keyboard.type("and @");
  await page.getByPlaceholder("Note, task or memory").fill("sweet");
  await page.getByRole("option", { name: /Buy sweet peas/ }).waitFor();
  await page.keyboard.press("Enter");
  await expect.poll(() => field.inputValue()).toBe("What comes first in @Garden plan and @Buy sweet peas ");
  await page.reload();
  const chosen = page.getByRole("list", { name: "Mentioned" });
  await expect.poll(() => chosen.getByRole("listitem").count()).toBe(2);
  await chosen.getByRole("button", { name: "Do not mention Buy sweet peas" }).click();
  await field.focus();
  await page.keyboard.press("Enter");
  await waitForAnswer(page, "Peas.");
  expect(told()).toContain('<mentioned kind="document" path="Garden plan.md">\nPeas before beans.\n</mentioned>');
  expect(told()).not.toContain('kind="task"');
  await expect.poll(() => field.inputValue()).toBe("");

  const question = page.getByRole("article", { name: "You" });
  await question.hover();
  await question.getByRole("button", { name: "Edit and ask again" }).click();
  await page.getByRole("textbox", { name: "Edit the message" }).fill("And now?");
  await page.keyboard.press("ControlOrMeta+Enter");
  await waitForAnswer(page, "Peas, still.");
  expect(told()).toMatch(/^And now\?[^]*Peas before beans\./);
  await question.getByRole("link", { name: "Garden plan" }).click();
  await page.getByText("Peas before beans.").waitFor();
});

it.each(Object.keys(SIZES) as Size[])("something opened before is mentioned by its button, on a %s", async (size) => {
  const { page } = await dashboard.visit({ size });
  const post = (path: string, data: object) => page.request.post(`${dashboard.server.url}/api/${path}`, { data });
  const task = (await (await post("tasks", { title: `Water the ferns (${size})` })).json()) as { data: { id: string } };
  await post("shelf/opened", { kind: "task", id: task.data.id });
  await page.goto("/chat");
  await page.getByRole("button", { name: "Mention a note, task or memory" }).click();
  await page.getByRole("option", { name: `Water the ferns (${size})` }).waitFor();
  expect(await checkThemes(page, `chat-mention-picker-${size}`)).toEqual([]);
  await page.getByRole("option", { name: `Water the ferns (${size})` }).click();
  const field = page.getByRole("textbox", { name: "Message" });
  await expect.poll(() => field.inputValue()).toBe(`@Water the ferns (${size}) `);
  expect(await checkThemes(page, `chat-mention-draft-${size}`)).toEqual([]);
  model.double.reply({ text: "They are dry." });
  if (size === "phone") {
    await field.fill("How are they?");
    await page.getByRole("button", { name: "Send" }).click();
  } else await sendMessage(page, "How are they?");
  await waitForAnswer(page, "They are dry.");
  expect(told()).toContain(`Water the ferns (${size})`);
  expect(await checkThemes(page, `chat-mentioned-${size}`)).toEqual([]);
});
