/**
 * What a second visit of the tasks and the documents costs, with 10,000 tasks and 5,000 notes, in Chromium: `npm run bench -- second-visit`.
 * Prints the time until the first rows are shown, and what has been received by when nothing is on its way any more, for a first visit
 * and for later ones, before each of which others have changed 20 tasks.
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { createApiClient, type ApiClient } from "../../e2e/src/api-client.ts";
import { launchBrowser } from "../../e2e/src/browser.ts";
import { buildWorkspace } from "../../e2e/src/build.ts";
import { createManyTasks, createSomeData } from "../../e2e/src/sample-data.ts";
import { startEmbeddedServer } from "../../e2e/src/server-process.ts";
import { createVisitor, type Visitor } from "../../e2e/src/visitor.ts";
import { percentile } from "./model-service.ts";

const TASKS = 10_000;
const NOTES = 5_000;
const VISITS = 7;
const CHANGED = 20;
const GOAL = { firstRowsMs: 400, kilobytes: 30 };

interface Place {
  readonly path: string;
  /** A row of its list. */
  readonly row: string;
}

const PLACES: readonly Place[] = [
  { path: "/tasks?view=list", row: "[data-task-id]" },
  { path: "/documents", row: "[data-path]" },
];

/** Marks when there is such an element. A text, since the page knows no helpers of a compiler. */
function markFirst(selector: string): string {
  return `requestAnimationFrame(function look() {
    if (document.querySelector(${JSON.stringify(selector)}) === null) requestAnimationFrame(look);
    else performance.mark("first-rows");
  });`;
}

interface Visit {
  readonly firstRowsMs: number;
  readonly kilobytes: number;
}

/** Opens a page in a tab of its own, as the next morning. */
async function visit({ context }: Visitor, { path, row }: Place): Promise<Visit> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  let bytes = 0;
  session.on("Network.loadingFinished", ({ encodedDataLength }) => (bytes += encodedDataLength));
  await page.addInitScript(markFirst(row));
  await page.goto(path, { waitUntil: "commit" });
  await page.waitForFunction(() => performance.getEntriesByName("first-rows").length > 0, null, { timeout: 60_000 });
  const firstRowsMs = await page.evaluate(() => performance.getEntriesByName("first-rows")[0]?.startTime ?? 0);
  await page.waitForLoadState("networkidle");
  const visited = { firstRowsMs, kilobytes: bytes / 1000 };
  // The copy is stored a moment after the last change.
  await page.waitForTimeout(2_000);
  await page.close();
  return visited;
}

async function measure(visitor: Visitor, api: ApiClient, ids: readonly string[], place: Place): Promise<void> {
  const first = await visit(visitor, place);
  const later: Visit[] = [];
  for (let round = 0; round < VISITS; round += 1) {
    const changed = Array.from({ length: CHANGED }, (_, index) => ids[(round * CHANGED + index) % ids.length]);
    await api.mutateAll(
      "tasks.update",
      changed.map((id) => ({ id, priority: 1 + (round % 3) })),
    );
    later.push(await visit(visitor, place));
  }
  const of = (part: keyof Visit, share: number): string =>
    percentile(
      later.map((each) => each[part]),
      share,
    ).toFixed(0);
  process.stdout.write(
    `${place.path}: first visit ${first.firstRowsMs.toFixed(0)} ms, ${first.kilobytes.toFixed(0)} KB; ` +
      `later ${of("firstRowsMs", 0.5)} ms (at most ${of("firstRowsMs", 1)}; goal ${GOAL.firstRowsMs}), ` +
      `${of("kilobytes", 0.5)} KB (at most ${of("kilobytes", 1)}; goal ${GOAL.kilobytes})\n`,
  );
}

async function main(): Promise<void> {
  buildWorkspace();
  const vault = await mkdtemp(join(tmpdir(), "workspace-bench-visit-"));
  for (let folder = 0; folder < 50; folder += 1) {
    await mkdir(join(vault, `Folder ${folder}`));
    for (let note = 0; note < NOTES / 50; note += 1) {
      const number = folder * (NOTES / 50) + note;
      await writeFile(
        join(vault, `Folder ${folder}`, `Note ${number}.md`),
        `# Note ${number}\n\nWords of note ${number}.\n`,
      );
    }
  }
  const server = await startEmbeddedServer({ VAULT_PATH: vault });
  const browser = await launchBrowser();
  try {
    const api = await createApiClient(server);
    const { projectIds } = await createSomeData(api);
    await createManyTasks(api, TASKS, [...projectIds.values()]);
    const tasks = await api.query<{ id: string }[]>("tasks.list", { limit: 500 });
    while ((await api.query<unknown[]>("documents.list", {})).length < NOTES)
      await new Promise((resolve) => setTimeout(resolve, 500));
    const visitor = await createVisitor(browser, server, { loadsAhead: false });
    process.stdout.write(`load ${loadavg()[0]?.toFixed(1)}\n`);
    for (const place of PLACES)
      await measure(
        visitor,
        api,
        tasks.map(({ id }) => id),
        place,
      );
  } finally {
    await browser.close();
    await server.close();
    await rm(vault, { recursive: true, force: true });
  }
}

await main();
