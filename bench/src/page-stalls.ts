/**
 * Does what is done with texts in the dashboard, in Chromium, with the largest texts that take a browser longest, and prints
 * for how long at a stretch the page answers nobody meanwhile (processor time of its longest task), and the longest work that
 * it does in the background, which ends when a key is pressed:
 *
 *   npm run bench -- page-stalls ["part of a step's name" ["part of a text's"]]
 *
 * As in Chromium on a desktop, but unlike in one without windows, a frame without an origin has a process of its own, so what
 * it takes to draw a diagram holds up the frame, and not the page.
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { buildWorkspace } from "../../e2e/src/build.ts";
import { launchBrowser } from "../../e2e/src/browser.ts";
import { busyTime, type BusyTime } from "../../e2e/src/busy-time.ts";
import { startEmbeddedServer, type TestServer } from "../../e2e/src/server-process.ts";
import { createVisitor } from "../../e2e/src/visitor.ts";
import { STEPS, type Step } from "./page-stalls/steps.ts";

const GOAL_MS = 50;
const ROUNDS = 3;
/** What follows an action has ended by then. */
const SETTLE_MS = 2_000;

const [wantedStep = "", wantedText = ""] = process.argv.slice(2);
buildWorkspace();
const browser = await launchBrowser(["--site-per-process"]);
try {
  for (const step of STEPS.filter(({ name }) => name.includes(wantedStep))) await measureStep(step);
} finally {
  await browser.close();
}

async function measureStep(step: Step): Promise<void> {
  const dataDir = await makeDataDir(step.files ?? 0);
  const server = await startEmbeddedServer({ DATA_DIR: dataDir });
  try {
    console.log(`${step.name.padEnd(60)} longest task (ms), goal ${GOAL_MS}; idle work`);
    for (const [name, input] of Object.entries(step.inputs).filter(([name]) => name.includes(wantedText))) {
      console.log(`  ${name.padEnd(58)} ${await measure(server, step, input)}`);
    }
  } finally {
    await server.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** The least of some rounds, since what else the machine does adds to the time of a task, but takes nothing from it. */
async function measure(server: TestServer, step: Step, input: unknown): Promise<string> {
  let [taskMs, idleMs] = [Infinity, Infinity];
  try {
    for (let round = 0; round < ROUNDS && taskMs > GOAL_MS; round += 1) {
      const time = await measureOnce(server, step, input);
      [taskMs, idleMs] = [Math.min(taskMs, time.taskMs), Math.min(idleMs, time.idleMs)];
    }
  } catch (error) {
    return ` failed: ${error instanceof Error ? error.message.split("\n")[0] : String(error)}`;
  }
  return `${taskMs.toFixed(1).padStart(7)} ${idleMs.toFixed(1).padStart(7)}  ${taskMs <= GOAL_MS ? "ok" : "MISSED"}`;
}

async function measureOnce(server: TestServer, { prepare, act }: Step, input: unknown): Promise<BusyTime> {
  const visitor = await createVisitor(browser, server);
  try {
    await prepare(visitor, input);
    await visitor.watch.settle();
    return await busyTime(
      browser,
      async () => {
        await act(visitor, input);
        await sleep(SETTLE_MS);
      },
      visitor.page,
    );
  } finally {
    await visitor.close();
  }
}

async function makeDataDir(files: number): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), "workspace-bench-"));
  await mkdir(join(dataDir, "vault"));
  for (let index = 0; index < files; index += 1) {
    await writeFile(join(dataDir, "vault", `note ${index}.md`), `# Note ${index}\n`);
  }
  return dataDir;
}
