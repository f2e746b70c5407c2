import type { MemoryChunk } from "../../src/assistants/memory/memory.schema.ts";
import type { MemoryService } from "../../src/assistants/memory/memory.service.ts";
import type { LabelledSession } from "./labelled-set.ts";

const DEPTH = 5;

/** Normalized discounted cumulative gain of the first five memories, averaged over projects; 1 is the best possible order. */
export interface ContextFigures {
  readonly projects: number;
  readonly context: number;
  readonly byRecency: number;
}

/**
 * Compares the context at the start of a session with a mere order by recency. The sessions' labelled memories must be stored.
 */
export async function measureContext(
  sessions: readonly LabelledSession[],
  memory: MemoryService,
): Promise<ContextFigures> {
  const projects = [...new Set(sessions.map((session) => session.project))];
  const sums = { context: 0, byRecency: 0 };
  for (const project of projects) {
    const labelled = sessions.filter((session) => session.project === project).flatMap(({ memories }) => memories);
    const gains = new Map(labelled.map(({ content, gain }) => [content, gain]));
    const { memories } = await memory.context({ project, limit: DEPTH });
    const { items } = await memory.list({ projectPath: project, deleted: false, limit: DEPTH });
    sums.context += ndcg(memories, gains);
    sums.byRecency += ndcg(items, gains);
  }
  const count = projects.length;
  return { projects: count, context: sums.context / count, byRecency: sums.byRecency / count };
}

function ndcg(found: readonly MemoryChunk[], gains: ReadonlyMap<string, number>): number {
  const ideal = dcg([...gains.values()].toSorted((one, other) => other - one));
  return ideal === 0 ? 1 : dcg(found.map(({ content }) => gains.get(content) ?? 0)) / ideal;
}

function dcg(gains: readonly number[]): number {
  return gains.slice(0, DEPTH).reduce((sum, gain, place) => sum + (2 ** gain - 1) / Math.log2(place + 2), 0);
}
