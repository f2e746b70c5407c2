import type { Connection } from "../delivery/api-call.ts";
import { type JsonRecord, booleanAt, isRecord, numberAt, parseRecord, recordAt, stringAt } from "../json/json-value.ts";
import { readTextIfExists, writeFileAtomic } from "./atomic-file.ts";

/** What can be switched off, globally, for one project, or (by the environment) for one session. */
export interface Switches {
  readonly memory: boolean;
  readonly events: boolean;
  /** Whether the project is recorded before it is changed. */
  readonly undo: boolean;
}

export interface Config {
  readonly connection: Connection;
  /** Whether `install` created the key, for this installation alone. */
  readonly ownsKey: boolean;
  readonly switches: Switches;
  /** By the project's identity: its git remote, or its folder. */
  readonly projects: Readonly<Record<string, Switches>>;
  readonly maxSpooledEvents: number;
  /**
   * How long the start of a session, or a prompt, may wait for its context. A distant server needs more. A person waits for it, but only
   * once: a server that takes longer is left alone for a while.
   */
  readonly contextDeadlineMs: number;
}

export type ConfigState =
  | { readonly kind: "ready"; readonly config: Config }
  /** Not installed yet. */
  | { readonly kind: "missing" }
  | { readonly kind: "broken"; readonly message: string };

export const ALL_ON: Switches = { memory: true, events: true, undo: true };
const DEFAULT_MAX_EVENTS = 10_000;
const DEFAULT_CONTEXT_DEADLINE_MS = 300;

export function readConfig(path: string): ConfigState {
  let text: string | undefined;
  try {
    text = readTextIfExists(path);
  } catch (error) {
    return { kind: "broken", message: error instanceof Error ? error.message : String(error) };
  }
  if (text === undefined) return { kind: "missing" };
  const record = parseRecord(text);
  const server = record && stringAt(record, "server");
  const key = record && stringAt(record, "key");
  if (record === undefined || server === undefined || key === undefined || !URL.canParse(server)) {
    return { kind: "broken", message: "config.json is not JSON with a server and a key" };
  }
  return { kind: "ready", config: toConfig(record, { server, key }) };
}

function toConfig(record: JsonRecord, connection: Connection): Config {
  const projects = Object.entries(recordAt(record, "projects") ?? {});
  return {
    connection,
    ownsKey: record["ownsKey"] === true,
    switches: readSwitches(record, ALL_ON),
    projects: Object.fromEntries(
      projects.flatMap(([name, value]) => (isRecord(value) ? [[name, readSwitches(value, ALL_ON)]] : [])),
    ),
    maxSpooledEvents: Math.max(1, numberAt(record, "maxSpooledEvents") ?? DEFAULT_MAX_EVENTS),
    contextDeadlineMs: Math.max(1, numberAt(record, "contextDeadlineMs") ?? DEFAULT_CONTEXT_DEADLINE_MS),
  };
}

export function readSwitches(record: JsonRecord, fallback: Switches): Switches {
  return {
    memory: booleanAt(record, "memory") ?? fallback.memory,
    events: booleanAt(record, "events") ?? fallback.events,
    undo: booleanAt(record, "undo") ?? fallback.undo,
  };
}

/** Whether memory is on in a project of which only the identity is known; its own file may still switch it off. */
export function isMemoryOn({ switches, projects }: Config, identity: string): boolean {
  return switches.memory && projects[identity]?.memory !== false;
}

/** Changes some fields and keeps the others, including those unknown to this version. */
export function updateConfig(path: string, change: (record: JsonRecord) => JsonRecord): void {
  const record = parseRecord(readTextIfExists(path) ?? "") ?? {};
  writeFileAtomic(path, `${JSON.stringify({ version: 1, ...change(record) }, undefined, 2)}\n`, { isDurable: true });
}
