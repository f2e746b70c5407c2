/**
 * What Lighthouse says about each page with 10,000 tasks and 1,000 notes, on a desktop and on a phone:
 *
 *   npm run bench -- lighthouse [path …]
 *
 * Lighthouse comes from npm for the run. Its performance is that of a first visit, and is worth something on a quiet machine only.
 */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import * as z from "zod";
import { createApiClient } from "../../e2e/src/api-client.ts";
import { findChromium } from "../../e2e/src/browser.ts";
import { buildWorkspace } from "../../e2e/src/build.ts";
import { createManyTasks, createSomeData } from "../../e2e/src/sample-data.ts";
import { startEmbeddedServer } from "../../e2e/src/server-process.ts";

const LIGHTHOUSE = "lighthouse@12.8.2";
const TASKS = 10_000;
const NOTES = 1_000;
const PATHS = [
  "/",
  "/tasks?view=list",
  "/tasks?view=board",
  "/documents",
  "/chat",
  "/agents",
  "/memory",
  "/hooks",
  "/projects",
  "/secrets",
  "/connect",
  "/usage",
  "/settings",
  "/deleted",
  "/sign-in",
];
const FORMS = { desktop: ["--preset=desktop"], phone: [] } as const;
const GOAL = { performance: 90, accessibility: 100 };
const MAX_REPORT_BYTES = 64 * 1024 * 1024;

const reportSchema = z.object({
  categories: z.object({
    performance: z.object({ score: z.number().nullable() }),
    accessibility: z.object({
      score: z.number().nullable(),
      auditRefs: z.array(z.object({ id: z.string(), weight: z.number() })),
    }),
  }),
  audits: z.record(z.string(), z.object({ score: z.number().nullable(), displayValue: z.string().optional() })),
});
const run = promisify(execFile);

/** Has a page looked at in a browser of its own, as a user who has never been there. */
async function look(url: string, cookie: string, options: readonly string[]): Promise<string> {
  const { stdout } = await run(
    "npx",
    [
      "-y",
      LIGHTHOUSE,
      url,
      "--quiet",
      "--output=json",
      "--only-categories=performance,accessibility",
      `--extra-headers=${JSON.stringify({ cookie })}`,
      "--chrome-flags=--headless --no-sandbox --disable-gpu --disable-dev-shm-usage",
      ...options,
    ],
    { maxBuffer: MAX_REPORT_BYTES, env: { ...process.env, CHROME_PATH: findChromium() } },
  );
  const { categories, audits } = reportSchema.parse(JSON.parse(stdout));
  const { performance, accessibility } = categories;
  const percent = (score: number | null) => Math.round((score ?? 0) * 100);
  const judged = (name: keyof typeof GOAL, score: number | null) =>
    `${name} ${percent(score)} (goal ${GOAL[name]}, ${percent(score) >= GOAL[name] ? "ok" : "MISSED"})`;
  const found = accessibility.auditRefs.filter(({ id, weight }) => weight > 0 && audits[id]?.score === 0);
  return [
    judged("performance", performance.score),
    judged("accessibility", accessibility.score),
    ...["largest-contentful-paint", "total-blocking-time", "cumulative-layout-shift"].map(
      (id) => `${id} ${audits[id]?.displayValue ?? "unknown"}`,
    ),
    ...found.map(({ id }) => `found ${id}`),
  ].join(", ");
}

const paths = process.argv.length > 2 ? process.argv.slice(2) : PATHS;
buildWorkspace();
const vault = await mkdtemp(join(tmpdir(), "workspace-bench-lighthouse-"));
for (let note = 0; note < NOTES; note += 1) {
  const folder = join(vault, `Folder ${note % 20}`);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `Note ${note}.md`), `# Note ${note}\n\nWords of note ${note}.\n`);
}
const server = await startEmbeddedServer({ VAULT_PATH: vault });
try {
  const api = await createApiClient(server);
  const { projectIds } = await createSomeData(api);
  await createManyTasks(api, TASKS, [...projectIds.values()]);
  for (const [form, options] of Object.entries(FORMS))
    for (const path of paths) {
      const cookie = path.startsWith("/sign-") ? "" : api.cookie;
      const said = await look(`${server.url}${path}`, cookie, options);
      process.stdout.write(`${path} on a ${form}: ${said}; load ${loadavg()[0]?.toFixed(1)}\n`);
    }
} finally {
  await server.close();
  await rm(vault, { recursive: true, force: true });
}
