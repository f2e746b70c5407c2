import { describe, expect, it } from "vitest";
import { checkThemes } from "./appearance.ts";
import { lastAnswer, sendMessage, waitForAnswer } from "./conversation.ts";
import { setUpDashboard } from "./dashboard.ts";
import { setUpModelDouble } from "./model-double.ts";
import { SIZES, type Size } from "./window.ts";

const model = setUpModelDouble("gpt-5-mini");
const dashboard = setUpDashboard(model.settings);

describe("a message", () => {
  it.each(Object.keys(SIZES) as Size[])("is answered again, with each answer at hand, on a %s", async (size) => {
    const { page } = await dashboard.visit({ size });
    model.double.reply({ text: "A heron." }, { text: "A stork, perhaps." });
    await page.goto("/chat");
    await page.getByRole("textbox", { name: "Message" }).fill("Which bird?");
    await page.getByRole("button", { name: "Send" }).click();
    await waitForAnswer(page, "A heron.");
    await lastAnswer(page).getByRole("button", { name: "Answer again" }).click();
    await waitForAnswer(page, "A stork, perhaps.");
    expect(await page.getByRole("article", { name: "Answer" }).count()).toBe(1);
    await lastAnswer(page).getByText("2/2").waitFor();
    expect(await checkThemes(page, `chat-versions-${size}`)).toEqual([]);
    await lastAnswer(page).getByRole("button", { name: "Previous version" }).click();
    await waitForAnswer(page, "A heron.");
    await page.reload();
    await waitForAnswer(page, "A heron.");
    await lastAnswer(page).getByText("1/2").waitFor();
  });

  it("is edited and sent again as a branch, which continues, and the older one stays", async () => {
    const { page } = await dashboard.visit();
    const last = () =>
      model.double.requests
        .at(-1)
        ?.messages.slice(1)
        .map(({ content }) => content);
    model.double.reply({ text: "A heron." }, { text: "Grey." });
    await page.goto("/chat");
    await sendMessage(page, "Which bird?");
    await waitForAnswer(page, "A heron.");
    await sendMessage(page, "Which colour?");
    await waitForAnswer(page, "Grey.");
    const questions = page.getByRole("article", { name: "You" });
    await questions.last().hover();
    await questions.last().getByRole("button", { name: "Edit and ask again" }).click();
    const field = page.getByRole("textbox", { name: "Edit the message" });
    await field.fill("Nothing");
    await page.keyboard.press("Escape");
    await questions.last().hover();
    await questions.last().getByRole("button", { name: "Edit and ask again" }).click();
    expect(await field.inputValue()).toBe("Which colour?");
    await field.fill("How tall?");
    model.double.reply({ text: "One metre." }, { text: "Yes, often." }, { text: "White, too." });
    await page.keyboard.press("ControlOrMeta+Enter");
    await waitForAnswer(page, "One metre.");
    expect(last()).toEqual(["Which bird?", "A heron.", "How tall?"]);
    expect(await page.getByText("Which colour?").count()).toBe(0);
    await sendMessage(page, "Does it stand still?");
    await waitForAnswer(page, "Yes, often.");
    await questions.nth(1).getByRole("button", { name: "Previous version" }).click();
    await waitForAnswer(page, "Grey.");
    expect(await page.getByText("Does it stand still?").count()).toBe(0);
    await sendMessage(page, "Only?");
    await waitForAnswer(page, "White, too.");
    expect(last()).toEqual(["Which bird?", "A heron.", "Which colour?", "Grey.", "Only?"]);
  });
});
