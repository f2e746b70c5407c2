/**
 * What reading all notes ahead costs a page, with 5,000 notes of 3 KB, in Chromium: `npm run bench -- notes-ahead`. Prints how long it takes
 * until the browser keeps all texts, what is received for it, and the longest task of the page's thread while it does.
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { createApiClient } from "../../e2e/src/api-client.ts";
import { launchBrowser } from "../../e2e/src/browser.ts";
import { buildWorkspace } from "../../e2e/src/build.ts";
import { keptTexts } from "../../e2e/src/kept-in-browser.ts";
import { startEmbeddedServer } from "../../e2e/src/server-process.ts";
import { createVisitor, type Visitor } from "../../e2e/src/visitor.ts";

const NOTES = 5_000;
const NOTE_BYTES = 3_000;
const FOLDERS = 50;
const POLL_MS = 2_000;
const GOAL_MS = 50;

/** A note of words that hardly repeat, so that its compression tells something. */
function textOf(number: number): string {
  let text = `# Note ${number}\n\n`;
  for (let seed = number + 1; text.length < NOTE_BYTES; seed = (seed * 48_271) % 2_147_483_647)
    text += `${seed.toString(36)} `;
  return text;
}

async function measure({ page, context }: Visitor): Promise<void> {
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  let [requests, bytes] = [0, 0];
  const ofNotes = new Set<string>();
  session.on("Network.requestWillBeSent", ({ requestId, request }) => {
    if (request.url.includes("documents.get")) ofNotes.add(requestId);
  });
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    if (!ofNotes.has(requestId)) return;
    requests += 1;
    bytes += encodedDataLength;
  });
  // What is evaluated in the page needs a helper of the compiler.
  await page.addInitScript("globalThis.__name = (value) => value");
  await page.addInitScript(() => {
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries())
        performance.mark("long-task", { startTime, detail: duration });
    }).observe({ type: "longtask", buffered: true });
  });
  await page.goto("/tasks?view=list");
  while (requests === 0) await page.waitForTimeout(100);
  const startedAt = await page.evaluate(() => performance.now());
  let kept = 0;
  while (kept < NOTES) {
    await page.waitForTimeout(POLL_MS);
    kept = (await keptTexts(page)).length;
  }
  const { endedAt, tasks } = await page.evaluate(() => ({
    endedAt: performance.now(),
    tasks: performance
      .getEntriesByName("long-task")
      .map((entry) => ({ startTime: entry.startTime, duration: Number(Reflect.get(entry, "detail")) })),
  }));
  const during = tasks.filter(({ startTime }) => startTime > startedAt).map(({ duration }) => duration);
  process.stdout.write(
    `${kept} notes kept ${((endedAt - startedAt) / 1000).toFixed(0)} s after the first request: ${requests} requests, ` +
      `${(bytes / 1e6).toFixed(1)} MB; ${during.length} tasks above ${GOAL_MS} ms (goal 0), ` +
      `the longest ${Math.max(0, ...during).toFixed(0)} ms\n`,
  );
}

async function main(): Promise<void> {
  buildWorkspace();
  const vault = await mkdtemp(join(tmpdir(), "workspace-bench-ahead-"));
  for (let folder = 0; folder < FOLDERS; folder += 1) {
    await mkdir(join(vault, `Folder ${folder}`));
    for (let note = folder; note < NOTES; note += FOLDERS)
      await writeFile(join(vault, `Folder ${folder}`, `Note ${note}.md`), textOf(note));
  }
  const server = await startEmbeddedServer({ VAULT_PATH: vault });
  const browser = await launchBrowser();
  try {
    const api = await createApiClient(server);
    while ((await api.query<unknown[]>("documents.list", {})).length < NOTES)
      await new Promise((resolve) => setTimeout(resolve, 500));
    process.stdout.write(`load ${loadavg()[0]?.toFixed(1)}\n`);
    await measure(await createVisitor(browser, server, { loadsAhead: true }));
  } finally {
    await browser.close();
    await server.close();
    await rm(vault, { recursive: true, force: true });
  }
}

await main();
