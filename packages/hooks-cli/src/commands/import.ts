import * as fs from "node:fs";
import { basename } from "node:path";
import type { ApiResult, Connection } from "../delivery/api-call.ts";
import { postTranscript, postUsageLines } from "../delivery/workspace-api.ts";
import type { Environment } from "../environment.ts";
import { describeError, tryReadRecord, tryStat, writeFileAtomic } from "../files/atomic-file.ts";
import { type Config, type Switches, readConfig } from "../files/config.ts";
import type { Home } from "../files/home.ts";
import { effectiveSwitches } from "../hook/hook-session.ts";
import { keepMessages } from "../hook/kept-messages.ts";
import { type JsonRecord, numberAt, recordAt } from "../json/json-value.ts";
import { readCleanTranscript, uploadTranscripts } from "../memory/upload-transcripts.ts";
import { readSession, sessionFile, writeSession } from "../memory/session-record.ts";
import { type Project, findProject } from "../project/project.ts";
import { parseArguments } from "../terminal/arguments.ts";
import { counted, print, showProgress } from "../terminal/terminal.ts";
import { type Transcript, findTranscripts } from "../transcript/find-transcripts.ts";
import { type ExportedSession, exportOpencodeSessions } from "../transcript/opencode-sessions.ts";
import { readOldGeminiSessions } from "../transcript/old-gemini-sessions.ts";
import { type PastSession, findAllTranscripts, readPastSession } from "../transcript/past-sessions.ts";
import { readUsage } from "../usage/usage-line.ts";
import { requireHome } from "./targets.ts";

const REQUEST_MS = 30_000;
const MEMORY_MS = 24 * 3_600_000;

/** The size of each transcript when it was imported, by its path: if it has grown, it is read again, which repeats nothing. */
type Progress = Record<string, number>;
interface ImportState {
  /** As usage. */
  readonly transcripts: Progress;
  /** To be read. */
  readonly kept: Progress;
  /** For memories to be taken from it. */
  readonly extracted: Progress;
}

interface Failure {
  readonly message: string;
  /** Whether it would be the same with every other transcript. */
  readonly isGeneral: boolean;
}

/**
 * Imports past transcripts: the usage of sessions, what was said and done in them and, with `--memory`, memories. Can be
 * interrupted and restarted at any time.
 */
export async function runImport(args: readonly string[], environment: Environment): Promise<number> {
  const { values, flags } = parseArguments(args, { values: ["from"], flags: ["memory", "again"] });
  const home = requireHome(environment);
  const config = readConfig(home.config);
  if (config.kind !== "ready") {
    print(config.kind === "missing" ? "Not installed yet." : config.message);
    return 1;
  }
  const { connection } = config.config;
  const root = values["from"];
  if (root !== undefined && tryStat(root)?.isDirectory() !== true) {
    print(`There is no folder ${root}.`);
    return 1;
  }
  if (flags.has("again")) fs.rmSync(home.importState, { force: true });
  const switchesIn = (project: Project | undefined): Switches => effectiveSwitches(config, project, environment);
  const deps: ImportDeps = { home, config: config.config, connection, switchesIn };
  const transcripts =
    root === undefined
      ? [
          ...findAllTranscripts(environment),
          ...(await keepExported(deps, exportOpencodeSessions(process.cwd()))),
          ...(await keepExported(deps, readOldGeminiSessions(environment))),
        ]
      : findTranscripts(root);
  const { stoppedBy, isComplete } = await importAll(deps, transcripts);
  if (stoppedBy !== undefined) {
    print(`Stopped: ${stoppedBy}. Run it again to continue.`);
    return 1;
  }
  const exitCode = flags.has("memory") ? await importMemory(deps, transcripts) : 0;
  return isComplete ? exitCode : 1;
}

interface ImportDeps {
  readonly home: Home;
  readonly config: Config;
  readonly connection: Connection;
  /** Whether what was said in a project, and its usage, may be sent. */
  readonly switchesIn: (project: Project | undefined) => Switches;
}

/** Keeps sessions as if they had been passed on by a hook, so that they are read like others. */
async function keepExported(
  { home, switchesIn }: ImportDeps,
  exported: Iterable<ExportedSession>,
): Promise<readonly PastSession[]> {
  const sessions: PastSession[] = [];
  for (const { id, parentId, folder, messages } of exported) {
    const project = folder === undefined ? undefined : findProject(folder);
    const path = await keepMessages(home, id, messages, switchesIn(project));
    const status = path === undefined ? undefined : tryStat(path);
    if (path === undefined || status === undefined) continue;
    const { size, mtimeMs: modifiedAtMs } = status;
    sessions.push({ path, size, modifiedAtMs, sessionId: parentId ?? id, isSubagent: parentId !== undefined, folder });
  }
  return sessions;
}

interface Total {
  added: number;
  updated: number;
  kept: number;
  /** Sessions in projects in which memory is switched off. */
  withheld: number;
  /** Transcripts in projects in which events are switched off. */
  withheldUsage: number;
}

interface ImportReport {
  /** Why it had to stop; undefined if nothing stopped it. */
  readonly stoppedBy: string | undefined;
  /** Whether no transcript was left out. */
  readonly isComplete: boolean;
}

async function importAll(deps: ImportDeps, transcripts: readonly Transcript[]): Promise<ImportReport> {
  const { home } = deps;
  const state = readState(home);
  const progress = showProgress(transcripts.length);
  const total: Total = { added: 0, updated: 0, kept: 0, withheld: 0, withheldUsage: 0 };
  const leftOut: string[] = [];
  try {
    for (const [index, transcript] of transcripts.entries()) {
      progress.update(index, basename(transcript.path));
      const failure = await importOne(deps, transcript, state, total);
      writeFileAtomic(home.importState, JSON.stringify(state));
      if (failure?.isGeneral === true) return { stoppedBy: failure.message, isComplete: false };
      if (failure !== undefined) leftOut.push(`${transcript.path}: ${failure.message}`);
    }
  } finally {
    progress.finish();
    print(
      `${counted(transcripts.length, "transcript")}: ${counted(total.added, "response")} added, ${total.updated} updated; ${counted(total.kept, "session")} to read.`,
    );
    if (total.withheld > 0)
      print(`Not sent, since memory is off in their projects: ${counted(total.withheld, "session")}.`);
    if (total.withheldUsage > 0)
      print(`Usage not sent, since events are off in their projects: ${counted(total.withheldUsage, "transcript")}.`);
    for (const line of leftOut) print(`Left out: ${line}`);
  }
  return { stoppedBy: undefined, isComplete: leftOut.length === 0 };
}

async function importOne(
  deps: ImportDeps,
  transcript: Transcript,
  state: ImportState,
  total: Total,
): Promise<Failure | undefined> {
  try {
    const session = toPastSession(transcript);
    const project = session.folder === undefined ? undefined : findProject(session.folder);
    return (
      (await importUsage(deps, session, project, state.transcripts, total)) ??
      (await keepTranscript(deps, session, project, state.kept, total))
    );
  } catch (error) {
    return { message: describeError(error), isGeneral: false };
  }
}

function toFailure(result: Exclude<ApiResult<unknown>, { kind: "ok" }>): Failure {
  return { message: result.message, isGeneral: result.kind !== "refused" };
}

function toPastSession(transcript: Transcript | PastSession): PastSession {
  return "folder" in transcript ? transcript : readPastSession(transcript);
}

/** Sends the usage that a transcript records, unless the server has it. What is sent again adds nothing. */
async function importUsage(
  { connection, switchesIn }: ImportDeps,
  { path, size, sessionId }: PastSession,
  project: Project | undefined,
  state: Progress,
  total: Total,
): Promise<Failure | undefined> {
  if (!switchesIn(project).events) {
    total.withheldUsage += 1;
    return undefined;
  }
  if (state[path] === size) return undefined;
  for (const transcript of readUsage(path, 0).parts) {
    const usage = { sessionId, projectPath: project?.identity, transcript };
    const result = await postUsageLines(connection, usage, REQUEST_MS);
    if (result.kind !== "ok") return toFailure(result);
    total.added += result.value.added;
    total.updated += result.value.updated;
  }
  state[path] = size;
  return undefined;
}

/** Sends what was said and done in a session, unless the server has all of it. A subagent's part is not a session. */
async function keepTranscript(
  { connection, switchesIn }: ImportDeps,
  { path, size, sessionId, isSubagent }: PastSession,
  project: Project | undefined,
  state: Progress,
  total: Total,
): Promise<Failure | undefined> {
  if (isSubagent || state[path] === size) return undefined;
  if (!switchesIn(project).memory) {
    total.withheld += 1;
    return undefined;
  }
  const cleaning = { now: Date.now, knownSecrets: [connection.key] };
  const { transcript, problem, ...extent } = readCleanTranscript(path, cleaning, Date.now() + REQUEST_MS);
  if (transcript === undefined) return { message: problem, isGeneral: false };
  if (transcript !== "") {
    const session = {
      sessionId,
      transcript,
      ...extent,
      ...(project !== undefined && { projectPath: project.identity }),
    };
    const result = await postTranscript(connection, session, REQUEST_MS);
    if (result.kind !== "ok") return toFailure(result);
    total.kept += 1;
  }
  state[path] = size;
  return undefined;
}

function readState(home: Home): ImportState {
  const record = tryReadRecord(home.importState) ?? {};
  return {
    transcripts: readProgress(record, "transcripts"),
    kept: readProgress(record, "kept"),
    extracted: readProgress(record, "extracted"),
  };
}

function readProgress(record: JsonRecord, field: string): Progress {
  const known = recordAt(record, field);
  if (known === undefined) return {};
  return Object.fromEntries(Object.keys(known).map((path) => [path, numberAt(known, path) ?? 0]));
}

/** Marks past sessions as ended and pending hand-over; from there they are handled like any other session. */
async function importMemory(
  { home, config, connection, switchesIn }: ImportDeps,
  transcripts: readonly Transcript[],
): Promise<number> {
  const state = readState(home);
  const handedOver: PastSession[] = [];
  for (const transcript of transcripts) {
    const session = tryPastSession(transcript);
    const { path, size, sessionId, isSubagent, folder, modifiedAtMs: endedAtMs } = session;
    if (isSubagent || folder === undefined || state.extracted[path] === size) continue;
    if (readSession(sessionFile(home.sessions, sessionId)) !== undefined) continue;
    const project = findProject(folder);
    if (!switchesIn(project).memory) continue;
    handedOver.push(session);
    writeSession(home.sessions, {
      sessionId,
      transcriptPath: path,
      project: project.identity,
      startedAtMs: endedAtMs,
      endedAtMs,
      isCompacted: false,
      extractedBytes: 0,
      attempts: 0,
      lastAttemptAtMs: 0,
    });
  }
  const deps = { home, config, now: Date.now, knownSecrets: [connection.key] };
  const { uploaded, left, failure } = await uploadTranscripts(deps, MEMORY_MS, true);
  // The record of an ended session is removed when the server has it.
  for (const { path, size, sessionId } of handedOver)
    if (readSession(sessionFile(home.sessions, sessionId)) === undefined) state.extracted[path] = size;
  writeFileAtomic(home.importState, JSON.stringify(state));
  print(`${counted(uploaded, "session")} uploaded for memory, ${left} left.`);
  if (failure !== undefined) print(`Not all could be uploaded: ${failure}`);
  return failure === undefined ? 0 : 1;
}

/** What cannot be read has already been reported, and is of no folder. */
function tryPastSession(transcript: Transcript): PastSession {
  try {
    return toPastSession(transcript);
  } catch {
    return { ...transcript, folder: undefined };
  }
}
