import { type HookEvent, summaryOf } from "./hook-event.ts";

/** What a turn of a session changed, and where to undo it. */
export interface TurnChanges {
  readonly turn: number;
  /** The prompt, in one line. Empty if it is not among the loaded events. */
  readonly prompt: string;
  /** The folder that the paths start from; undefined if it is not known. */
  readonly root: string | undefined;
  /** The changed files, as far as they are known. */
  readonly files: readonly ChangedFile[];
  /** How many files the turn changed, of which `files` may be a part. */
  readonly total: number;
  /** Whether everything that changed is known; otherwise only what tools that edit files reported. */
  readonly isCompared: boolean;
}

export interface ChangedFile {
  readonly path: string;
  readonly change: "added" | "changed" | "deleted";
}

type EventFields = Pick<HookEvent, "eventType" | "eventData" | "projectDir">;

/**
 * The turns of a session that can be undone and are known to have changed files, the last first. The hooks compare the project
 * before and after a turn once the next one has begun; until then, the files that tools report to have edited are known.
 */
export function changesByTurn(events: readonly EventFields[]): readonly TurnChanges[] {
  const turns = new Map<number, TurnChanges>();
  const update = (turn: number, change: (known: TurnChanges) => TurnChanges): void => {
    const known = turns.get(turn) ?? { turn, prompt: "", root: undefined, files: [], total: 0, isCompared: false };
    turns.set(turn, change(known));
  };
  for (const event of events) {
    const recorded = recordIn(event.eventData?.["turn"]);
    const turn = recorded?.["number"];
    if (typeof turn !== "number") continue;
    update(turn, (known) => withEvent(known, event));
    const changed = recordIn(recorded?.["changed"]);
    const changedTurn = changed?.["turn"];
    if (changed !== undefined && typeof changedTurn === "number")
      update(changedTurn, (known) => withComparison(known, changed));
  }
  return [...turns.values()].filter(({ files }) => files.length > 0).toSorted((one, other) => other.turn - one.turn);
}

/** The command that undoes a turn, or one of its files, for a shell on the machine of the assistant. */
export function undoCommand(sessionId: string, { turn, root }: TurnChanges, path?: string): string {
  const folder = root === undefined ? "" : `cd ${quote(root)} && `;
  const file = path === undefined ? "" : ` --file ${quote(path)}`;
  return `${folder}workspace-hooks undo --session ${quote(sessionId)} --turn ${turn}${file}`;
}

function withEvent(known: TurnChanges, event: EventFields): TurnChanges {
  const prompt = event.eventType === "UserPromptSubmit" ? summaryOf(event) : known.prompt;
  const written = recordIn(event.eventData?.["writtenLines"]);
  if (written === undefined || known.isCompared) return { ...known, prompt };
  const before = new Set(known.files.map(({ path }) => path));
  const added = pathsIn(written).filter((path) => !before.has(path));
  const files = [...known.files, ...added.map((path) => ({ path, change: "changed" as const }))];
  return { ...known, prompt, root: textIn(written["root"]) ?? known.root, files, total: files.length };
}

function withComparison(known: TurnChanges, changed: Readonly<Record<string, unknown>>): TurnChanges {
  const files = listIn(changed["files"]).flatMap(({ path, change }): readonly ChangedFile[] =>
    typeof path === "string" && (change === "added" || change === "changed" || change === "deleted")
      ? [{ path, change }]
      : [],
  );
  const total = typeof changed["total"] === "number" ? changed["total"] : files.length;
  return { ...known, root: textIn(changed["root"]) ?? known.root, files, total, isCompared: true };
}

function pathsIn(written: Readonly<Record<string, unknown>>): readonly string[] {
  return listIn(written["files"]).flatMap(({ path }) => (typeof path === "string" ? [path] : []));
}

function listIn(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.map(recordIn).filter((item) => item !== undefined) : [];
}

function recordIn(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : undefined;
}

function textIn(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Control characters are escaped, since a terminal may take them for keys when the command is pasted; dash knows no such quotes. */
function quote(text: string): string {
  if (/\p{Cc}/u.test(text)) return `$'${text.replaceAll(/['\\\p{Cc}]/gu, escaped)}'`;
  return /^[\w./:@%+,-]+$/.test(text) && !text.startsWith("-") ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function escaped(character: string): string {
  const bytes = Array.from(new TextEncoder().encode(character), (byte) => byte.toString(16).padStart(2, "0"));
  return bytes.map((byte) => `\\x${byte}`).join("");
}
