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
import type { RecordHookEvent } from "@workspace/core";
import type { Pool } from "@workspace/db";
import { lineKeys } from "../../packages/core/src/assistants/file-history/written-lines.ts";
import { readClaudeInput } from "../../packages/hooks-cli/src/harness/claude-code.ts";
import { toEvent } from "../../packages/hooks-cli/src/hook/event-record.ts";
import { withBenchDatabase } from "./bench-database.ts";
import { readSources } from "./memory-citations/repository.ts";
import { percentile } from "./model-service.ts";
import { seedHookEvents } from "./seed.ts";
import { createRandom } from "./vault-notes.ts";
import { History, type LabelledEdit, type Step } from "./why/history.ts";

const [histories = 100, events = 1_000_000] = process.argv.slice(2).map(Number);
const QUESTIONS = 5;
const FIRST = 3;
const GOAL = { share: 0.9, ms: 200 };
const COST_ROUNDS = 1000;
const MINUTE_MS = 60_000;

/** So many of the events changed a file: 15 lines each, every fifth of which is one of 2,000 that are common. */
const TOUCHES = `
  INSERT INTO file_touches (event_id, path, session_id, project, root, is_whole, written_keys, created_at)
  SELECT id, 'src/file-' || (5000 * random() ^ 3)::int || '.ts', session_id, 'project-' || (random() * 20)::int,
    '/home/ada/project', random() < 0.1, CASE WHEN random() < 0.1 THEN $2::int[] ELSE '{}' END || ARRAY(
      SELECT CASE WHEN n % 5 = 0 THEN (random() * 2000)::int ELSE (random() * 4e9 - 2e9)::int END
      FROM generate_series(1, 15) AS n WHERE id IS NOT NULL), created_at
  FROM hook_events WHERE event_type = 'PostToolUse' LIMIT $1`;

/** A file that was written as a whole again and again. */
const OVERWRITES = `
  INSERT INTO file_touches (event_id, path, session_id, project, root, is_whole, written_keys, created_at)
  SELECT gen_random_uuid(), 'src/whole.ts', 'session-' || n, 'project-1', '/home/ada/project', true, $1::int[], now()
  FROM generate_series(1, 500) AS n`;

const PACKAGES = join(import.meta.dirname, "../../packages");

await withBenchDatabase(async (db) => {
  const deps = createTestDeps(db);
  const hookEvents = createHookEventService(deps);
  const fileHistory = createFileHistoryService({ db });
  const sources = readSources(PACKAGES).map(({ text }) => text);
  const header = (sources[0] ?? "").split("\n").slice(0, 30).join("\n");
  const long = sources.join("\n").slice(0, 50_000);
  await seed(db.pool);

  const results: (LabelledEdit & { readonly found: readonly string[]; readonly hasPrompt: boolean })[] = [];
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
  report(results);
  console.log(`with its prompt: ${percent(results.filter(({ hasPrompt }) => hasPrompt).length, results.length)}`);

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
  await measureCost();

  async function seed(pool: Pool): Promise<void> {
    const startedAt = performance.now();
    await seedHookEvents(pool, events);
    const common = lineKeys(header).slice(0, 20);
    const { rowCount } = await pool.query(TOUCHES, [Math.round(events * 0.15), common]);
    await pool.query(OVERWRITES, [lineKeys(long)]);
    await pool.query("VACUUM ANALYZE hook_events, file_touches");
    const { rows } = await pool.query<Record<string, string>>(`
      SELECT pg_size_pretty(pg_table_size('file_touches')) AS touches, pg_size_pretty(pg_indexes_size('file_touches')) AS indexes,
             pg_size_pretty(pg_total_relation_size('hook_events')) AS "hook events"`);
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    console.log(`${events} events, ${rowCount} changes of files, in ${seconds} s:`, rows[0]);
  }

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

  /** One event after the other: one that changes no file, and one that writes 15 lines, with and without recording them. */
  async function measureCost(): Promise<void> {
    const random = createRandom(5);
    const taken = {
      "no change of a file": [] as number[],
      "15 lines, not recorded": [] as number[],
      "15 lines": [] as number[],
    };
    for (let round = 0; round < COST_ROUNDS; round += 1) {
      const lines = Array.from({ length: 15 }, () => `const value${random(1e9)} = compute(${random(1e9)});`);
      const tool_input = {
        file_path: `/bench/cost/src/file-${random(1000)}.ts`,
        old_string: "",
        new_string: lines.join("\n"),
      };
      const step = (tool: object): Step => ({
        event: "PostToolUse",
        folder: "/bench/cost",
        payload: { session_id: "cost", ...tool },
      });
      const edit = toRecorded(step({ tool_name: "Edit", tool_input }), Date.now());
      const kinds: readonly [keyof typeof taken, RecordHookEvent][] = [
        [
          "no change of a file",
          toRecorded(step({ tool_name: "Bash", tool_input: { command: lines.join("\n") } }), Date.now()),
        ],
        ["15 lines, not recorded", { ...edit, id: undefined, eventType: "PreToolUse" }],
        ["15 lines", edit],
      ];
      for (const [name, event] of kinds) {
        const startedAt = performance.now();
        await hookEvents.record(event);
        taken[name].push(performance.now() - startedAt);
      }
    }
    for (const [name, values] of Object.entries(taken))
      console.log(`storing an event, ${name}: p50 ${percentile(values, 0.5)} ms, p95 ${percentile(values, 0.95)} ms`);
  }
});

/** As the hooks CLI sends it. */
function toRecorded({ event, payload, folder: projectDir }: Step, atMs: number): RecordHookEvent {
  return toEvent({
    id: crypto.randomUUID(),
    occurredAt: new Date(atMs),
    harness: "claude-code",
    input: readClaudeInput({ event }, payload),
    projectDir,
    project: projectDir,
    verdict: undefined,
    exitCode: 0,
    turn: undefined,
    durationMs: 10,
    hookScript: "",
    health: undefined,
    knownSecrets: [],
  });
}

function report(results: readonly (LabelledEdit & { readonly found: readonly string[] })[]): void {
  const fates = [...new Set(results.map(({ fate }) => fate))].toSorted();
  console.log("what was done to the lines last".padEnd(40), "count", " why", " first", " blame", "  path");
  for (const fate of ["all", ...fates]) {
    const some = results.filter((edit) => fate === "all" || edit.fate === fate);
    const share = (list: (edit: (typeof results)[number]) => readonly string[], first: number) =>
      percent(some.filter((edit) => list(edit).slice(0, first).includes(edit.author)).length, some.length);
    const shares = [
      share(({ found }) => found, FIRST),
      share(({ found }) => found, 1),
      share(({ byBlame }) => byBlame, FIRST),
      share(({ byPath }) => byPath, FIRST),
    ];
    console.log(fate.padEnd(40), String(some.length).padStart(5), shares.join(" "));
  }
  const right = results.filter(({ found, author }) => found.includes(author)).length / results.length;
  console.log(
    `right among the first ${FIRST}: goal ${percent(GOAL.share, 1)}, ${right >= GOAL.share ? "ok" : "MISSED"}`,
  );
}

function percent(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(1)} %`.padStart(7);
}

function reportTimes(name: string, times: readonly number[]): void {
  const p95 = percentile(times, 0.95);
  const verdict = p95 <= GOAL.ms ? "ok" : "MISSED";
  const slowest = percentile(times, 1);
  console.log(
    `${name}: p50 ${percentile(times, 0.5)}, p95 ${p95}, slowest ${slowest} ms (goal: ${GOAL.ms} ms, ${verdict})`,
  );
}
