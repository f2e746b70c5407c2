import type { SessionPrompt } from "./session-outline.ts";
import { type LoadedSteps, type SessionStep, STEPS_PER_PAGE } from "./session-steps.ts";

/** Which calls of a session are shown. */
export const CALL_FILTERS = ["all", "failed", "blocked", "asked"] as const;
export type CallFilter = (typeof CALL_FILTERS)[number];

/** A row of the view of a session. */
export type SessionRow =
  | { readonly kind: "prompt"; readonly id: string; readonly prompt: SessionPrompt; readonly isUnfolded: boolean }
  | { readonly kind: "step"; readonly id: string; readonly prompt: SessionPrompt; readonly step: SessionStep }
  | { readonly kind: "pending"; readonly id: string; readonly prompt: SessionPrompt; readonly page: number }
  | { readonly kind: "given" | "changes"; readonly id: string; readonly prompt: SessionPrompt };

interface Shown {
  readonly isUnfolded: (promptId: string) => boolean;
  readonly steps: Pick<LoadedSteps, "pageOf" | "totalOf">;
  readonly filter: CallFilter;
  /** Whether memories were given with a prompt. */
  readonly hasGiven: (promptId: string) => boolean;
}

/** The rows of a session: its prompts, below those that are unfolded their steps, as far as they are loaded. */
export function sessionRows(prompts: readonly SessionPrompt[], shown: Shown): SessionRow[] {
  const { filter } = shown;
  if (filter === "all") return prompts.flatMap((prompt) => rowsOf(prompt, shown));
  return prompts.filter((prompt) => prompt[filter] > 0).flatMap((prompt) => rowsOf(prompt, shown));
}

function rowsOf(prompt: SessionPrompt, { isUnfolded, steps, filter, hasGiven }: Shown): SessionRow[] {
  const { id } = prompt;
  const head: SessionRow = { kind: "prompt", id, prompt, isUnfolded: filter !== "all" || isUnfolded(id) };
  if (!head.isUnfolded) return [head];
  const total = steps.totalOf(id);
  const pages = total === undefined ? 1 : Math.ceil(total / STEPS_PER_PAGE);
  const own = Array.from({ length: pages }, (_, page): SessionRow[] => {
    const loaded = steps.pageOf(id, page);
    if (loaded === undefined) return [{ kind: "pending", id: `${id}/page-${page}`, prompt, page }];
    return loaded
      .filter((step) => isShown(step, filter))
      .map((step) => ({ kind: "step", id: `${id}/${step.id}`, prompt, step }));
  }).flat();
  if (filter !== "all") return [head, ...own];
  return [
    head,
    ...(hasGiven(id) ? [{ kind: "given", id: `${id}/given`, prompt } as const] : []),
    ...own,
    ...(prompt.changes === null ? [] : [{ kind: "changes", id: `${id}/changes`, prompt } as const]),
  ];
}

/** The prompt itself is shown in its own row. */
function isShown({ kind, state, isAsked }: SessionStep, filter: CallFilter): boolean {
  switch (filter) {
    case "all":
      return kind !== "prompt";
    case "asked":
      return isAsked && state !== "blocked";
    case "failed":
    case "blocked":
      return state === filter;
  }
}

/**
 * The rows of calls that may still run, if the assistant is at work: those without a result after the last that has one. Some assistants
 * report no result of some calls, which have ended if the next one has.
 */
export function runningRows(rows: readonly SessionRow[]): ReadonlySet<string> {
  const calls = rows.flatMap((row) => (row.kind === "step" && row.step.kind === "call" ? [row] : []));
  const running = [true, false].flatMap((isOfSubagent) => {
    const own = calls.filter(({ step }) => step.isOfSubagent === isOfSubagent);
    return own.slice(own.findLastIndex(({ step }) => step.state !== "open") + 1);
  });
  return new Set(running.map(({ id }) => id));
}

/** The prompt that a turn of the transcript belongs to. */
export function promptOfTurn(prompts: readonly SessionPrompt[], turn: number): SessionPrompt | undefined {
  return prompts.find(({ turns }) => turns !== null && turns.first <= turn && turn <= turns.last);
}
