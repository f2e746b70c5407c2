import { startModelDouble, type ModelDouble } from "@workspace/core/testing";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { checkThemes } from "./appearance.ts";
import { createHookSession, SESSION_ID } from "./assistant-data.ts";
import { setUpDashboard } from "./dashboard.ts";
import { LESSON, sendTranscript } from "./transcript-data.ts";
import { tryAgain, type Visitor } from "./visitor.ts";
import { SIZES, type Size } from "./window.ts";

const FORGOTTEN = "The partner wants to be asked before every release.";
const GIVEN = "Webhooks are sent by src/webhooks/send.ts.";
const TURNS = 5_000;
const LONG_SESSION = "a-long-session";
/** More than fit on a screen, but few enough to prove that the list is virtual. */
const MAX_RENDERED_ROWS = 80;

let model: ModelDouble;
let visitor: Visitor;
let page: Page;

beforeAll(async () => {
  model = await startModelDouble();
});
afterAll(() => model.close());

const dashboard = setUpDashboard(() => ({
  OPENAI_API_KEY: "key",
  OPENAI_BASE_URL: model.baseUrl,
  OPENAI_MODEL: "gpt-5-mini",
}));

beforeAll(async () => {
  const { server, api } = dashboard;
  const [forgotten] = await api.mutateAll<{ id: string }>("memory.store", [{ content: FORGOTTEN, chunkType: "fact" }]);
  await api.mutateAll("memory.delete", [{ id: forgotten?.id }]);
  const [known] = await api.mutateAll<{ id: string }>("memory.store", [{ content: GIVEN, chunkType: "fact" }]);
  const occasion = { reason: "prompt", subject: "Make them back off.", tokens: 64, givenAt: new Date().toISOString() };
  const injection = { ...occasion, sessionId: SESSION_ID, memoryIds: [known?.id] };
  await api.mutateAll("memory.recordInjections", [{ injections: [injection] }]);
  const memory = { type: "fact", content: "The partner locks out after five failures a minute.", excerpt: LESSON };
  const memories = [memory, { ...memory, content: FORGOTTEN }].map((proposed) => ({ ...proposed, relevance: 0.9 }));
  model.reply({ text: JSON.stringify({ memories }) });
  await createHookSession(api);
  await sendTranscript(server, api);
  model.replyAlways({ text: JSON.stringify({ memories: [] }) });
  const long = Array.from({ length: TURNS }, (_, index) => ({
    role: index % 10 === 0 ? "user" : "assistant",
    content: `Turn ${index + 1}: ${"some words on a few lines\n".repeat(index % 7)}`,
  }));
  await sendTranscript(server, api, long, LONG_SESSION);
  await createHookSession(api, "without-transcript");
});

beforeEach(async () => {
  visitor = await dashboard.visit();
  ({ page } = visitor);
});

const row = (name: string | RegExp, on = page) => on.getByRole("article", { name, exact: true });
const feed = () => page.getByRole("feed", { name: "Steps of the session" });
const hasFocus = (locator: Locator) => locator.evaluate((element) => element === document.activeElement);

it.each(Object.keys(SIZES) as Size[])("what was forgotten and said again is listed on a %s", async (size) => {
  const { page: other, watch } = await dashboard.visit({ size });
  await other.goto(`/hooks/sessions/${SESSION_ID}`);
  if (size !== "desktop") await other.getByRole("radio", { name: "Overview" }).click();
  const leftOut = other.getByRole("region", { name: "Not learnt, as it had been forgotten" });
  await leftOut.getByText(FORGOTTEN).scrollIntoViewIfNeeded();
  await watch.settle();
  expect(await checkThemes(other, `session-left-out-${size}`)).toEqual([]);
});

it.each(Object.keys(SIZES) as Size[])("what it was given with a prompt is listed on a %s", async (size) => {
  const { page: other, watch } = await dashboard.visit({ size });
  await other.goto(`/hooks/sessions/${SESSION_ID}`);
  if (size !== "desktop") await other.getByRole("radio", { name: "Overview" }).click();
  const given = other.getByRole("region", { name: "Memories it was given" });
  await given.getByText("With the prompt “Make them back off.”").waitFor();
  await given.getByText("64 tokens").scrollIntoViewIfNeeded();
  await watch.settle();
  expect(await checkThemes(other, `session-given-${size}`)).toEqual([]);
  await given.getByRole("link", { name: GIVEN }).click();
  await other.getByRole("complementary", { name: "Memory" }).getByText("When it was given").waitFor();
});

it("what was forgotten and said again is kept at a click", async () => {
  await page.goto(`/hooks/sessions/${SESSION_ID}`);
  const leftOut = page.getByRole("region", { name: "Not learnt, as it had been forgotten" });
  await leftOut.getByRole("button", { name: "Keep" }).click();
  await leftOut.waitFor({ state: "detached" });
  await page.getByRole("region", { name: "Memories from it" }).getByText(FORGOTTEN).waitFor();
  await visitor.watch.settle();
});

describe("a session", () => {
  it("shows its prompts, and with a key what was said and done for each, down to what a call changed and returned", async () => {
    await page.goto(`/hooks/sessions/${SESSION_ID}`);
    await row("Prompt 1").getByText("Make them back off").waitFor();
    await row("Prompt 2").getByText("Done: all forty tests pass.").waitFor();
    expect(await page.getByRole("article").count()).toBe(2);
    await row("Prompt 1").focus();
    await page.keyboard.press("Shift+J");
    await expect.poll(() => hasFocus(row("Prompt 2"))).toBe(true);
    await page.keyboard.press("l");
    const [edit, test] = [row("Edit"), row("Bash")];
    await edit.getByText("+1 −1").waitFor();
    await test.getByText("pnpm vitest run src/webhooks").waitFor();
    await test.getByText("(40 lines)").waitFor();
    await edit.focus();
    await page.keyboard.press("Enter");
    await edit.getByText("-export const RETRY_DELAY_MS = 1_000;").waitFor();
    await page.keyboard.press("j");
    await expect.poll(() => hasFocus(test)).toBe(true);
    await page.keyboard.press("l");
    await test.getByText("attempt 40 waits longer").waitFor();
    await page.keyboard.press("h");
    await test.getByText("attempt 40 waits longer").waitFor({ state: "detached" });
    await page.keyboard.press("h");
    await expect.poll(() => hasFocus(row("Prompt 2"))).toBe(true);
    await page.keyboard.press("h");
    await test.waitFor({ state: "detached" });
    await page.keyboard.press("Shift+L");
    await row("Read").waitFor();
    await page.keyboard.press("v");
    await page.getByRole("grid", { name: "Events of the session" }).waitFor();
  });

  it("shows where a memory was learnt, and the memory leads back there", async () => {
    await page.goto(`/hooks/sessions/${SESSION_ID}`);
    await row("Prompt 1")
      .getByRole("link", { name: /^Learnt here: The partner locks out/ })
      .click();
    const memory = page.getByRole("complementary", { name: "Memory" });
    await memory.getByText(LESSON).waitFor();
    await memory.getByRole("link", { name: /^Turn 5 of Session/ }).click();
    await row("Assistant")
      .getByRole("link", { name: /^Learnt here: The partner locks out/ })
      .waitFor();
    expect(page.url()).toContain("turn=5");
  });

  it("is found by what was said, beside memories", async () => {
    await page.goto("/memory");
    await page.getByPlaceholder("Filter").fill("dead letters on Mondays");
    const match = page.getByRole("row", { name: /on Mondays/ }).first();
    await match.waitFor();
    expect(await checkThemes(page, "session-matches")).toEqual([]);
    await match.click();
    const panel = page.getByRole("complementary", { name: "Memory" });
    await panel.getByText("Whatever is left goes to the dead letter queue").waitFor();
    await panel.getByRole("link", { name: /^Read turn 6/ }).click();
    await row("Prompt 2").getByText("on Mondays").waitFor();
    await row("Edit").waitFor();
  });

  it("is found from the palette, beside memories", async () => {
    await page.goto("/memory");
    await page.getByRole("row", { name: /locks out/ }).waitFor();
    await page.keyboard.press("Control+k");
    const search = page.getByPlaceholder(/^Search everything/);
    await search.fill("partner");
    await page
      .getByRole("option", { name: /locks out/ })
      .first()
      .waitFor();
    expect(await checkThemes(page, "palette-memories", { hasAxe: false })).toEqual([]);
    // The memory has only one of these words, and is not listed beside what has all of them.
    await search.fill("how do retrys hammer the partner");
    await page.getByRole("option", { name: /locks out/ }).waitFor({ state: "detached" });
    await page
      .getByRole("option", { name: /The webhook retries hammer/ })
      .last()
      .click();
    await row("Prompt 1").waitFor();
  });

  it("without a transcript is read from its events, and goes on while it is read", async () => {
    const session = "without-transcript";
    await page.goto(`/hooks/sessions/${session}`);
    await row("Prompt 1").getByText("1 blocked").waitFor();
    await row("Bash, blocked").getByText("Blocked: Force pushes to main are not allowed.").waitFor();
    await row("3 files changed").getByRole("button", { name: "src/webhooks/old.ts", exact: true }).waitFor();
    await page.keyboard.press("f");
    await page.getByRole("radio", { name: "Failed 1", checked: true }).waitFor();
    await row("WebFetch").waitFor({ state: "detached" });
    await row("Bash, failed").getByText("pnpm lint").waitFor();
    await page.getByRole("radio", { name: /^All/ }).click();
    const event = { sessionId: session, projectDir: "/home/ada/code/shop" };
    const prompt = { ...event, eventType: "UserPromptSubmit", eventData: { prompt: "And the thumbnails?" } };
    const call = {
      ...event,
      eventType: "PreToolUse",
      toolName: "Glob",
      eventData: { toolInput: { pattern: "**/*.avif" } },
    };
    await dashboard.api.mutateAll("hooks.recordEvents", [{ events: [prompt, call] }]);
    await row("Prompt 2").getByText("And the thumbnails?").waitFor();
    await row("Prompt 2").getByText("1 call").waitFor();
    await row("Prompt 2").click();
    await row("Glob").getByText("**/*.avif").waitFor();
  });

  it("that cannot be loaded says why and can be retried", async () => {
    visitor.watch.expect(/Failed to load resource/);
    const pattern = /session\.outline/;
    await page.route(pattern, (route) => route.abort());
    await page.goto(`/hooks/sessions/${SESSION_ID}`);
    await page.getByText("The session could not be loaded").waitFor();
    await page.unroute(pattern);
    await tryAgain(page, row("Prompt 1"));
  });
});

describe(`${TURNS} turns`, () => {
  it("are scrolled, reached by a link and by keyboard, and only visible ones are rendered", async () => {
    await page.goto(`/hooks/sessions/${LONG_SESSION}?turn=4325`);
    await page.getByText("Turn 4325:").waitFor();
    await row("Prompt 433").focus();
    for (let step = 0; step < 9; step += 1) await page.keyboard.press("j");
    await page.keyboard.press("j");
    await expect.poll(() => hasFocus(row("Prompt 434"))).toBe(true);
    await page.keyboard.press("Shift+L");
    await page.mouse.move(600, 500);
    for (let step = 0; step < 40; step += 1) await page.mouse.wheel(0, -3_000);
    const position = () => page.getByRole("article").first().getAttribute("aria-posinset");
    await expect.poll(async () => Number(await position())).toBeLessThan(420);
    expect(await page.getByRole("article").count()).toBeLessThan(MAX_RENDERED_ROWS);
    expect(await feed().count()).toBe(1);
  });
});

describe.each(Object.keys(SIZES) as Size[])("on a %s", (size) => {
  it("sessions are listed by what they were asked first, and opened", async () => {
    const { page: sized } = await dashboard.visit({ size });
    await sized.goto("/hooks?view=sessions");
    const listed = sized.getByRole("grid", { name: "Sessions" }).getByRole("row");
    await listed.first().getByText("The webhook retries hammer the partner.").waitFor();
    expect(await checkThemes(sized, `session-list-${size}`)).toEqual([]);
    await listed.first().click();
    await row("Prompt 1", sized).waitFor();
  });

  it("a session is accessible and fits", async () => {
    const { page: sized } = await dashboard.visit({ size });
    await sized.goto(`/hooks/sessions/${SESSION_ID}?turn=9`);
    await row("Bash", sized).first().click();
    await row("Bash", sized).first().getByText("attempt 40 waits longer").waitFor();
    expect(await checkThemes(sized, `session-view-${size}`)).toEqual([]);
    const overflow = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
    expect(await sized.evaluate(overflow)).toBeLessThanOrEqual(0);
  });
});
