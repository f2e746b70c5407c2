import { isMap, parseDocument, type Document, type YAMLMap } from "yaml";
import { isParsable, MAX_BLOCK_CHARACTERS } from "./frontmatter-size.ts";
import { toFrontmatterValues, type FrontmatterValues } from "./frontmatter-values.ts";

const BYTE_ORDER_MARK = "\ufeff";
const DELIMITER = "---";
/** Tags such as `!!set`, `!!binary` and `!!timestamp` would produce values that JSON cannot represent, so they are ignored. */
const PARSE_OPTIONS = {
  prettyErrors: false,
  keepSourceTokens: true,
  logLevel: "silent",
  resolveKnownTags: false,
} as const;

/** The parts of a Markdown text: `head` and `body` concatenated are the text. */
export interface MarkdownParts {
  /** The parsed fields of the frontmatter; empty without valid frontmatter. */
  readonly metadata: Readonly<FrontmatterValues>;
  readonly body: string;
  /** Everything before the body: the byte order mark, the frontmatter and its delimiters. */
  readonly head: string;
  /** The frontmatter itself; null without valid frontmatter. */
  readonly block: FrontmatterBlock | null;
}

export interface FrontmatterBlock {
  readonly yaml: string;
  /** The offset of the YAML in the text. */
  readonly start: number;
  readonly document: Document.Parsed;
  /** Null for a block that is empty or contains only comments. */
  readonly fields: YAMLMap.Parsed | null;
}

/**
 * Splits a Markdown text into frontmatter and body. Frontmatter is a block between two `---` lines at the very start that is
 * valid YAML with fields that JSON can represent (see {@link toFrontmatterValues}); it is treated as plain data, whatever its
 * tags. Anything else is part of the body, so that no text is ever lost.
 */
export function parseMarkdown(text: string): MarkdownParts {
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
  const withoutBlock: MarkdownParts = { metadata: {}, body: text.slice(mark.length), head: mark, block: null };
  const range = findBlock(text, mark.length);
  if (range === null) return withoutBlock;
  const parsed = parseBlock(text.slice(range.start, range.end), range.start);
  if (parsed === null) return withoutBlock;
  const { metadata, block } = parsed;
  return { metadata, body: text.slice(range.bodyStart), head: text.slice(0, range.bodyStart), block };
}

/** Replaces the body of a text. The new body remains the body even if it looks like frontmatter. */
export function replaceBody(text: string, body: string): string {
  const { head, block } = parseMarkdown(text);
  if (block !== null) return head + (body === "" || head.endsWith("\n") ? "" : newlineOf(head)) + body;
  const changed = head + body;
  if (parseMarkdown(changed).block === null) return changed;
  const newline = newlineOf(body);
  return `${head}${DELIMITER}${newline}${DELIMITER}${newline}${body}`;
}

/** The line ending of a text, going by its first line. */
export function newlineOf(text: string): "\r\n" | "\n" {
  const end = text.indexOf("\n");
  return end > 0 && text[end - 1] === "\r" ? "\r\n" : "\n";
}

interface BlockRange {
  readonly start: number;
  readonly end: number;
  readonly bodyStart: number;
}

function findBlock(text: string, from: number): BlockRange | null {
  const first = lineAt(text, from);
  if (first.content !== DELIMITER || first.next === from) return null;
  for (let line = lineAt(text, first.next); ; line = lineAt(text, line.next)) {
    if (line.content === DELIMITER) return { start: first.next, end: line.start, bodyStart: line.next };
    if (line.next === line.start || line.next >= text.length) return null;
    if (line.next - first.next > MAX_BLOCK_CHARACTERS) return null;
  }
}

/** The line that starts at an offset, without trailing whitespace, and the start of the next one. */
function lineAt(text: string, start: number): { start: number; content: string; next: number } {
  const end = text.indexOf("\n", start);
  const next = end === -1 ? text.length : end + 1;
  // A longer line cannot be a delimiter.
  const content = next - start > 64 ? "" : text.slice(start, next).trimEnd();
  return { start, content, next };
}

function parseBlock(yaml: string, start: number): { metadata: FrontmatterValues; block: FrontmatterBlock } | null {
  // Anything larger is treated as text.
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
    // An alias bomb, or nesting that overflows the stack.
    return null;
  }
}
