import { isMap, parseDocument, type Document, type YAMLMap } from "yaml";
import { isParsable, MAX_BLOCK_CHARACTERS } from "./frontmatter-size.ts";
import { toFrontmatterValues, type FrontmatterValues } from "./frontmatter-values.ts";

const BYTE_ORDER_MARK = "\ufeff";
const DELIMITER = "---";
/** Tags such as `!!set`, `!!binary` and `!!timestamp` would make values that JSON has no words for; without them it is plain data. */
const PARSE_OPTIONS = {
  prettyErrors: false,
  keepSourceTokens: true,
  logLevel: "silent",
  resolveKnownTags: false,
} as const;

/** A Markdown text, taken apart. The parts put together again are the text. */
export interface MarkdownParts {
  /** The parsed fields of the frontmatter; empty where there is none, or none that is valid. */
  readonly metadata: Readonly<FrontmatterValues>;
  readonly body: string;
  /** The byte order mark, the frontmatter and its delimiters: all that stands before the body. */
  readonly head: string;
  /** The frontmatter itself; null where there is none that is valid. */
  readonly block: FrontmatterBlock | null;
}

export interface FrontmatterBlock {
  readonly yaml: string;
  /** Where it begins in the text. */
  readonly start: number;
  readonly document: Document.Parsed;
  /** Null for a block that has no fields, or only comments. */
  readonly fields: YAMLMap.Parsed | null;
}

/**
 * Splits a Markdown text into frontmatter and body. Frontmatter is a block between two lines `---` at the very start that
 * is valid YAML and holds fields that JSON can hold too (see {@link toFrontmatterValues}); it is only ever data, whatever
 * tags it carries. Anything else is part of the body, so that nothing of the text is ever lost.
 */
export function parseMarkdown(text: string): MarkdownParts {
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
  const withoutBlock: MarkdownParts = { metadata: {}, body: text.slice(mark.length), head: mark, block: null };
  const place = findBlock(text, mark.length);
  if (place === null) return withoutBlock;
  const parsed = parseBlock(text.slice(place.start, place.end), place.start);
  if (parsed === null) return withoutBlock;
  const { metadata, block } = parsed;
  return { metadata, body: text.slice(place.bodyStart), head: text.slice(0, place.bodyStart), block };
}

/** The text with another body. What is in the new body stays there, even if it looks like frontmatter. */
export function replaceBody(text: string, body: string): string {
  const { head, block } = parseMarkdown(text);
  if (block !== null) return head + (body === "" || head.endsWith("\n") ? "" : newlineOf(head)) + body;
  const changed = head + body;
  if (parseMarkdown(changed).block === null) return changed;
  const newline = newlineOf(body);
  return `${head}${DELIMITER}${newline}${DELIMITER}${newline}${body}`;
}

/** The line ending that a text uses; the first one counts. */
export function newlineOf(text: string): "\r\n" | "\n" {
  const end = text.indexOf("\n");
  return end > 0 && text[end - 1] === "\r" ? "\r\n" : "\n";
}

interface BlockPlace {
  readonly start: number;
  readonly end: number;
  readonly bodyStart: number;
}

function findBlock(text: string, from: number): BlockPlace | null {
  const first = lineAt(text, from);
  if (first.content !== DELIMITER || first.next === from) return null;
  for (let line = lineAt(text, first.next); ; line = lineAt(text, line.next)) {
    if (line.content === DELIMITER) return { start: first.next, end: line.start, bodyStart: line.next };
    if (line.next === line.start || line.next >= text.length) return null;
    if (line.next - first.next > MAX_BLOCK_CHARACTERS) return null;
  }
}

/** The line that begins at a place, without spaces at its end, and where the next one begins. */
function lineAt(text: string, start: number): { start: number; content: string; next: number } {
  const end = text.indexOf("\n", start);
  const next = end === -1 ? text.length : end + 1;
  // No delimiter is longer than this; the line may be.
  const content = next - start > 64 ? "" : text.slice(start, next).trimEnd();
  return { start, content, next };
}

function parseBlock(yaml: string, start: number): { metadata: FrontmatterValues; block: FrontmatterBlock } | null {
  // Whatever is larger is left to be text.
  if (!isParsable(yaml)) return null;
  try {
    const document = parseDocument(yaml, PARSE_OPTIONS);
    if (document.errors.length > 0) return null;
    const { contents } = document;
    if (contents === null) return { metadata: {}, block: { yaml, start, document, fields: null } };
    if (!isMap(contents)) return null;
    const metadata = toFrontmatterValues(document.toJS({ maxAliasCount: 100 }));
    if (metadata === null) return null;
    return { metadata, block: { yaml, start, document, fields: contents } };
  } catch {
    // An alias bomb, or nesting that exhausts the stack.
    return null;
  }
}
