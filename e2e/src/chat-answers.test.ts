import { readFile } from "node:fs/promises";
import type { Page, WebSocketRoute } from "playwright-core";
import { beforeEach, describe, expect, it } from "vitest";
import { checkThemes } from "./appearance.ts";
import { lastAnswer, sendMessage, waitForAnswer } from "./conversation.ts";
import { setUpDashboard } from "./dashboard.ts";
import { setUpModelDouble } from "./model-double.ts";
import type { Visitor } from "./visitor.ts";
import { SIZES, type Size } from "./window.ts";

const WORDS = Array.from({ length: 200 }, (_, index) => `word${index} `);

let visitor: Visitor;
let page: Page;

const model = setUpModelDouble("gpt-5-mini");
const dashboard = setUpDashboard(model.settings);

beforeEach(async () => {
  visitor = await dashboard.visit();
  ({ page } = visitor);
});

const clipboard = () => page.evaluate(() => navigator.clipboard.readText());

describe("an answer", () => {
  it("is copied as it was written, and each block of code without the rest", async () => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const text = "Wait like **this**:\n\n```js\nwait(20);\nlook();\n```\n\nor so:\n\n    wait --long";
    model.double.reply({ text });
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
    model.double.reply({ text: WORDS, delayMs: 60 });
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
    model.double.reply({ text: WORDS, delayMs: 60 });
    await page.goto("/chat");
    await sendMessage(page, "Count on");
    await lastAnswer(page).getByText("word3").waitFor();
    await page.getByRole("navigation", { name: "Conversations" }).getByRole("button").first().focus();
    await page.keyboard.press("Escape");
    await page.getByText("The answer was stopped here.").waitFor();
  });

  it("is not stopped while there is no connection, which is said, and can be once there is one", async () => {
    const connections: WebSocketRoute[] = [];
    let isCut = false;
    await page.routeWebSocket(/\/api\/ws/, (connection) => {
      if (isCut) return void connection.close();
      connection.connectToServer();
      connections.push(connection);
    });
    model.double.reply({ text: WORDS, delayMs: 300 });
    await page.goto("/chat");
    await sendMessage(page, "Count for long");
    await lastAnswer(page).getByText("word3").waitFor();
    isCut = true;
    await Promise.all(connections.map((connection) => connection.close()));
    const refusal = page.getByText("Not stopped: no connection to the server.");
    await page.getByRole("button", { name: "Stop" }).click();
    await refusal.waitFor();
    isCut = false;
    await refusal.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByText("The answer was stopped here.").waitFor();
  });
});

describe("a conversation", () => {
  it("is renamed by keyboard, kept among the favourites, and found at the message that matches", async () => {
    model.double.reply({ text: Array.from({ length: 80 }, (_, index) => `Paragraph ${index} of it.`).join("\n\n") });
    await page.goto("/chat");
    await sendMessage(page, "Which bird stood at the pond in the morning?");
    await waitForAnswer(page, "Paragraph 79");
    await page.keyboard.press("Escape");
    await page.getByRole("heading", { name: "Which bird" }).click();
    await page.keyboard.press("F2");
    await page.getByRole("textbox", { name: "Title" }).fill("Herons");
    await page.keyboard.press("Enter");
    const list = page.getByRole("navigation", { name: "Conversations" });
    await list.getByRole("button", { name: /Herons/ }).waitFor();
    await page.getByRole("button", { name: "Add to favourites" }).click();
    await list.getByRole("region", { name: "Favourites" }).getByRole("button", { name: "Herons" }).waitFor();
    await page.getByRole("button", { name: "New chat" }).click();
    await list.getByPlaceholder("Filter").fill("stood at the pond");
    await list.getByRole("button", { name: /Herons.*bird stood at the pond/ }).click();
    const found = page.getByRole("article", { name: "You" });
    await expect.poll(async () => (await found.boundingBox())?.y ?? -1).toBeGreaterThan(0);
    await page.reload();
    await page.getByRole("heading", { name: "Herons" }).waitFor();
    expect(await checkThemes(page, "chat-found-desktop")).toEqual([]);
  });

  it.each(Object.keys(SIZES) as Size[])("has a model of its own, which each answer names, on a %s", async (size) => {
    const { page: on } = await dashboard.visit({ size });
    const before = model.double.requests.length;
    await on.goto("/chat");
    await on.getByRole("button", { name: "Model: gpt-5-mini" }).click();
    await on.getByRole("option", { name: /double-vectors-1/ }).click();
    await on.getByRole("textbox", { name: "Message" }).fill("Who are you?");
    await on.getByRole("button", { name: "Send" }).click();
    await waitForAnswer(on, "double-vectors-1");
    await lastAnswer(on).getByText("unknown").waitFor();
    await on.getByRole("button", { name: "Model: double-vectors-1" }).click();
    await on.getByRole("option", { name: /As in the settings/ }).click();
    await on.getByRole("button", { name: "Model: gpt-5-mini" }).waitFor();
    await expect
      .poll(async () => {
        const { data } = (await (await on.request.get(`${dashboard.server.url}/api/conversations`)).json()) as {
          data: { title: string; model: unknown }[];
        };
        return data.find(({ title }) => title === "Who are you?")?.model;
      })
      .toBe(null);
    await on.getByRole("textbox", { name: "Message" }).fill("And now?");
    await on.getByRole("button", { name: "Send" }).click();
    await waitForAnswer(on, "gpt-5-mini");
    expect(model.double.requests.slice(before).map((request) => request.model)).toEqual([
      "double-vectors-1",
      "gpt-5-mini",
    ]);
    expect(await checkThemes(on, `chat-model-${size}`)).toEqual([]);
  });
});

describe("messages that are written during an answer", () => {
  const counted = (from: number) => WORDS.slice(from, from + 40);

  it("are sent one after the other when it is complete, also after a reload, and can be removed", async () => {
    const asked = () =>
      model.double.requests.map(({ messages }) => messages.findLast(({ role }) => role === "user")?.content ?? "");
    model.double.reply({ text: counted(0), delayMs: 150 }, { text: "To the second." }, { text: "To the fourth." });
    await page.goto("/chat");
    await sendMessage(page, "The first");
    await lastAnswer(page).getByText("word1").waitFor();
    for (const text of ["The second", "The third", "The fourth"]) await sendMessage(page, text);
    await expect.poll(() => page.getByText("Sent after the answer").count()).toBe(3);
    expect(await checkThemes(page, "chat-queue-desktop")).toEqual([]);
    await page.getByRole("button", { name: "Remove" }).nth(1).click();
    await page.reload();
    await expect.poll(() => page.getByText("Sent after the answer").count()).toBe(2);
    await waitForAnswer(page, "To the fourth.");
    expect(asked().slice(-3)).toEqual(["The first", "The second", "The fourth"]);
    await expect.poll(() => page.getByText("Sent after the answer").count()).toBe(0);
    expect(await page.getByText("The third").count()).toBe(0);
  });

  it("wait for the person if the answer is stopped", async () => {
    model.double.reply({ text: WORDS, delayMs: 60 });
    await page.goto("/chat");
    await sendMessage(page, "Go on for long");
    await lastAnswer(page).getByText("word1").waitFor();
    await sendMessage(page, "And then this");
    await page.keyboard.press("Escape");
    await page.getByText("The answer was stopped here.").waitFor();
    await page.getByText("Not sent", { exact: true }).waitFor();
    model.double.reply({ text: "Done." });
    await page.getByRole("button", { name: "Send now" }).click();
    await waitForAnswer(page, "Done.");
  });
});

it("a conversation is exported as Markdown, named after it", async () => {
  model.double.reply({ text: "A **heron**." });
  await page.goto("/chat");
  await sendMessage(page, "Which bird?");
  await waitForAnswer(page, "heron");
  await page.getByRole("button", { name: "More", exact: true }).click();
  const downloading = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "Export as Markdown" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe("Which bird.md");
  const text = await readFile(await download.path(), "utf8");
  expect(text).toMatch(
    /^# Which bird\?\n\n## You, .* UTC\n\nWhich bird\?\n\n## Answer, .*gpt-5-mini.*\n\nA \*\*heron\*\*\.\n$/,
  );
});
