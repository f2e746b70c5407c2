import pLimit from "p-limit";
import type { ChunkType } from "../../src/assistants/memory/memory.schema.ts";
import type { MemoryService } from "../../src/assistants/memory/memory.service.ts";
import type { TestClock } from "../test-deps.ts";

const DEPTH = 10;
const CONTEXT = 5;
const CONCURRENCY = 4;

/** A text that may hold the answer to a question. */
export interface Passage {
  readonly text: string;
  readonly type: ChunkType;
  readonly project: string;
  readonly session: string;
  readonly at: Date;
}

/** What is searched for, or given as a prompt. */
export interface Query {
  readonly text: string;
  /** In which it is asked. */
  readonly project: string;
}

export interface Question extends Query {
  readonly kind: string;
  /** The places of the passages that answer it. */
  readonly relevant: ReadonlySet<number>;
}

/** Texts with questions that they answer. */
export interface SearchSet {
  readonly passages: readonly Passage[];
  readonly questions: readonly Question[];
  /** Prompts that have nothing to do with any passage. */
  readonly prompts: readonly Query[];
  /** Whether a question is searched for in all projects, not only in the one in which it is asked. */
  readonly searchesAll: boolean;
}

/** Finds passages for a query, best first, as places among all. */
export type Ranker = (query: Query) => number[] | Promise<number[]>;

/** How good what was found for a question is, each from 0 to 1. */
export interface Score {
  readonly kind: string;
  readonly ndcg: number;
  readonly recall: number;
  /** Whether one of the first five is relevant. */
  readonly hit: number;
}

/** Stores passages as memories, each at its time, and returns their places by the ids of the memories. */
export async function storePassages(
  passages: readonly Passage[],
  { memory, clock }: { readonly memory: MemoryService; readonly clock: TestClock },
): Promise<Map<string, number>> {
  const places = new Map<string, number>();
  for (const [place, { text, type, project, session, at }] of passages.entries()) {
    clock.set(new Date(at.getTime() + place * 1000));
    const { id } = await memory.store({ content: text, chunkType: type, projectPath: project, sessionId: session });
    places.set(id, place);
  }
  return places;
}

/** Search and context as clients have them, among memories of which the places are given. */
export function createRankers(
  { search, context }: MemoryService,
  places: ReadonlyMap<string, number>,
  { searchesAll }: Pick<SearchSet, "searchesAll">,
): { search: Ranker; context: Ranker } {
  const placesOf = (found: readonly { readonly id: string }[]): number[] => found.map(({ id }) => places.get(id) ?? -1);
  return {
    search: async ({ text, project }) =>
      placesOf(await search({ query: text, ...(!searchesAll && { projectPath: project }), limit: DEPTH })),
    context: async ({ text, project }) => placesOf((await context({ query: text, project, limit: CONTEXT })).memories),
  };
}

/** Scores what is found for each question. */
export function scoreQuestions(questions: readonly Question[], rank: Ranker): Promise<Score[]> {
  return pLimit(CONCURRENCY).map(questions, async (question) => score(question, await rank(question)));
}

function score({ kind, relevant }: Question, found: readonly number[]): Score {
  const gain = (place: number): number => 1 / Math.log2(place + 2);
  const first = found.slice(0, DEPTH);
  const gained = first.reduce((sum, index, place) => sum + (relevant.has(index) ? gain(place) : 0), 0);
  const best = Array.from({ length: Math.min(DEPTH, relevant.size) }, (_, place) => gain(place));
  return {
    kind,
    ndcg: gained / best.reduce((sum, value) => sum + value, 0),
    recall: first.filter((index) => relevant.has(index)).length / relevant.size,
    hit: first.slice(0, CONTEXT).some((index) => relevant.has(index)) ? 1 : 0,
  };
}

/** The averages of some scores. */
export function averageScore(scores: readonly Score[]): Omit<Score, "kind"> {
  const average = (figure: (score: Score) => number): number =>
    scores.reduce((sum, score) => sum + figure(score), 0) / scores.length;
  return {
    ndcg: average(({ ndcg }) => ndcg),
    recall: average(({ recall }) => recall),
    hit: average(({ hit }) => hit),
  };
}

/** How many prompts get nothing. */
export async function countSilent(prompts: readonly Query[], context: Ranker): Promise<number> {
  const given = await pLimit(CONCURRENCY).map(prompts, async (prompt) => context(prompt));
  return given.filter((found) => found.length === 0).length;
}
