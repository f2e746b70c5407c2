import * as fs from "node:fs";
import { join } from "node:path";
import { hasCode, statIfExists, tryRead } from "../files/atomic-file.ts";
import { asFailure, type HarnessId, type HookInput } from "../harness/harness.ts";
import { findHarness } from "../harness/registry.ts";
import { sha256 } from "../files/sha256.ts";
import { toHex } from "../hook/event-id.ts";
import { parseRecord } from "../json/json-value.ts";
import { exitCodes } from "./codex-exit-codes.ts";
import { uuid } from "./spool-call.ts";

/** What was passed to a hook after a call, in the file that its shell, or opencode's plugin, has kept. */
export interface KeptCall {
  readonly path: string;
  /** The same whenever and by whom the file is read; those of later calls are greater. */
  readonly id: string;
  readonly harness: HarnessId;
  readonly input: HookInput<"PostToolUse" | "PostToolUseFailure">;
  readonly occurredAt: Date;
}

/** The file that hooks write to learn the time. */
const CLOCK_FILE = "now";

/** A file that is not whole after so long was left behind by a process that died. */
const UNFINISHED_MS = 60_000;

/**
 * The calls in a folder, in their order. The files' names are numbers, which mostly increase, and the assistant: `4711.codex`,
 * `4711-2.opencode`. One that is still being written is left for the next time, and one that says nothing about a call is removed.
 */
export function keptCalls(folder: string, nowMs: number): readonly KeptCall[] {
  const files = namesIn(folder)
    .filter((name) => name !== CLOCK_FILE)
    .flatMap((name) => {
      const path = join(folder, name);
      const status = statIfExists(path);
      const number = Number(/^(?:\d+-)?(\d+)\./.exec(name)?.[1] ?? 0);
      return status === undefined ? [] : [{ name, path, number, atMs: status.mtimeMs }];
    })
    .toSorted((one, other) => one.atMs - other.atMs || one.number - other.number);
  const calls = files.flatMap((file) => {
    const text = tryRead(file.path) ?? "";
    const call = readCall(file.name, text);
    if (call !== undefined)
      return [{ ...call, path: file.path, id: callId(file, text), occurredAt: new Date(file.atMs) }];
    if (parseRecord(text) !== undefined || Math.abs(nowMs - file.atMs) > UNFINISHED_MS)
      fs.rmSync(file.path, { force: true });
    return [];
  });
  return withExitCodes(calls);
}

/** Several calls may have the same time, to the millisecond. */
function callId({ name, number, atMs }: { name: string; number: number; atMs: number }, text: string): string {
  const start = toHex(Math.floor(atMs), 12) + toHex(number, 3);
  return uuid(start + sha256(`${name} ${atMs} ${text}`));
}

function readCall(name: string, text: string): Pick<KeptCall, "harness" | "input"> | undefined {
  const harness = findHarness(name.slice(name.lastIndexOf(".") + 1));
  const payload = parseRecord(text);
  const event = harness?.events.find((each) => each.name === payload?.["hook_event_name"]);
  if (harness === undefined || payload === undefined || event === undefined) return undefined;
  const input = harness.readInput(event, payload);
  if (input?.event !== "PostToolUse" && input?.event !== "PostToolUseFailure") return undefined;
  return { harness: harness.id, input: { ...input, event: input.event } };
}

/** Codex's transcript says which commands have failed: a hook looks at its end, but it may have grown since. */
function withExitCodes(calls: readonly KeptCall[]): readonly KeptCall[] {
  const commands = calls.filter(
    ({ harness, input }) => harness === "codex" && input.event === "PostToolUse" && input.tool?.name === "Bash",
  );
  const codes = exitCodes(new Set(commands.map(({ input }) => input.transcriptPath ?? "")));
  return calls.map((call) => {
    const code = commands.includes(call) ? codes.get(call.input.tool?.useId ?? "") : undefined;
    if (code === undefined || code === 0) return call;
    return { ...call, input: { ...asFailure(call.input, `exit code ${code}`), event: "PostToolUseFailure" } };
  });
}

/** The folders of sessions with calls. */
export function keptFolders(directory: string): readonly string[] {
  return namesIn(directory)
    .filter((name) => !name.endsWith(".lock"))
    .map((name) => join(directory, name));
}

/** Removes the folder of a session, unless something has been kept in it meanwhile. */
export function removeIfEmpty(folder: string): void {
  try {
    fs.rmSync(join(folder, CLOCK_FILE), { force: true });
    fs.rmdirSync(folder);
  } catch (error) {
    if (!hasCode(error, "ENOTEMPTY") && !hasCode(error, "ENOENT")) throw error;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return fs.readdirSync(folder);
  } catch (error) {
    if (hasCode(error, "ENOENT") || hasCode(error, "ENOTDIR")) return [];
    throw error;
  }
}
