/**
 * The end of what an agent said, in one line and without Markdown syntax: what came of a run. It begins alike in every run,
 * with what the agent is about to do.
 */
export function lastParagraphOf(output: string): string {
  const paragraph =
    output
      .trimEnd()
      .split(/\n[^\S\n]*\n/)
      .at(-1) ?? "";
  return paragraph
    .split("\n")
    .map((line) => line.replace(/^\s*(?:#+|[-*>]|\d+\.)\s+/, "").replaceAll(/[*`_]{1,3}(?=\S)|(?<=\S)[*`_]{1,3}/g, ""))
    .filter((line) => line.trim() !== "")
    .join(" · ");
}
