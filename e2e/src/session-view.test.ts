import { startModelDouble, type ModelDouble } from "@workspace/core/testing";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { checkThemes } from "./appearance.ts";
import { createHookSession, SESSION_ID } from "./assistant-data.ts";
import { setUpDashboard } from "./dashboard.ts";
import { LESSON, RECORDS, sendTranscript } from "./transcript-data.ts";
import { SIZES, tryAgain, type Size, type Visitor } from "./visitor.ts";

const FORGOTTEN = "The partner wants to be asked before every release.";
const GIVEN = "Webhooks are sent by src/webhooks/send.ts.";
const TURNS = 5_000;
const LONG_SESSION = "a-long-session";
/** More than fit on a screen, but few enough to prove that the list is virtual. */
const MAX_RENDERED_TURNS = 80;

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
    role: index % 2 === 0 ? "user" : "assistant",
    content: `Turn ${index + 1}: ${"some words on a few lines\n".repeat(index % 7)}`,
  }));
  await sendTranscript(server, api, long, LONG_SESSION);
  await createHookSession(api, "without-transcript");
});

beforeEach(async () => {
  visitor = await dashboard.visit();
  ({ page } = visitor);
});

const turn = (name: RegExp) => page.getByRole("article", { name });
const feed = () => page.getByRole("feed", { name: "Turns of the session" });

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
  it("is read turn by turn, and Enter unfolds what a tool returned", async () => {
    await page.goto(`/hooks/sessions/${SESSION_ID}`);
    await turn(/^User, 1$/)
      .getByText("Make them back off")
      .waitFor();
    expect(await page.getByRole("article").count()).toBe(RECORDS.length);
    await turn(/^Bash, 9$/)
      .getByText("pnpm vitest run src/webhooks")
      .waitFor();
    const output = turn(/^Result, 10$/);
    expect(await output.textContent()).not.toContain("attempt 40");
    await turn(/^Bash, 9$/).focus();
    await page.keyboard.press("j");
    await expect.poll(() => output.evaluate((row) => row === document.activeElement)).toBe(true);
    await page.keyboard.press("Enter");
    await output.getByText("attempt 40 waits longer").waitFor();
    await output.getByRole("button", { name: "Show less" }).click();
    await output.getByRole("button", { name: /^Show all/ }).waitFor();
    await page.keyboard.press("v");
    await page.getByRole("grid", { name: "Events of the session" }).waitFor();
  });

  it("shows where a memory was learnt, and the memory leads back there", async () => {
    await page.goto(`/hooks/sessions/${SESSION_ID}`);
    await turn(/^Assistant, 5$/)
      .getByRole("link", { name: /^Learnt here: The partner locks out/ })
      .click();
    const memory = page.getByRole("complementary", { name: "Memory" });
    await memory.getByText(LESSON).waitFor();
    await memory.getByRole("link", { name: /^Turn 5 of Session/ }).click();
    await turn(/^Assistant, 5$/).waitFor();
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
    await turn(/^User, 6$/)
      .getByText("on Mondays")
      .waitFor();
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
    await turn(/^User, 1$/).waitFor();
  });

  it("without a transcript says so", async () => {
    await page.goto("/hooks/sessions/without-transcript");
    await page.getByRole("grid", { name: "Events of the session" }).waitFor();
    await page.getByRole("radio", { name: "Transcript" }).click();
    await page.getByRole("heading", { name: "No transcript" }).waitFor();
  });

  it("that cannot be loaded says why and can be retried", async () => {
    visitor.watch.expect(/Failed to load resource/);
    const pattern = /hooks\.getTranscript/;
    await page.route(pattern, (route) => route.abort());
    // It fails in the same request, and would have everything loaded again as soon as it succeeds.
    await page.route(/steering\.list/, (route) => route.abort());
    await page.goto(`/hooks/sessions/${SESSION_ID}`);
    await page.getByText("The transcript could not be loaded").waitFor();
    await page.unroute(pattern);
    await tryAgain(page, turn(/^User, 1$/));
  });
});

describe(`${TURNS} turns`, () => {
  it("are scrolled, reached by a link and by keyboard, and only visible ones are rendered", async () => {
    await page.goto(`/hooks/sessions/${LONG_SESSION}?turn=4321`);
    const target = turn(/, 4,321$/);
    await target.getByText("Turn 4321:").waitFor();
    expect(await target.getAttribute("aria-setsize")).toBe(String(TURNS));
    await target.focus();
    for (let step = 0; step < 30; step += 1) await page.keyboard.press("j");
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-posinset")))
      .toBe(String(4351));
    await page.mouse.move(600, 500);
    for (let step = 0; step < 40; step += 1) await page.mouse.wheel(0, -3_000);
    await expect
      .poll(async () => Number(await page.getByRole("article").first().getAttribute("aria-posinset")))
      .toBeLessThan(4_200);
    expect(await page.getByRole("article").count()).toBeLessThan(MAX_RENDERED_TURNS);
    await page.getByRole("article").nth(15).getByText(/^Turn/).waitFor();
    expect(await feed().count()).toBe(1);
  });
});

describe.each(Object.keys(SIZES) as Size[])("on a %s", (size) => {
  it("a transcript is accessible and fits", async () => {
    const { page: sized } = await dashboard.visit({ size });
    await sized.goto(`/hooks/sessions/${SESSION_ID}?turn=5`);
    await sized.getByRole("article", { name: "Assistant, 5" }).waitFor();
    expect(await checkThemes(sized, `session-transcript-${size}`)).toEqual([]);
    const overflow = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
    expect(await sized.evaluate(overflow)).toBeLessThanOrEqual(0);
  });
});
