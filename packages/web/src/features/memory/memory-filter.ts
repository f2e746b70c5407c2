import { joinChoices, splitChoices } from "../../lists/choices.ts";
import { isChunkType, type ChunkType, type Memory } from "./memory.ts";

/** Which memories are shown. All parts must match; an empty part matches everything. */
export interface MemoryFilter {
  readonly text: string;
  readonly types: readonly ChunkType[];
  /** Project paths; the empty path stands for memories without a project. */
  readonly projects: readonly string[];
  /** From 0 to 1. */
  readonly minRelevance: number;
  /** Only those that may duplicate another memory. */
  readonly isRepetition: boolean;
  /** Only those that await review. */
  readonly isAwaitingReview: boolean;
  /** Only those that are withheld from sessions. */
  readonly isWithheld: boolean;
}

export const NO_MEMORY_FILTER: MemoryFilter = {
  text: "",
  types: [],
  projects: [],
  minRelevance: 0,
  isRepetition: false,
  isAwaitingReview: false,
  isWithheld: false,
};

export const NO_PROJECT_PATH = "";
export const RELEVANCE_STEPS = [0.9, 0.75, 0.5, 0.25] as const;

export function isFiltering(filter: MemoryFilter): boolean {
  return (
    filter.text.trim() !== "" ||
    filter.types.length > 0 ||
    filter.projects.length > 0 ||
    filter.minRelevance > 0 ||
    filter.isRepetition ||
    filter.isAwaitingReview ||
    filter.isWithheld
  );
}

/** Shorter words in ASCII are in too many memories; a sign or a character of another script may be a whole word. */
const MIN_QUERY_LENGTH = 3;

/** Whether a text that is being entered says enough to search for it. */
export function isSearchable(text: string): boolean {
  return text.length >= MIN_QUERY_LENGTH || /[^0-9A-Za-z\s]/.test(text);
}

/** Whether the filter shows all memories that await review, and nothing else. */
export function isWholeQueue(filter: MemoryFilter): boolean {
  return filter.isAwaitingReview && !isFiltering({ ...filter, isAwaitingReview: false });
}

/** The memories that match the filter, newest first. */
export function filterMemories(memories: ReadonlyMap<string, Memory>, filter: MemoryFilter): Memory[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  return [...memories.values()]
    .filter((memory) => matchesChoices(memory, filter, memories) && hasWords(memory, words))
    .toSorted(newestFirst);
}

/** Whether a memory matches all of the filter but its text. */
export function matchesChoices(memory: Memory, filter: MemoryFilter, memories: ReadonlyMap<string, Memory>): boolean {
  const { types, projects, minRelevance } = filter;
  if (types.length > 0 && !types.includes(memory.chunkType)) return false;
  if (projects.length > 0 && !projects.includes(memory.projectPath ?? NO_PROJECT_PATH)) return false;
  if (memory.relevanceScore < minRelevance) return false;
  if (filter.isRepetition && !isRepetition(memory, memories)) return false;
  if (filter.isAwaitingReview && !memory.awaitsReview) return false;
  return !filter.isWithheld || memory.withheldAt !== null;
}

/** Whether the memory may duplicate another one that still exists. */
export function isRepetition(memory: Memory, memories: ReadonlyMap<string, Memory>): boolean {
  return memory.nearDuplicateOfId !== null && memories.has(memory.nearDuplicateOfId);
}

/** How many memories need attention, by reason. */
export function countNeedingAttention(memories: ReadonlyMap<string, Memory>) {
  const all = [...memories.values()];
  return {
    repetitions: all.filter((memory) => isRepetition(memory, memories)).length,
    awaitingReview: all.filter((memory) => memory.awaitsReview).length,
    withheld: all.filter((memory) => memory.withheldAt !== null).length,
  };
}

/** The paths of the projects that memories belong to. */
export function projectsOf(memories: Iterable<Memory>): string[] {
  const paths = new Set<string>();
  for (const { projectPath } of memories) if (projectPath !== null) paths.add(projectPath);
  return [...paths].toSorted();
}

/** Parses URL search parameters: `?q=retry&type=decision,fact&project=/home/ada/app&relevance=0.75&repeats=1&review=1&withheld=1`. */
export function parseMemoryFilter(search: Record<string, unknown>): MemoryFilter {
  const text = (name: string) => {
    const value = search[name];
    return typeof value === "string" ? value : "";
  };
  const relevance = Number(text("relevance"));
  return {
    text: text("q"),
    types: splitChoices(text("type")).filter(isChunkType),
    // The empty path is written as a dot, to distinguish it from no choice at all.
    projects: splitChoices(text("project")).map((path) => (path === "." ? NO_PROJECT_PATH : path)),
    minRelevance: relevance > 0 && relevance <= 1 ? relevance : 0,
    isRepetition: text("repeats") === "1",
    isAwaitingReview: text("review") === "1",
    isWithheld: text("withheld") === "1",
  };
}

/** The URL search parameters for this filter; undefined removes a parameter. */
export function toMemorySearch(filter: MemoryFilter): Record<string, string | undefined> {
  return {
    q: filter.text === "" ? undefined : filter.text,
    type: joinChoices(filter.types),
    project: joinChoices(filter.projects.map((path) => (path === NO_PROJECT_PATH ? "." : path))),
    relevance: filter.minRelevance === 0 ? undefined : String(filter.minRelevance),
    repeats: filter.isRepetition ? "1" : undefined,
    review: filter.isAwaitingReview ? "1" : undefined,
    withheld: filter.isWithheld ? "1" : undefined,
  };
}

const searchTexts = new WeakMap<Memory, string>();

/** Memories are immutable, so their text is lower-cased once. */
function hasWords(memory: Memory, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const known = searchTexts.get(memory);
  const text = known ?? `${memory.content}\n${memory.sourceExcerpt ?? ""}\n${memory.projectPath ?? ""}`.toLowerCase();
  if (known === undefined) searchTexts.set(memory, text);
  return words.every((word) => text.includes(word));
}

/** ISO timestamps can be compared as text. */
function newestFirst(a: Memory, b: Memory): number {
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? 1 : -1;
  return a.id < b.id ? 1 : -1;
}
