import * as fs from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { urlAt } from "../delivery/server-url.ts";
import { askWhy } from "../delivery/workspace-api.ts";
import type { Environment } from "../environment.ts";
import { readConfig } from "../files/config.ts";
import { type JsonRecord, arrayAt, isRecord, numberAt, recordAt, stringAt } from "../json/json-value.ts";
import { findProject } from "../project/project.ts";
import { redactText } from "../redaction/redact.ts";
import { UsageError, parseArguments } from "../terminal/arguments.ts";
import { print } from "../terminal/terminal.ts";
import { requireHome } from "./targets.ts";

const DEADLINE_MS = 10_000;
/** The server accepts no more. */
const MAX_LENGTH = 50_000;
const MAX_EXCERPT_LENGTH = 160;

/** `why <path>[:line[-line]]`: the sessions that wrote these lines of a file, or all of it. Exits with 1 if none is known. */
export async function runWhy(args: readonly string[], environment: Environment): Promise<number> {
  const { positionals, values, flags } = parseArguments(args, { values: ["limit"], flags: ["json"] });
  const given = positionals[0] ?? "";
  const [, named, from, to = from] = /^(.+?)(?::(\d+)(?:-(\d+))?)?$/.exec(given) ?? [];
  // The name of a file may end like a line number.
  const isName = named !== undefined && fs.existsSync(given);
  const file = isName ? given : named;
  const range = isName || from === undefined ? undefined : ([Number(from), Number(to)] as const);
  if (file === undefined) throw new UsageError("why <path>[:line[-line]] [--limit <sessions>] [--json]");
  const config = readConfig(requireHome(environment).config);
  if (config.kind !== "ready") throw new UsageError("No server is configured. Run workspace-hooks install.");
  if (!fs.existsSync(file)) throw new UsageError(`${file} does not exist.`);
  if (!fs.statSync(file).isFile()) throw new UsageError(`${file} is not a file.`);
  // Its folder may be a link; what the file itself leads to may be in another project.
  const path = join(fs.realpathSync(dirname(file)), basename(file));
  const project = findProject(dirname(path));
  const question = {
    path: relative(project.root, path).replaceAll("\\", "/"),
    projectPath: project.identity,
    lines: readLines(path, range),
    ...(values["limit"] !== undefined && { limit: Number(values["limit"]) }),
  };
  const { connection } = config.config;
  const result = await askWhy(connection, question, DEADLINE_MS);
  if (result.kind !== "ok") throw new UsageError(`The server did not say: ${result.message}.`);
  if (flags.has("json")) print(JSON.stringify(result.value, null, 2));
  else printAnswer(result.value, connection.server);
  return (arrayAt(result.value, "sessions") ?? []).length > 0 ? 0 : 1;
}

/** Without secrets, as the lines were recorded. Throws UsageError unless the file has them. */
function readLines(path: string, range: readonly [first: number, last: number] | undefined): string {
  const lines = fs.readFileSync(path, "utf8").split(/(?<=\n)/);
  const [first, last] = range ?? [1, lines.length];
  if (first > last)
    throw new UsageError(`Lines ${first}-${last} are in the wrong order: the first comes before the last.`);
  if (range !== undefined && (first < 1 || last > lines.length))
    throw new UsageError(
      `${path} has lines 1 to ${lines.length}, not ${first === last ? first : `${first} to ${last}`}.`,
    );
  const asked = lines.slice(first - 1, last);
  return redactText(asked.join("").slice(0, MAX_LENGTH)).value.slice(0, MAX_LENGTH);
}

const ROLES: Readonly<Record<string, (lines: string) => string>> = {
  wrote: (lines) => `wrote ${lines}`,
  wrote_before: (lines) => `wrote ${lines}, which others wrote again since`,
  wrote_elsewhere: (lines) => `wrote ${lines} in another file`,
  changed_file: () => "changed the file",
};

function printAnswer(answer: JsonRecord, server: string): void {
  const total = numberAt(answer, "lines") ?? 0;
  const sessions = (arrayAt(answer, "sessions") ?? []).filter(isRecord);
  if (sessions.length === 0) print("No session is known to have written them.");
  for (const session of sessions) {
    const describe = ROLES[stringAt(session, "role") ?? ""] ?? (() => "shaped them");
    const lines = `${numberAt(session, "lines") ?? 0} of ${total} lines`;
    print(`${stringAt(session, "sessionId")} ${describe(lines)} (${stringAt(session, "touchedAt")})`);
    const prompt = recordAt(session, "prompt");
    if (prompt !== undefined) print(`  asked: ${excerpt(prompt, "text")}`);
    printMemories(session, "learnt");
    print(`  ${urlAt(server, stringAt(session, "link") ?? "/")?.href ?? server}`);
  }
  printMemories(answer, "known of the file");
}

function printMemories(record: JsonRecord, label: string): void {
  for (const memory of (arrayAt(record, "memories") ?? []).filter(isRecord))
    print(`  ${label}: ${excerpt(memory, "content")}`);
}

function excerpt(record: JsonRecord, field: string): string {
  const text = (stringAt(record, field) ?? "").replaceAll(/\s+/g, " ").trim();
  return text.length > MAX_EXCERPT_LENGTH ? `${text.slice(0, MAX_EXCERPT_LENGTH)}…` : text;
}
