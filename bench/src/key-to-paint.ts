/**
 * How soon the dashboard shows what a key or the wheel does, in Chromium, with a vault of 5,000 notes, a note of 5,000 lines and 10,000
 * tasks: `npm run bench -- key-to-paint ["part of a step's name"]`. Prints the time from a key to the frame that follows it, or between
 * frames while scrolling; and the longest task of the page in processor time, which hardly depends on what else the machine does.
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { buildWorkspace } from "../../e2e/src/build.ts";
import { createApiClient } from "../../e2e/src/api-client.ts";
import { launchBrowser } from "../../e2e/src/browser.ts";
import { busyTime } from "../../e2e/src/busy-time.ts";
import { createManyTasks, createSomeData } from "../../e2e/src/sample-data.ts";
import { startEmbeddedServer } from "../../e2e/src/server-process.ts";
import { createVisitor, type Visitor } from "../../e2e/src/visitor.ts";
import { percentile } from "./model-service.ts";
import { EDITOR } from "./page-stalls/desk.ts";

type Page = Visitor["page"];

interface Step {
  readonly name: string;
  readonly goalMs: number;
  prepare(page: Page): Promise<void>;
  act(page: Page): Promise<void>;
}

const NOTES = 5_000;
const TASKS = 10_000;
const LONG_NOTE = "Long.md";
const FRAME_GOAL_MS = 50;
/** Between keys, as somebody types who is fast. */
const KEY_MS = 60;

const SECTION = [
  "## A section\n",
  "Some **words** with a [[note 7]], a #tag and `code`, which are as long as an ordinary paragraph in a note that somebody has written.\n",
  "- [ ] something to do\n- [x] something done\n  - with more below it\n",
  "| a | b |\n| - | - |\n| 1 | 2 |\n",
  "> [!note] A callout\n> with two lines\n",
  "```js\nconst answer = 42; // as an example\n```\n",
  "Words again, and a formula $a^2 + b^2$.\n",
];

function longNote(): string {
  const section = `${SECTION.join("\n")}\n`;
  return section.repeat(Math.ceil(5_000 / (section.split("\n").length - 1)));
}

function keysOf(text: string): string[] {
  return Array.from(text, (key) => (key === " " ? "Space" : key));
}

async function press(page: Page, keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    await page.keyboard.press(key);
    await page.waitForTimeout(KEY_MS);
  }
}

async function scroll(page: Page): Promise<void> {
  await page.mouse.move(800, 500);
  for (let step = 0; step < 150; step += 1) {
    await page.mouse.wheel(0, step < 100 ? 600 : -900);
    await page.waitForTimeout(16);
  }
}

async function openTasks(page: Page, view: "list" | "board"): Promise<void> {
  await page.goto(`/tasks?view=${view}`);
  await page.locator("[data-task-id]").first().waitFor();
}

async function openLongNote(page: Page, view: "Read" | "Write"): Promise<void> {
  await page.goto("/documents");
  await page.locator(`[data-path="${LONG_NOTE}"]`).click();
  await page.locator(`article[aria-label="Long"]`).waitFor();
  if (view === "Read") await page.getByRole("button", { name: view, exact: true }).click();
  await page.locator(view === "Read" ? '[role="document"]:not([aria-busy])' : EDITOR).waitFor();
}

async function openEditor(page: Page): Promise<void> {
  await openLongNote(page, "Write");
  await page.locator(EDITOR).focus();
}

const letters = keysOf("The quick brown fox jumps over the lazy dog, twice. ");

const STEPS: readonly Step[] = [
  {
    name: "scrolling a note of 5,000 lines that is read",
    goalMs: FRAME_GOAL_MS,
    prepare: (page) => openLongNote(page, "Read"),
    act: scroll,
  },
  {
    name: "scrolling a note of 5,000 lines that is written",
    goalMs: FRAME_GOAL_MS,
    prepare: (page) => openLongNote(page, "Write"),
    act: scroll,
  },
  {
    name: "scrolling the list of 10,000 tasks",
    goalMs: FRAME_GOAL_MS,
    prepare: (page) => openTasks(page, "list"),
    act: scroll,
  },
  {
    name: "scrolling the board of 10,000 tasks",
    goalMs: FRAME_GOAL_MS,
    prepare: (page) => openTasks(page, "board"),
    act: scroll,
  },
  {
    name: "a key in the list of 10,000 tasks",
    goalMs: FRAME_GOAL_MS,
    prepare: (page) => openTasks(page, "list"),
    act: (page) => press(page, [...Array.from({ length: 80 }, () => "j"), ...Array.from({ length: 40 }, () => "k")]),
  },
  {
    name: "a key in the tree of 5,000 notes",
    goalMs: FRAME_GOAL_MS,
    prepare: async (page) => {
      await page.goto("/documents");
      await page.locator(`[data-path="${LONG_NOTE}"]`).focus();
    },
    act: (page) =>
      press(page, [...Array.from({ length: 80 }, () => "ArrowDown"), ...Array.from({ length: 40 }, () => "ArrowUp")]),
  },
  {
    name: "a letter at the beginning of a note of 5,000 lines",
    goalMs: FRAME_GOAL_MS,
    prepare: openEditor,
    act: async (page) => {
      await page.keyboard.press("Control+Home");
      await press(page, [...letters, ...letters]);
    },
  },
  {
    name: "a letter at the end of a note of 5,000 lines",
    goalMs: FRAME_GOAL_MS,
    prepare: openEditor,
    act: async (page) => {
      await page.keyboard.press("Control+End");
      await press(page, [...letters, "Enter", ...letters, "Enter"]);
    },
  },
  {
    name: "a letter in the palette",
    goalMs: FRAME_GOAL_MS,
    prepare: async (page) => {
      await openTasks(page, "list");
      await page.keyboard.press("Control+k");
      await page.getByRole("dialog").getByRole("combobox").waitFor();
    },
    act: async (page) => {
      for (const word of ["note 12", "section", "paragraph", "words"]) {
        await press(page, keysOf(word));
        await press(
          page,
          Array.from({ length: word.length }, () => "Backspace"),
        );
      }
    },
  },
];

/** Collects the time from each key to the frame after it, and between frames. A text, since the page knows no helpers of a compiler. */
const WATCH_PAINTS = `
  window.paints = [];
  window.frames = [];
  addEventListener("keydown", ({ timeStamp }) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => window.paints.push(performance.now() - timeStamp);
    port2.postMessage(null);
  }), true);
  let last = performance.now();
  requestAnimationFrame(function onFrame(now) {
    window.frames.push(now - last);
    last = now;
    requestAnimationFrame(onFrame);
  });
`;

interface Paints {
  readonly paints: readonly number[];
  readonly frames: readonly number[];
}

async function measure(step: Step, visitor: Visitor): Promise<void> {
  const { page, watch } = visitor;
  await step.prepare(page);
  await watch.settle();
  await page.waitForTimeout(1_000);
  await page.evaluate(WATCH_PAINTS);
  const { taskMs } = await busyTime(browser, () => step.act(page));
  const { paints, frames } = await page.evaluate<Paints>("({ paints, frames })");
  const [what, times] = paints.length > 0 ? ["from a key to its frame", paints] : ["between frames", frames];
  const p95 = percentile(times, 0.95);
  const late =
    paints.length > 0 ? "" : `, ${times.filter((time) => time > step.goalMs).length} of ${times.length} longer`;
  console.log(
    `${step.name}\n  ${what} p50 ${percentile(times, 0.5)}, p95 ${p95} ms (goal ${step.goalMs}, ${p95 <= step.goalMs ? "ok" : "MISSED"}${late}), longest task ${taskMs.toFixed(1)} ms of processor time (goal ${step.goalMs}, ${taskMs <= step.goalMs ? "ok" : "MISSED"}); load ${loadavg()[0]?.toFixed(1)}`,
  );
}

const wanted = process.argv[2] ?? "";
buildWorkspace();
const dataDir = await mkdtemp(join(tmpdir(), "workspace-bench-"));
await mkdir(join(dataDir, "vault"));
await writeFile(join(dataDir, "vault", LONG_NOTE), longNote());
for (let index = 0; index < NOTES; index += 1)
  await writeFile(
    join(dataDir, "vault", `note ${index}.md`),
    `# Note ${index}\n\nWords of a paragraph in section ${index % 50}.\n`,
  );
const server = await startEmbeddedServer({ DATA_DIR: dataDir });
const browser = await launchBrowser();
try {
  const api = await createApiClient(server);
  const { projectIds } = await createSomeData(api);
  await createManyTasks(api, TASKS, [...projectIds.values()]);
  for (const step of STEPS.filter(({ name }) => name.includes(wanted))) {
    const visitor = await createVisitor(browser, server);
    try {
      await measure(step, visitor);
    } finally {
      await visitor.close();
    }
  }
} finally {
  await browser.close();
  await server.close();
  await rm(dataDir, { recursive: true, force: true });
}
