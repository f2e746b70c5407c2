/**
 * Reads a session of 200 prompts and 3,000 calls, with a transcript of 20 MB, in Chromium, and prints the time until its first rows
 * are shown, that of its requests at the server, the frames over 50 ms while it is scrolled, folded and unfolded, and the page's longest
 * task (processor time):
 *
 *   npm run bench -- session-view ["folder for screenshots"]
 */
import { join } from "node:path";
import { buildWorkspace } from "../../e2e/src/build.ts";
import { createApiClient, type ApiClient } from "../../e2e/src/api-client.ts";
import { launchBrowser } from "../../e2e/src/browser.ts";
import { busyTime } from "../../e2e/src/busy-time.ts";
import { startEmbeddedServer, type TestServer } from "../../e2e/src/server-process.ts";
import { createVisitor, type Visitor } from "../../e2e/src/visitor.ts";
import { SIZES, THEMES, type Size } from "../../e2e/src/window.ts";
import { longSession } from "./session-view/long-session.ts";

const SESSION = "a-day-of-work";
const EMPTY = "nothing-yet";
const BATCH = 500;
const SCROLL_STEPS = 120;
const FRAME_MS = 50;
/** As a text, since the compiler of this file puts calls of its own into functions. */
const RECORD_FRAMES = `{
  const times = window.frameTimes = [];
  let last = performance.now();
  const record = (now) => {
    times.push(now - last);
    last = now;
    if (times === window.frameTimes) requestAnimationFrame(record);
  };
  requestAnimationFrame(record);
}`;

const [screenshots] = process.argv.slice(2);
buildWorkspace();
const server = await startEmbeddedServer();
const browser = await launchBrowser();
try {
  await record(server, await createApiClient(server));
  const visitor = await createVisitor(browser, server);
  await measure(visitor.page);
  await visitor.close();
  if (screenshots !== undefined) await takeScreenshots(screenshots);
} finally {
  await browser.close();
  await server.close();
}

async function record({ url }: TestServer, api: ApiClient): Promise<void> {
  const { transcript, events } = longSession(SESSION);
  for (let start = 0; start < events.length; start += BATCH)
    await api.mutateAll("hooks.recordEvents", [{ events: events.slice(start, start + BATCH) }]);
  await api.mutateAll("hooks.recordEvents", [{ events: [{ eventType: "SessionStart", sessionId: EMPTY }] }]);
  const startedAt = performance.now();
  const response = await fetch(`${url}/api/hooks/sessions/${SESSION}/transcript`, {
    method: "POST",
    headers: { "content-type": "application/json", cookie: api.cookie },
    body: JSON.stringify({ transcript, projectPath: "/home/ada/code/shop" }),
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  const megabytes = (transcript.length / 1024 / 1024).toFixed(1);
  report(`storing ${megabytes} MB, ${events.length} events`, performance.now() - startedAt);
  for (const procedure of ["session.outline", "hooks.getSession"]) {
    const readAt = performance.now();
    const data = await api.query(procedure, {
      sessionId: SESSION,
      ...(procedure === "hooks.getSession" && { limit: 1 }),
    });
    report(`${procedure}, ${Math.round(JSON.stringify(data).length / 1024)} KB`, performance.now() - readAt);
  }
}

async function measure(page: Visitor["page"]): Promise<void> {
  await page.goto("/approvals");
  await page.getByRole("main").waitFor();
  const startedAt = performance.now();
  await page.goto(`/hooks/sessions/${SESSION}`);
  await page.getByRole("article", { name: "Prompt 1", exact: true }).waitFor();
  report("first rows, page loaded anew", performance.now() - startedAt);
  await page.getByRole("region", { name: "Overview" }).waitFor();
  await scroll(page, "scrolling 200 prompts");
  await page.mouse.wheel(0, -100_000);
  const unfoldedAt = performance.now();
  await page.keyboard.press("Shift+L");
  await page.getByRole("article", { name: "Edit", exact: true }).first().waitFor();
  report("steps of all prompts unfolded", performance.now() - unfoldedAt);
  await scroll(page, "scrolling 3,000 calls");
}

async function scroll(page: Visitor["page"], name: string): Promise<void> {
  await page.mouse.move(500, 500);
  let slow = 0;
  const { taskMs } = await busyTime(browser, async () => {
    await page.evaluate(RECORD_FRAMES);
    for (let step = 0; step < SCROLL_STEPS; step += 1) {
      await page.mouse.wheel(0, 400);
      await page.waitForTimeout(16);
    }
    slow = await page.evaluate<number>(`frameTimes.filter((ms) => ms > ${FRAME_MS}).length`);
  });
  console.log(`${`${name}: frames over ${FRAME_MS} ms`.padEnd(56)} ${String(slow).padStart(6)}`);
  report(`${name}: longest task, processor time`, taskMs);
}

async function takeScreenshots(folder: string): Promise<void> {
  for (const size of Object.keys(SIZES) as Size[]) {
    for (const theme of THEMES) {
      const visitor = await createVisitor(browser, server, { size, theme });
      const { page } = visitor;
      const shoot = (name: string) => page.screenshot({ path: join(folder, `${name}-${size}-${theme}.png`) });
      await page.goto(`/hooks/sessions/${SESSION}`);
      await page.getByRole("article", { name: "Prompt 1", exact: true }).waitFor();
      await visitor.watch.settle();
      await shoot("folded");
      await page.getByRole("article", { name: "Prompt 2", exact: true }).focus();
      await page.keyboard.press("Enter");
      await page.getByRole("article", { name: "Edit", exact: true }).first().focus();
      await page.keyboard.press("Enter");
      await visitor.watch.settle();
      await shoot("unfolded");
      await page.keyboard.press("f");
      await visitor.watch.settle();
      await shoot("failed");
      await page.goto(`/hooks/sessions/${EMPTY}`);
      await visitor.watch.settle();
      await shoot("empty");
      await visitor.close();
    }
  }
}

function report(name: string, ms: number): void {
  console.log(`${name.padEnd(56)} ${ms.toFixed(0).padStart(6)} ms`);
}
