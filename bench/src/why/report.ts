import { percentile } from "../model-service.ts";
import type { LabelledEdit } from "./history.ts";

/** So many of the sessions that `why` names count. */
export const FIRST = 3;
const GOAL = { share: 0.9, ms: 200 };

/** A labelled edit, with what `why` names first. */
export interface AskedEdit extends LabelledEdit {
  readonly found: readonly string[];
  /** Whether its author is named with its prompt. */
  readonly hasPrompt: boolean;
}

/** Prints how often each way to find the author does, by what was done to the lines last. */
export function reportAuthors(results: readonly AskedEdit[]): void {
  const fates = [...new Set(results.map(({ fate }) => fate))].toSorted();
  console.log("what was done to the lines last".padEnd(40), "count", " why", " first", " blame", "  path");
  for (const fate of ["all", ...fates]) {
    const some = results.filter((edit) => fate === "all" || edit.fate === fate);
    const share = (list: (edit: (typeof results)[number]) => readonly string[], first: number) =>
      percent(some.filter((edit) => list(edit).slice(0, first).includes(edit.author)).length, some.length);
    const shares = [
      share(({ found }) => found, FIRST),
      share(({ found }) => found, 1),
      share(({ byBlame }) => byBlame, FIRST),
      share(({ byPath }) => byPath, FIRST),
    ];
    console.log(fate.padEnd(40), String(some.length).padStart(5), shares.join(" "));
  }
  const right = results.filter(({ found, author }) => found.includes(author)).length / results.length;
  console.log(
    `right among the first ${FIRST}: goal ${percent(GOAL.share, 1)}, ${right >= GOAL.share ? "ok" : "MISSED"}`,
  );
  console.log(`with its prompt: ${percent(results.filter(({ hasPrompt }) => hasPrompt).length, results.length)}`);
}

/** Prints how long something took, each time that it was tried. */
export function reportTimes(name: string, times: readonly number[]): void {
  const p95 = percentile(times, 0.95);
  const verdict = p95 <= GOAL.ms ? "ok" : "MISSED";
  const slowest = percentile(times, 1);
  console.log(
    `${name}: p50 ${percentile(times, 0.5)}, p95 ${p95}, slowest ${slowest} ms (goal: ${GOAL.ms} ms, ${verdict})`,
  );
}

function percent(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(1)} %`.padStart(7);
}
