import { compute } from "../../../browser/compute-in-slices.ts";
import { diffLines, linesOf } from "../merge/line-diff.ts";
import { mergeLines } from "../merge/line-merge.ts";

/**
 * A text with what another one adds to what it began with: in its place if both began with the same, otherwise at the end. Nothing is added
 * that is there already.
 */
export function joinTexts(beginning: string, added: string, there: string): string {
  if (added === beginning || added.trim() === "") return there;
  const merged = compute(mergeLines(beginning, added, there));
  if (merged !== null && beginning.trim() !== "") return merged;
  const lines = compute(diffLines(linesOf(beginning), linesOf(added))).flatMap(({ isSame, after }) =>
    isSame ? [] : after,
  );
  const text = lines.join("\n");
  if (text.trim() === "" || `\n${there}\n`.includes(`\n${text}\n`)) return there;
  return there === "" || there.endsWith("\n") ? `${there}${text}` : `${there}\n${text}`;
}
