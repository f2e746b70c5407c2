import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import { beforeEach, expect, it } from "vitest";
import { checkThemes } from "./appearance.ts";
import { setUpDashboard } from "./dashboard.ts";

const dashboard = setUpDashboard();

let page: Page;
let session: string;

beforeEach(async () => {
  ({ page } = await dashboard.visit());
  session = randomUUID();
  await report("SessionStart", { projectDir: "/home/ada/pond", eventData: { harness: "claude-code" } });
});

/** Has the session work on a prompt, so that it is listed by that. */
async function work(prompt: string): Promise<void> {
  await report("UserPromptSubmit", { eventData: { prompt } });
  await report("PreToolUse", { toolName: "run_shell_command", eventData: { toolInput: { command: "make" } } });
}

/** What the hooks of the session report. */
const report = (eventType: string, more: object = {}) =>
  page.request.post("/api/hooks/events", { data: { eventType, sessionId: session, ...more } });

/** What a hook of the session gets before a call. */
async function take(claim: string = randomUUID()): Promise<any> {
  const data = { claim, moment: "call", takesMessages: true, fromSubagent: false, waitMs: 0 };
  return (await (await page.request.post(`/api/hooks/sessions/${session}/steering`, { data })).json()).data;
}

/** Asks about a call of the session as a hook does, without waiting for the decision. */
async function ask(more: object): Promise<void> {
  const of = {
    id: randomUUID(),
    digest: "0".repeat(64),
    sessionId: session,
    harness: "gemini-cli",
    folder: "/home/ada/pond",
  };
  const data = { ...of, project: "github.com/ada/pond", effect: "This deploys.", timeoutMs: 60_000, ...more };
  await page.request.post("/api/hooks/approvals", { data, timeout: 500 }).catch(() => undefined);
}

const confirm = (ids: readonly string[]) =>
  page.request.post(`/api/hooks/sessions/${session}/steering/delivered`, { data: { ids } });
const row = (text: string) =>
  page.getByRole("list", { name: "What it was told" }).getByRole("listitem").filter({ hasText: text });

it("a session is told something with the keyboard; what no hook has is withdrawn, and the rest is shown as delivered", async () => {
  await page.goto(`/hooks/sessions/${session}`);
  const message = page.getByLabel("Tell the session something");
  await message.waitFor();
  await page.keyboard.press("t");
  await page.keyboard.type("Use staging.");
  await page.keyboard.press("Enter");
  await row("Use staging.").getByText("Pending").waitFor();
  expect(await message.inputValue()).toBe("");
  await message.fill("Forget it.");
  await page.getByRole("button", { name: "Send" }).click();
  await row("Forget it.").getByRole("button", { name: "Withdraw the message" }).click();
  await row("Forget it.").getByText("Withdrawn").waitFor();

  const { messages } = await take();
  expect(messages).toMatchObject([{ text: "Use staging." }]);
  await confirm([messages[0].id]);
  await row("Use staging.").getByText("Delivered", { exact: true }).waitFor();
  expect(await checkThemes(page, "session-steering")).toEqual([]);
});

it("a session is paused, resumed and stopped where running sessions are listed, and on its page with keys", async () => {
  await page.goto("/approvals?view=sessions");
  const listed = page
    .getByRole("list", { name: "Running sessions" })
    .getByRole("listitem")
    .filter({ hasText: session.slice(0, 8) });
  await listed.getByRole("button", { name: "Pause" }).click();
  await listed.getByText("Paused").waitFor();
  expect(await take()).toMatchObject({ pausedBy: expect.any(String) });
  expect(await checkThemes(page, "running-sessions")).toEqual([]);
  await listed.getByRole("link").click();
  await row("A call waits").waitFor();
  await page.keyboard.press("Shift+P");
  await row("Resumed").waitFor();
  expect(await take()).toMatchObject({ pausedBy: null });
  await page.keyboard.press("Shift+S");
  await page.getByRole("dialog").getByRole("button", { name: "Stop it" }).click();
  await row("At its next call").waitFor();
  const { stop } = await take();
  await confirm([stop.id]);
  await row("Stopped").waitFor();
});

it("a session says whether it is at work, paused before a call, or waits for a decision", async () => {
  await work("Build the pond.");
  await page.goto(`/hooks/sessions/${session}`);
  const prompt = page.getByRole("article", { name: "Prompt 1" });
  await prompt.getByText("At work").waitFor();
  await page.getByRole("button", { name: "Pause" }).click();
  await row("The next call will wait").waitFor();
  await prompt.getByText("At work").waitFor();
  expect(await take()).toMatchObject({ pausedBy: expect.any(String) });
  await prompt.getByText("Paused").waitFor();
  expect(await page.getByLabel("Running", { exact: true }).count()).toBe(0);
  await page.getByRole("button", { name: "Resume" }).click();
  await prompt.getByText("At work").waitFor();
  await ask({ toolName: "run_shell_command", call: "make deploy" });
  await prompt.getByText("Waits for your decision").waitFor();
  expect(await checkThemes(page, "session-waits")).toEqual([]);

  await page.goto("/approvals");
  const card = page.getByRole("article", { name: "Bash: make deploy" });
  await card.getByText("Gemini CLI in github.com/ada/pond").waitFor();
  await card.getByRole("link", { name: "Build the pond." }).click();
  await prompt.getByText("Waits for your decision").waitFor();
  await page.goto("/approvals?view=sessions");
  await page.getByRole("listitem").filter({ hasText: "Build the pond." }).getByText(/^Bash/).waitFor();
});

it("a session that was stopped says so, until it is given another prompt", async () => {
  await work("Fill the pond.");
  await page.goto(`/hooks/sessions/${session}`);
  const prompt = page.getByRole("article", { name: "Prompt 1" });
  await prompt.getByText("At work").waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Stop it" }).click();
  await row("At its next call").waitFor();
  await prompt.getByText("At work").waitFor();
  const { stop } = await take();
  await confirm([stop.id]);
  await prompt.getByText("Stopped").waitFor();
  await report("UserPromptSubmit", { eventData: { prompt: "Go on." } });
  await page.getByRole("article", { name: "Prompt 2" }).getByText("At work").waitFor();
});

it("the controls fit a phone, and are gone once the session has ended", async () => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`/hooks/sessions/${session}`);
  const message = page.getByLabel("Tell the session something");
  await message.fill(`Look at ${"a-very-long-name/".repeat(20)}`);
  await page.getByRole("button", { name: "Send" }).click();
  await row("a-very-long-name").waitFor();
  await page.getByRole("button", { name: "Pause" }).click();
  await row("The next call will wait").waitFor();
  expect(await checkThemes(page, "session-steering-phone")).toEqual([]);
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(await overflow()).toBeLessThanOrEqual(0);
  await page.goto("/approvals?view=sessions");
  await page.getByRole("button", { name: "Resume" }).first().waitFor();
  expect(await checkThemes(page, "running-sessions-phone")).toEqual([]);
  expect(await overflow()).toBeLessThanOrEqual(0);
  await report("SessionEnd");
  await page.goto(`/hooks/sessions/${session}`);
  await row("a-very-long-name").waitFor();
  expect(await message.count()).toBe(0);
});
