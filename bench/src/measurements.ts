/**
 * Measures the goals' figures one after the other and writes what each program prints to `docs/measurements.md`, with the
 * machine, the date and the commit; sections of programs that were not run stay as they are:
 *
 *   npm run bench -- measurements [program, or "program with its arguments" …]
 *
 * All of them take several hours. The machine has to be quiet: the load before each is recorded too.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { cpus, loadavg, totalmem, type } from "node:os";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");
const RECORD = join(ROOT, "docs/measurements.md");

/** The commands by area, in the order of the document. */
const AREAS: Readonly<Record<string, readonly string[]>> = {
  Requests: ["main", "growth", "observing", "filters", "fan-out 500", "slow-client", "soak 60"],
  "The main thread and the page": [
    "worst-inputs",
    "largest-requests",
    "page-stalls",
    "key-to-paint",
    "second-visit",
    "lighthouse",
    "session-view",
  ],
  Search: [
    "memory-search 100000 3000",
    "memory-search 1000000 300",
    "memory-store",
    "search-all",
    "session-search",
    "memory-questions",
    "memory-labelled-set",
  ],
  "Files and notes": ["vault-mirror 20000 30000 200", "link-updates", "tags-and-graph", "two-writers"],
  Hooks: ["hooks-cli-latency 60", "hook-statistics", "hook-event-storage", "approval-latency", "undo-latency", "why"],
  "Backup and removal": ["backup", "backup-load"],
  "Nothing lost": [
    "offline-hour",
    "kill 500 service",
    "kill 500 database",
    "vault-kills 500 service",
    "vault-kills 500 database",
    "power-cuts 34",
    "vault-outside-edits 60",
    "secret-rotation-kills",
    "three-processes 10",
    "rolling-upgrade 10",
    "rolling-upgrade 10 haproxy",
    "replication",
    "scheduler 50 600",
    "task-queue",
    "chat-resume 1000",
    "hooks-cli-delivery 10000 20",
    "hooks-cli-settings 1000 200",
    "approval-kills",
    "secret-plaintext",
  ],
  Quality: ["capture-phrases", "memory-citations", "dependencies"],
};

const INTRODUCTION = `# Measurements

What the programs of [bench](../bench/README.md) print, each with the command that repeats it. Written by
\`npm run bench -- measurements\`, which replaces the sections of the programs that it runs. A figure counts only beside the load of
the machine before it: with two cores, above 1 it is of a busy machine.
`;

interface Section {
  readonly command: string;
  readonly text: string;
}

const wanted = process.argv.slice(2);
const all = Object.values(AREAS).flat();
const unknown = wanted.filter((name) => !all.some((command) => isNamed(command, [name])));
if (unknown.length > 0) throw new Error(`Not measured here: ${unknown.join(", ")}.`);

for (const command of all) {
  if (wanted.length > 0 && !isNamed(command, wanted)) continue;
  console.log(`\n${command}`);
  const section = { command, text: await measure(command) };
  // Written after each, so that the record of what was measured survives an interruption.
  const record = existsSync(RECORD) ? await readFile(RECORD, "utf8") : "";
  await writeFile(RECORD, render([...parse(record).filter((other) => other.command !== command), section]));
}

/** Runs a program, shows what it prints, and returns that with where and when it was measured. */
async function measure(command: string): Promise<string> {
  const [program = "", ...args] = command.split(" ");
  const load = loadavg()[0] ?? 0;
  const startedAt = new Date();
  const child = spawn(process.execPath, [...process.execArgv, join(import.meta.dirname, `${program}.ts`), ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  let printed = "";
  for await (const chunk of child.stdout.setEncoding("utf8")) {
    process.stdout.write(String(chunk));
    printed += String(chunk);
  }
  const code = await ended;
  const minutes = ((Date.now() - startedAt.getTime()) / 60_000).toFixed(1);
  const where = `${startedAt.toISOString().slice(0, 10)}, ${commit()}, ${machine()}, load before ${load.toFixed(1)}, ${minutes} min`;
  const failure = code === 0 ? "" : `\nIt ended with code ${code}: a goal was missed, or it failed.\n`;
  return `${where}\n${failure}\n\`\`\`text\n${printed.trim()}\n\`\`\``;
}

/** Whether one of the names is that of the program, or the command with its arguments. */
function isNamed(command: string, names: readonly string[]): boolean {
  return names.some((name) => name === command || name === command.split(" ")[0]);
}

/** The sections of a record that is to be written anew. */
function parse(record: string): Section[] {
  return record
    .split(/^(?=### )/m)
    .slice(1)
    .map((part) => {
      const [heading = "", ...lines] = part.split("\n");
      const command = /^### `npm run bench -- (.*)`$/.exec(heading)?.[1] ?? "";
      const [text = ""] = lines.join("\n").split(/^## /m);
      return { command, text: text.trim() };
    });
}

function render(sections: readonly Section[]): string {
  const byCommand = new Map(sections.map((section) => [section.command, section.text]));
  const areas = Object.entries(AREAS).map(([area, commands]) => {
    const measured = commands.flatMap((command) => {
      const text = byCommand.get(command);
      return text === undefined ? [] : [`### \`npm run bench -- ${command}\`\n\n${text}\n`];
    });
    const missing = commands.filter((command) => !byCommand.has(command));
    const open =
      missing.length === 0 ? [] : [`Not recorded yet: ${missing.map((name) => `\`${name}\``).join(", ")}.\n`];
    return [`## ${area}\n`, ...open, ...measured].join("\n");
  });
  return [INTRODUCTION, ...areas].join("\n");
}

function commit(): string {
  const git = (...args: string[]) => spawnSync("git", args, { cwd: ROOT, encoding: "utf8" }).stdout.trim();
  const isChanged = git("status", "--porcelain", "--", ":!docs/measurements.md") !== "";
  return `commit ${git("rev-parse", "--short=8", "HEAD")}${isChanged ? " with changes" : ""}`;
}

function machine(): string {
  const processors = cpus();
  const gigabytes = Math.round(totalmem() / 1024 ** 3);
  const model = processors[0]?.model.trim() ?? "unknown";
  return `${processors.length} × ${model}, ${gigabytes} GB, ${type()}, Node ${process.version}`;
}
