import { tryReadRecord, writeFileAtomic } from "../files/atomic-file.ts";
import type { Home } from "../files/home.ts";
import { type JsonRecord, arrayAt, isRecord, numberAt, recordAt } from "../json/json-value.ts";
import type { Project } from "../project/project.ts";

/** The most tokens of memories that a session is given; 0: none. */
export interface MemoryLimits {
  readonly sessionStart: number;
  readonly prompt: number;
  readonly file: number;
}

/** The least for which the server can be asked. */
export const MIN_ASKED_TOKENS = 50;

const INITIAL: MemoryLimits = { sessionStart: 2_500, prompt: 300, file: 150 };

/** The limits of a project as the dashboard last had them, or the initial ones. */
export function readLimits(home: Home, { identity, root }: Project): MemoryLimits {
  const settings = tryReadRecord(home.memorySettings) ?? {};
  const standard = toLimits(recordAt(settings, "standard") ?? {}, INITIAL);
  const projects = (arrayAt(settings, "projects") ?? []).filter(isRecord);
  const own = [identity, root].map((name) => projects.find(({ project }) => project === name));
  return toLimits(own.find((record) => record !== undefined) ?? {}, standard);
}

/** Keeps the settings of the dashboard for later hooks. */
export function storeMemorySettings(home: Home, settings: JsonRecord): void {
  const known = tryReadRecord(home.memorySettings);
  if (known !== undefined && numberAt(known, "version") === numberAt(settings, "version")) return;
  writeFileAtomic(home.memorySettings, JSON.stringify(settings));
}

function toLimits(record: JsonRecord, fallback: MemoryLimits): MemoryLimits {
  const limit = (name: keyof MemoryLimits): number => numberAt(record, name) ?? fallback[name];
  return { sessionStart: limit("sessionStart"), prompt: limit("prompt"), file: limit("file") };
}
