import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { isInCode } from "./in-code.ts";
import { noteCommands } from "./note-commands.ts";

const OPEN_TAG = /(?:^|[\s([“„«*_~|>,;])#([\p{L}\p{M}\p{N}\p{Extended_Pictographic}_\-/]{1,100})$/u;
const MAX_OFFERED = 30;

/** Offers tags after `#` and a letter. */
export function completeTag(context: CompletionContext): CompletionResult | null {
  const match = context.matchBefore(OPEN_TAG);
  if (match === null || isInCode(context.state, context.pos)) return null;
  const from = match.from + match.text.indexOf("#") + 1;
  const typed = context.state.sliceDoc(from, context.pos);
  const options = rankTags(context.state.facet(noteCommands).tags(), typed).map((tag): Completion => ({ label: tag }));
  return options.length === 0 ? null : { from, options, filter: false };
}

/** The tags that begin with a text, then those of which a part does; not the one that it already is. */
export function rankTags(tags: readonly string[], typed: string): string[] {
  const start = typed.toLowerCase();
  const rank = (tag: string) => {
    const name = tag.toLowerCase();
    if (name.startsWith(start)) return 0;
    return name.includes(`/${start}`) ? 1 : name.includes(start) ? 2 : 3;
  };
  return tags
    .filter((tag) => rank(tag) < 3 && tag !== typed)
    .toSorted((one, other) => rank(one) - rank(other) || one.localeCompare(other))
    .slice(0, MAX_OFFERED);
}
