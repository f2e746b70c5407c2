import { sayCountOf } from "../../numbers/number-wording.ts";
import { projectNameOf, sayRelevance } from "./memory.ts";
import type { Outputs } from "../../api/trpc.ts";

export type Recall = Outputs["memory"]["explainRecall"]["data"];

/** How many memories come with a new session unless it asks for more. */
const CONTEXT_SIZE = 5;

/** Whether a new session in the memory's project is told of it, and why, in a sentence. */
export function sayRecall({ memory, rank, isInScope }: Recall): string {
  const where = memory.projectPath === null ? "any project" : projectNameOf(memory.projectPath);
  if (!isInScope) return "It belongs to another project, so a session here is not told of it.";
  if (rank === null) {
    return memory.nearDuplicateOfId === null
      ? `It is too old to be weighed, or a memory that says the same comes first: a session in ${where} finds it by searching only.`
      : `It may repeat another memory, so a session in ${where} is told the other one.`;
  }
  const place = `number ${rank.toLocaleString("en")} of what a session in ${where} should know`;
  return rank <= CONTEXT_SIZE
    ? `It is ${place}, so a new session is told of it at its start.`
    : `It is ${place}; only the first ${CONTEXT_SIZE} are told at the start, the others are found by searching.`;
}

export interface RecallFactor {
  readonly name: string;
  /** From 0 to 1. */
  readonly share: number;
  readonly words: string;
}

/** What the place in that order is made of. */
export function recallFactors({ factors }: Recall): RecallFactor[] {
  const { relevance, recency, ageDays, halfLifeDays, use, accessCount } = factors;
  return [
    { name: "Relevance", share: relevance, words: sayRelevance(relevance) },
    {
      name: "Recency",
      share: recency,
      words: `${ageDays < 1 ? "new today" : `${sayCountOf(Math.floor(ageDays), "day")} old`}, halves every ${halfLifeDays} days`,
    },
    {
      name: "Use",
      share: use,
      words: accessCount === 0 ? "not found by a search yet" : `found ${sayCountOf(accessCount, "time")} by searches`,
    },
  ];
}
