const HALF_A_MEGABYTE = 512 * 1024;

/** Half a megabyte, the longest text that is rendered and compared, of what takes a browser or a parser longest. */
export const HOSTILE_TEXTS: Readonly<Record<string, string>> = {
  "links that never end": repeated("[a]("),
  backticks: `${"`".repeat(20_000)} ${"`a``".repeat(20_000)}`,
  "addresses that never end": repeated("a.a.a@"),
  "quotes in quotes": `${">".repeat(20_000)} a\n`,
  "lists in lists": repeated("- "),
  "a table without end": `${"|a".repeat(1_000)}|\n${"|-".repeat(1_000)}|\n${"|\n".repeat(200_000)}`,
  "a line without end": repeated("a"),
  "one letter with marks": `e${repeated("\u0301")}`,
  "many short lines": repeated("a\n"),
  "many short blocks": repeated("a\n\n"),
  // Among words, since so many elements alone take long to be laid out, if in many short steps.
  formulas: repeated(`$\\frac{a}{b}$ ${"word ".repeat(20)}`),
  "callouts and footnotes": repeated(`> [!note]\n> > [!tip]- a\n> > b[^1] $a$ ${"word ".repeat(80)}\n\n[^1]: c\n\n`),
};

/** A part as often as it goes into half a megabyte. */
export function repeated(part: string): string {
  return part.repeat(Math.floor(HALF_A_MEGABYTE / part.length));
}
