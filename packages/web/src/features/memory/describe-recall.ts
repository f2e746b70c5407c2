import { pluralize } from "../../numbers/number-format.ts";
import { projectNameOf, formatRelevance } from "./memory.ts";
import type { Outputs } from "../../api/api.ts";

export type Recall = Outputs["memory"]["explainRecall"]["data"];

/** How many memories the hooks give a new session, if they are short enough. */
const CONTEXT_SIZE = 10;

/** Whether a new session in the memory's project recalls it, and why, in a sentence. */
export function describeRecall({ memory, rank, isInScope }: Recall): string {
  const where = memory.projectPath === null ? "any project" : projectNameOf(memory.projectPath);
  if (!isInScope) return "It belongs to another project, so sessions here do not recall it.";
  if (memory.supersededById !== null) return "Another memory replaced it: sessions find it only by searching.";
  if (memory.withheldAt !== null)
    return "It is withheld, because lines that it rests on were not found: sessions find it only by searching.";
  if (rank === null) {
    return memory.nearDuplicateOfId === null
      ? `It is too old to be ranked, or a memory that says the same ranks first: sessions in ${where} find it only by searching.`
      : `It may repeat another memory, so sessions in ${where} recall the other one.`;
  }
  const place = `number ${rank.toLocaleString("en")} for sessions in ${where}`;
  return rank <= CONTEXT_SIZE
    ? `It ranks ${place}, so a new session recalls it at its start.`
    : `It ranks ${place}; at most the first ${CONTEXT_SIZE} are recalled at the start, the others for a prompt or a file that they concern.`;
}

export interface RecallFactor {
  readonly name: string;
  /** From 0 to 1. */
  readonly share: number;
  readonly words: string;
}

/** The factors that a memory's rank is based on. */
export function recallFactors({ factors, outcomes }: Recall): RecallFactor[] {
  const { relevance, recency, ageDays, halfLifeDays, use, accessCount, usefulness } = factors;
  return [
    { name: "Relevance", share: relevance, words: formatRelevance(relevance) },
    {
      name: "Recency",
      share: recency,
      words: `${ageDays < 1 ? "new today" : `${pluralize(Math.floor(ageDays), "day")} old`}, halves every ${halfLifeDays} days`,
    },
    {
      name: "Use",
      share: use,
      words:
        accessCount === 0 ? "not found in a search yet" : `found in ${pluralize(accessCount, "search", "searches")}`,
    },
    { name: "Usefulness", share: usefulness, words: describeOutcomes(outcomes) },
  ];
}

function describeOutcomes({ used, unused, notUseful }: Recall["outcomes"]): string {
  const known = used + unused + notUseful;
  if (known === 0) return "not known from any session yet";
  const outcomes = [`used in ${used} of ${pluralize(known, "session")}`];
  if (notUseful > 0) outcomes.push(`marked as not useful in ${notUseful}`);
  return outcomes.join(", ");
}
