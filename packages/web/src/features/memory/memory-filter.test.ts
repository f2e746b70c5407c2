import { describe, expect, it } from "vitest";
import { sampleMemory } from "../../test-kit/sample-memory.ts";
import {
  filterMemories,
  isSearchable,
  NO_MEMORY_FILTER,
  NO_PROJECT_PATH,
  parseMemoryFilter,
  projectsOf,
  toMemorySearch,
  type MemoryFilter,
} from "./memory-filter.ts";

const backup = sampleMemory({ id: "a", createdAt: "2026-11-18T10:00:00.000Z", relevanceScore: 0.4 });
const retry = sampleMemory({
  id: "b",
  chunkType: "decision",
  content: "Retries use exponential backoff.",
  projectPath: "/home/ada/shop",
  sourceExcerpt: "let us go with jitter",
  sourceTurn: null,
  createdAt: "2026-11-19T10:00:00.000Z",
});
const repeated = sampleMemory({ id: "c", nearDuplicateOfId: "a" });
const orphan = sampleMemory({
  id: "d",
  nearDuplicateOfId: "gone",
  createdAt: "2026-11-17T10:00:00.000Z",
  withheldAt: "2026-11-18T10:00:00.000Z",
});
const memories = new Map([backup, retry, repeated, orphan].map((memory) => [memory.id, memory]));

const idsFor = (part: Partial<MemoryFilter>) =>
  filterMemories(memories, { ...NO_MEMORY_FILTER, ...part }).map((memory) => memory.id);

describe("filterMemories", () => {
  it("shows all, newest first, without a filter", () => {
    expect(idsFor({})).toEqual(["c", "b", "a", "d"]);
  });

  it.each<[Partial<MemoryFilter>, string[]]>([
    [{ text: "JITTER backoff" }, ["b"]],
    [{ text: "shop" }, ["b"]],
    [{ text: "jitter backup" }, []],
    [{ types: ["decision", "solution"] }, ["b"]],
    [{ projects: [NO_PROJECT_PATH] }, ["c", "a", "d"]],
    [{ projects: ["/home/ada/shop"] }, ["b"]],
    [{ minRelevance: 0.5 }, ["c", "b", "d"]],
    [{ isRepetition: true }, ["c"]],
    [{ isAwaitingReview: true }, []],
    [{ isWithheld: true }, ["d"]],
  ])("with %j shows %j", (part, ids) => {
    expect(idsFor(part)).toEqual(ids);
  });
});

describe("the URL of a filter", () => {
  it("round-trips the filter", () => {
    const filter: MemoryFilter = {
      text: "retry policy",
      types: ["decision", "fact"],
      projects: [NO_PROJECT_PATH, "/srv/a,b"],
      minRelevance: 0.75,
      isRepetition: true,
      isAwaitingReview: true,
      isWithheld: true,
    };
    expect(parseMemoryFilter(toMemorySearch(filter))).toEqual(filter);
  });

  it("drops invalid values", () => {
    expect(parseMemoryFilter({ type: "nonsense", relevance: "7", repeats: "maybe", q: 3 })).toEqual(NO_MEMORY_FILTER);
  });
});

it("lists every project once, sorted by path", () => {
  expect(projectsOf([retry, sampleMemory({ projectPath: "/a" }), retry, backup])).toEqual(["/a", "/home/ada/shop"]);
});

it.each([
  ["", false],
  [" ", false],
  ["a", false],
  ["7", false],
  ["ab", false],
  ["abc", true],
  ["%", true],
  ["_", true],
  ["回", true],
  ["é", true],
])("searches for %j: %s", (text, expected) => {
  expect(isSearchable(text)).toBe(expected);
});
