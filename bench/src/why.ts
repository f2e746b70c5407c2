/**
 * How often the session that wrote lines is among the first three that `why` names, beside simple alternatives; how long that
 * takes among a million events; and what recording the lines costs:
 *
 *   npm run bench -- why [histories=100] [events=1000000]
 *
 * Each history has 40 sessions that change the same six files, with lines of this repository; of each, five runs of lines are
 * asked about.
 */
import { join } from "node:path";
import { createFileHistoryService, createHookEventService, createTestDeps } from "@workspace/core/testing";
import { withBenchDatabase } from "./bench-database.ts";
import { readSources } from "./memory-citations/repository.ts";
import { createRandom } from "./vault-notes.ts";
import { History } from "./why/history.ts";
import { toRecorded } from "./why/recorded-step.ts";
import { measureRecordingCost } from "./why/recording-cost.ts";
import { FIRST, reportAuthors, reportTimes, type AskedEdit } from "./why/report.ts";
import { seedFileTouches } from "./why/seed.ts";

const [histories = 100, events = 1_000_000] = process.argv.slice(2).map(Number);
const QUESTIONS = 5;
const MINUTE_MS = 60_000;
const PACKAGES = join(import.meta.dirname, "../../packages");

await withBenchDatabase(async (db) => {
  const deps = createTestDeps(db);
  const hookEvents = createHookEventService(deps);
  const fileHistory = createFileHistoryService({ db });
  const sources = readSources(PACKAGES).map(({ text }) => text);
  const header = (sources[0] ?? "").split("\n").slice(0, 30).join("\n");
  const long = sources.join("\n").slice(0, 50_000);
  await seedFileTouches(db.pool, events, { header, long });

  const results: AskedEdit[] = [];
  const times: number[] = [];
  for (let number = 1; number <= histories; number += 1) {
    const random = createRandom(number * 7919);
    for (let count = 0; count < 10; count += 1) random(2);
    const history = new History(`history-${number}`, sources, random);
    const startMs = Date.now() - history.steps.length * MINUTE_MS;
    for (let at = 0; at < history.steps.length; at += 400)
      await hookEvents.recordBatch(
        history.steps.slice(at, at + 400).map((step, index) => toRecorded(step, startMs + (at + index) * MINUTE_MS)),
      );
    for (const edit of history.label(QUESTIONS)) {
      const { ms, why } = await ask({ path: edit.path, lines: edit.lines, projectPath: `/bench/history-${number}` });
      times.push(ms);
      const found = why.sessions.slice(0, FIRST);
      const hasPrompt = found.some(
        ({ sessionId, prompt }) => sessionId === edit.author && prompt?.text === edit.prompt,
      );
      results.push({ ...edit, found: found.map(({ sessionId }) => sessionId), hasPrompt });
    }
  }
  reportAuthors(results);
  reportTimes("labelled edits", times);
  const project = { projectPath: "project-1" };
  await time("a line in the file that was changed most", {
    path: "src/file-0.ts",
    lines: header.slice(0, 200),
    ...project,
  });
  await time("50,000 characters of it", { path: "src/file-0.ts", lines: long, ...project });
  await time("… in any project", { path: "src/file-0.ts", lines: long });
  await time("50,000 characters of a file that was overwritten 500 times", { path: "src/whole.ts", lines: long });
  await time("the file alone", { path: "src/file-0.ts", ...project });
  await time("lines of a tenth of all edits, in an unknown file", { path: "src/none.ts", lines: header });
  await measureRecordingCost(hookEvents);

  async function ask(question: { readonly path: string; readonly lines?: string; readonly projectPath?: string }) {
    const startedAt = performance.now();
    const why = await fileHistory.why({ ...question, limit: 5 });
    return { ms: performance.now() - startedAt, why };
  }

  async function time(name: string, question: Parameters<typeof ask>[0]): Promise<void> {
    const taken: number[] = [];
    for (let round = 0; round < 30; round += 1) taken.push((await ask(question)).ms);
    reportTimes(name, taken);
  }
});
