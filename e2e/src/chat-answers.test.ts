import { startModelDouble, type ModelDouble } from "@workspace/core/testing";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { checkThemes } from "./appearance.ts";
import { lastAnswer, sendMessage, waitForAnswer } from "./conversation.ts";
import { setUpDashboard } from "./dashboard.ts";
import { SIZES, type Size, type Visitor } from "./visitor.ts";

const WORDS = Array.from({ length: 200 }, (_, index) => `word${index} `);

let model: ModelDouble;
let visitor: Visitor;
let page: Page;

beforeAll(async () => {
  model = await startModelDouble();
});

afterAll(async () => {
  await model.close();
});

const dashboard = setUpDashboard(() => ({
  OPENAI_API_KEY: "key",
  OPENAI_BASE_URL: model.baseUrl,
  OPENAI_MODEL: "gpt-5-mini",
}));

beforeEach(async () => {
  visitor = await dashboard.visit();
  ({ page } = visitor);
});

const clipboard = () => page.evaluate(() => navigator.clipboard.readText());

describe("an answer", () => {
  it("is copied as it was written, and each block of code without the rest", async () => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const text = "Wait like **this**:\n\n```js\nwait(20);\nlook();\n```\n\nor so:\n\n    wait --long";
    model.reply({ text });
    await page.goto("/chat");
    await sendMessage(page, "How do I wait?");
    await waitForAnswer(page, "wait --long");
    await lastAnswer(page).getByRole("button", { name: "Copy the answer" }).click();
    await expect.poll(clipboard).toBe(text);
    const codes = lastAnswer(page).getByRole("button", { name: "Copy the code" });
    await codes.nth(0).click();
    await expect.poll(clipboard).toBe("wait(20);\nlook();");
    await codes.nth(1).focus();
    await page.keyboard.press("Enter");
    await expect.poll(clipboard).toBe("wait --long");
  });

  it.each(Object.keys(SIZES) as Size[])("has a Stop that is seen while it is written, on a %s", async (size) => {
    const looking = await dashboard.visit({ size });
    model.reply({ text: WORDS, delayMs: 60 });
    await looking.page.goto("/chat");
    await looking.page.getByRole("textbox", { name: "Message" }).fill("Count slowly");
    await looking.page.getByRole("button", { name: "Send" }).click();
    await lastAnswer(looking.page).getByText("word3").waitFor();
    expect(await checkThemes(looking.page, `chat-answering-${size}`)).toEqual([]);
    await looking.page.getByRole("button", { name: "Stop" }).click();
    await looking.page.getByText("The answer was stopped here.").waitFor();
    await looking.page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
  });

  it("is stopped by Escape, whatever has the focus", async () => {
    model.reply({ text: WORDS, delayMs: 60 });
    await page.goto("/chat");
    await sendMessage(page, "Count on");
    await lastAnswer(page).getByText("word3").waitFor();
    await page.getByRole("navigation", { name: "Conversations" }).getByRole("button").first().focus();
    await page.keyboard.press("Escape");
    await page.getByText("The answer was stopped here.").waitFor();
  });
});
