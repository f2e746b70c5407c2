import type { SessionPrompt } from "./session-outline.ts";
import type { SessionRow } from "./session-rows.ts";
import type { HookSession } from "./use-hook-session.ts";

type Learnt = HookSession["memories"];
type Given = HookSession["given"];

/** The memories that were given with each prompt, by its id: what was given before the first one came with that. */
export function givenByPrompt(prompts: readonly SessionPrompt[], given: Given): ReadonlyMap<string, Given> {
  const asked = prompts.filter(({ text, since }) => text !== null && since !== null);
  return grouped(given, ({ givenAt }) => {
    const at = Date.parse(givenAt);
    return (asked.findLast(({ since }) => Date.parse(since ?? "") <= at) ?? asked[0] ?? prompts[0])?.id ?? "";
  });
}

/**
 * The memories that were learnt from the step of each row, by its id: from its turn, or from the output of its call, which is a turn of
 * its own.
 */
export function learntByRow(rows: readonly SessionRow[], memories: Learnt): ReadonlyMap<string, Learnt> {
  const starts = rows.flatMap((row) => {
    const position = row.kind === "step" ? row.step.position : row.kind === "prompt" ? row.prompt.turns?.first : null;
    return position == null ? [] : [{ id: row.id, position, last: lastOf(row) }];
  });
  return grouped(memories, ({ sourceTurn }) => {
    if (sourceTurn === null) return "";
    return starts.findLast(({ position, last }) => position <= sourceTurn && sourceTurn <= last)?.id ?? "";
  });
}

function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): ReadonlyMap<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
}

/** Steps that are not shown are represented by their prompt. */
function lastOf({ prompt }: SessionRow): number {
  return prompt.turns?.last ?? 0;
}
