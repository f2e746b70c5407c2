import type { MemoryChunk } from "../../src/assistants/memory/memory.schema.ts";
import type { MemoryService } from "../../src/assistants/memory/memory.service.ts";
import type { LabelledSession } from "./labelled-set.ts";

const DEPTH = 5;

/** Normalized discounted cumulative gain of the first five results, averaged; 1 is the best possible order. */
export interface RankingFigures {
  readonly queries: number;
  /** Among the project's memories. */
  readonly searchInProject: number;
  readonly recencyInProject: number;
  /** Among the memories of all projects. */
  readonly searchInAll: number;
  readonly recencyInAll: number;
  readonly projects: number;
  readonly context: number;
  readonly contextByRecency: number;
}

/** Compares search and context with a mere order by recency. The sessions' labelled memories must be stored. */
export async function measureRanking(
  sessions: readonly LabelledSession[],
  memory: MemoryService,
): Promise<RankingFigures> {
  const inProject: number[][] = [];
  const inAll: number[][] = [];
  for (const session of sessions) {
    for (const { query, relevant } of session.queries) {
      const gains = new Map(relevant.map((place) => [session.memories[place]?.content ?? "", 1]));
      const scope = { projectPath: session.project };
      inProject.push([
        ndcg(await memory.search({ query, ...scope, limit: DEPTH }), gains),
        ndcg(await listNewest(memory, scope), gains),
      ]);
      inAll.push([
        ndcg(await memory.search({ query, limit: DEPTH }), gains),
        ndcg(await listNewest(memory, {}), gains),
      ]);
    }
  }
  const contexts: number[][] = [];
  for (const project of new Set(sessions.map((session) => session.project))) {
    const ofProject = sessions.filter((session) => session.project === project);
    const gains = new Map(
      ofProject.flatMap(({ memories }) => memories.map(({ content, gain }) => [content, gain] as const)),
    );
    const { memories } = await memory.context({ project, limit: DEPTH });
    contexts.push([ndcg(memories, gains), ndcg(await listNewest(memory, { projectPath: project }), gains)]);
  }
  return {
    queries: inProject.length,
    searchInProject: mean(inProject, 0),
    recencyInProject: mean(inProject, 1),
    searchInAll: mean(inAll, 0),
    recencyInAll: mean(inAll, 1),
    projects: contexts.length,
    context: mean(contexts, 0),
    contextByRecency: mean(contexts, 1),
  };
}

async function listNewest(memory: MemoryService, scope: { projectPath?: string }): Promise<MemoryChunk[]> {
  return (await memory.list({ ...scope, deleted: false, limit: DEPTH })).items;
}

function ndcg(found: readonly MemoryChunk[], gains: ReadonlyMap<string, number>): number {
  const ideal = dcg([...gains.values()].toSorted((one, other) => other - one));
  return ideal === 0 ? 1 : dcg(found.map(({ content }) => gains.get(content) ?? 0)) / ideal;
}

function dcg(gains: readonly number[]): number {
  return gains.slice(0, DEPTH).reduce((sum, gain, place) => sum + (2 ** gain - 1) / Math.log2(place + 2), 0);
}

function mean(rows: readonly number[][], column: number): number {
  return rows.reduce((sum, row) => sum + (row[column] ?? 0), 0) / rows.length;
}
