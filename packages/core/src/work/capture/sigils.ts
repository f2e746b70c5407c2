import { PRIORITY_WORDS } from "./vocabulary.ts";

/** Part of a text, as positions of characters. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** A tag, priority or project, as marked by a character in front of it. */
export type Sigil =
  | (TextRange & { readonly field: "tag"; readonly tag: string })
  | (TextRange & { readonly field: "priority"; readonly priority: 1 | 2 | 3 })
  | (TextRange & { readonly field: "project"; readonly projectId: string })
  | (TextRange & { readonly field: "unknown-project"; readonly name: string });

export interface NamedProject {
  readonly id: string;
  readonly name: string;
}

const MARKED = /(?<=^|\s)[#!@]\S+/gu;
const TAG = /^#(?=[\p{L}\p{N}_]*\p{L})[\p{L}\p{N}_][\p{L}\p{M}\p{N}_/-]{0,98}[\p{L}\p{M}\p{N}_]?/u;
const COLOR = /^#(?:[0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i;
const END = /^(?:[\s,;:.!?)]|$)/u;
const PROJECT_NAME = /^@([\p{L}\p{N}][\p{L}\p{M}\p{N}_-]{0,99})(?=[\s,;:.!?)]|$)/u;
const TIME = /^@\d/;
const MAX_NAME_LENGTH = 200;
/** After this many names that are no project, none is looked for. */
const MAX_NAMES = 20;
const MAX_TAGS = 100;

/**
 * The tags, priorities and projects in a text, in order. The longest name of a project counts; a name that two projects share
 * names neither. Only the first priority, the first project and a hundred tags are read.
 */
export function findSigils(text: string, projects: readonly NamedProject[]): Sigil[] {
  const byName = projectsByName(projects);
  const found: Sigil[] = [];
  let names = 0;
  const has = (field: Sigil["field"]) => found.some((sigil) => sigil.field === field);
  for (const { 0: marked, index } of text.matchAll(MARKED)) {
    if (index < (found.at(-1)?.end ?? 0)) continue;
    const sigil = sigilAt(text, { marked, index, byName: names < MAX_NAMES ? byName : NO_NAMES });
    if (marked.startsWith("@")) names += 1;
    if (sigil === null) continue;
    const count = found.filter(({ field }) => field === sigil.field).length;
    if (count < (sigil.field === "tag" ? MAX_TAGS : 1)) found.push(sigil);
  }
  return has("project") ? found.filter(({ field }) => field !== "unknown-project") : found;
}

function sigilAt(
  text: string,
  { marked, index, byName }: { marked: string; index: number; byName: ProjectNames },
): Sigil | null {
  if (marked.startsWith("#")) return tagAt(marked, index);
  return marked.startsWith("!") ? priorityAt(marked, index) : projectAt(text, index, byName);
}

function tagAt(marked: string, start: number): Sigil | null {
  const match = TAG.exec(marked)?.[0];
  if (match === undefined || !END.test(marked.slice(match.length)) || isColor(match)) return null;
  return { field: "tag", start, end: start + match.length, tag: match.slice(1) };
}

/** `#1a73e8` and `#fff`, but not `#facade`. */
function isColor(text: string): boolean {
  return COLOR.test(text) && (/\d/.test(text) || new Set(text.slice(1).toLowerCase()).size === 1);
}

function priorityAt(marked: string, start: number): Sigil | null {
  const word = /^!(\p{L}{3,7})(?=[,;:.!?)]|$)/u.exec(marked)?.[1];
  const priority = word === undefined ? undefined : PRIORITY_WORDS.get(word.toLowerCase());
  return word === undefined || priority === undefined
    ? null
    : { field: "priority", start, end: start + word.length + 1, priority };
}

function projectAt(text: string, start: number, byName: ProjectNames): Sigil | null {
  const quoted = /^@(?:"([^"]{1,200})"|“([^”]{1,200})”|„([^“]{1,200})“)/u.exec(
    text.slice(start, start + MAX_NAME_LENGTH + 3),
  );
  if (quoted !== null) {
    const name = (quoted[1] ?? quoted[2] ?? quoted[3] ?? "").trim();
    const end = start + quoted[0].length;
    const projectId = byName.ids.get(keyOf(name));
    if (typeof projectId === "string") return { field: "project", start, end, projectId };
    return name === "" || projectId === null ? null : { field: "unknown-project", start, end, name };
  }
  const rest = text.slice(start + 1, start + 1 + MAX_NAME_LENGTH);
  for (const length of byName.lengths) {
    const projectId = length > rest.length ? undefined : byName.ids.get(keyOf(rest.slice(0, length)));
    if (projectId === undefined || !END.test(rest.slice(length))) continue;
    return projectId === null ? null : { field: "project", start, end: start + 1 + length, projectId };
  }
  const name = PROJECT_NAME.exec(text.slice(start, start + MAX_NAME_LENGTH))?.[1];
  if (name === undefined || TIME.test(`@${name}`)) return null;
  return { field: "unknown-project", start, end: start + 1 + name.length, name };
}

interface ProjectNames {
  /** By folded name; null if several projects have it. */
  readonly ids: ReadonlyMap<string, string | null>;
  /** The lengths that names have, longest first. */
  readonly lengths: readonly number[];
}

const NO_NAMES: ProjectNames = { ids: new Map(), lengths: [] };

function projectsByName(projects: readonly NamedProject[]): ProjectNames {
  const ids = new Map<string, string | null>();
  const lengths = new Set<number>();
  for (const { id, name } of projects) {
    const key = keyOf(name);
    ids.set(key, ids.has(key) ? null : id);
    lengths.add(name.length);
  }
  return { ids, lengths: [...lengths].toSorted((a, b) => b - a) };
}

function keyOf(name: string): string {
  return name.normalize("NFC").toLowerCase();
}
