import type { Parser, Tree } from "@lezer/common";
import { classHighlighter, highlightCode } from "@lezer/highlight";
import { findLanguage } from "./languages.ts";

/** Longer code is shown without colours. */
const MAX_CODE = 16_000;
/** What has not been read after this time is shown without colours. */
const MAX_MS = 300;
const MAX_LINE = 5_000;

/** A part of code: its text, and the classes of its colour, if it has one. */
export type CodePart = readonly [text: string, classes: string];

/** The parts of code with their colours; null if it has none: its language is not known, or it is too long. */
export async function colourCode(source: string, language: string): Promise<readonly CodePart[] | null> {
  if (source.length > MAX_CODE || source.split("\n").some(({ length }) => length > MAX_LINE)) return null;
  const description = findLanguage(language);
  if (description === null) return null;
  const { language: loaded } = await description.load();
  const parts: CodePart[] = [];
  highlightCode(
    source,
    parseFor(loaded.parser, source),
    classHighlighter,
    (text, classes) => parts.push([text, classes]),
    () => parts.push(["\n", ""]),
  );
  return parts;
}

/** Reads code, as far as time allows. */
function parseFor(parser: Parser, source: string): Tree {
  const parse = parser.startParse(source);
  const end = performance.now() + MAX_MS;
  for (;;) {
    const tree = parse.advance();
    if (tree !== null) return tree;
    if (performance.now() > end && parse.stoppedAt === null) parse.stopAt(parse.parsedPos);
  }
}
