import { isDeepStrictEqual } from "node:util";
import { isCollection, isPair, isScalar, isSeq, type Node, type Pair } from "yaml";
import { InvalidInputError } from "../../platform/errors.ts";
import { newlineOf, parseMarkdown, type FrontmatterBlock } from "./frontmatter.ts";

export type FieldValue = string | number | boolean | readonly string[];

/** Words that some YAML parsers do not treat as strings. */
const RESERVED_WORD = /^(?:true|false|yes|no|on|off|null|y|n|nan|inf)$/i;
/** Text that every YAML parser reads verbatim as a plain scalar, even in a flow collection. */
const PLAIN = /^\p{L}(?:[\p{L}\p{M}\p{N} _.'()/-]*[\p{L}\p{M}\p{N}_.')/-])?$/u;
// eslint-disable-next-line no-control-regex
const UNPRINTABLE = /[\u007f-\u009f\u2028\u2029\ufeff]/g;

/**
 * Sets one field of a Markdown text's frontmatter without changing any other character of the text: comments, order, line
 * endings and the other fields are preserved. A text without (valid) frontmatter gets a new block at the top. Throws
 * {@link InvalidInputError} if the field cannot be changed on its own, for example because an alias refers to it.
 */
export function setFrontmatterField(text: string, key: string, value: FieldValue): string {
  const { metadata, body, head, block } = parseMarkdown(text);
  if (block === null) return addBlock(text, head, `${renderText(key)}: ${render(value)}`);
  if (isDeepStrictEqual(metadata[key], value)) return text;
  const { offset, length, replacement } = planChange({ ...block, newline: newlineOf(head) }, key, value);
  const start = block.start + offset;
  const changed = text.slice(0, start) + replacement + text.slice(start + length);
  if (!isOnlyChange({ changed, body, metadata: { ...metadata, [key]: value } })) {
    throw cannotChange(key);
  }
  return changed;
}

/**
 * Removes one field, including a comment after it, from a Markdown text's frontmatter without changing any other character.
 * Throws {@link InvalidInputError} if it cannot be removed on its own.
 */
export function removeFrontmatterField(text: string, key: string): string {
  const { metadata, body, block } = parseMarkdown(text);
  const pair = block === null ? undefined : findPair(block, key);
  if (block === null || pair === undefined) return text;
  const { yaml, fields } = block;
  const [first] = pair.key.range;
  const start = first - columnOf(yaml, first);
  const last = pair.value === null ? endOfColon(pair) : Math.max(endOf(pair.value, yaml), endOfColon(pair));
  const lineEnd = yaml.indexOf("\n", last);
  const end = lineEnd === -1 ? yaml.length : lineEnd + 1;
  const changed = text.slice(0, block.start + start) + text.slice(block.start + end);
  const others = Object.fromEntries(Object.entries(metadata).filter(([name]) => name !== key));
  if (fields?.flow === true || !isOnlyChange({ changed, body, metadata: others })) throw cannotChange(key);
  return changed;
}

interface EditedBlock extends FrontmatterBlock {
  readonly newline: string;
}

/** A replacement of a range of the block's YAML. */
interface Splice {
  readonly offset: number;
  readonly length: number;
  readonly replacement: string;
}

function addBlock(text: string, head: string, field: string): string {
  const newline = newlineOf(text);
  return `${head}---${newline}${field}${newline}---${newline}${text.slice(head.length)}`;
}

function planChange(block: EditedBlock, key: string, value: FieldValue): Splice {
  const pair = findPair(block, key);
  if (pair === undefined) return planInsertion(block, `${renderText(key)}: ${render(value)}`);
  const node = pair.value;
  const range = node?.range;
  if (node === null || range === undefined || range[0] === range[1]) {
    return { offset: endOfColon(pair), length: 0, replacement: ` ${render(value)}` };
  }
  const offset = range[0];
  const length = endOf(node, block.yaml) - offset;
  return { offset, length, replacement: renderInPlace(block, node, offset, value) };
}

function findPair({ fields }: FrontmatterBlock, key: string) {
  return fields?.items.find((item) => isScalar(item.key) && String(item.key.value) === key);
}

function cannotChange(key: string): InvalidInputError {
  return InvalidInputError.at(key, "cannot be changed on its own in this frontmatter; edit the text itself");
}

function planInsertion({ yaml, fields, newline }: EditedBlock, field: string): Splice {
  if (fields?.flow === true) {
    const offset = fields.range[1] - 1;
    return { offset, length: 0, replacement: fields.items.length === 0 ? field : `, ${field}` };
  }
  const [first] = fields?.items ?? [];
  const indentation = first?.key.range === undefined ? "" : " ".repeat(columnOf(yaml, first.key.range[0]));
  return { offset: yaml.length, length: 0, replacement: `${indentation}${field}${newline}` };
}

/** A block sequence remains one, with its indentation. */
function renderInPlace({ yaml, fields, newline }: EditedBlock, node: Node, offset: number, value: FieldValue): string {
  const column = columnOf(yaml, offset);
  if (isSeq(node) && node.flow !== true && Array.isArray(value) && value.length > 0) {
    return value.map((item: string) => `- ${render(item)}`).join(newline + " ".repeat(column));
  }
  // A value on its own line must be indented more than its key; only list items need not be.
  const isOnOwnLine = yaml.slice(0, offset).trimEnd().length < offset - column;
  const missing = isOnOwnLine && fields?.flow !== true ? Math.max(2 - column, 0) : 0;
  return " ".repeat(missing) + render(value);
}

function render(value: FieldValue): string {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" ? renderText(value) : `[${value.map(renderText).join(", ")}]`;
}

function renderText(text: string): string {
  if (PLAIN.test(text) && !RESERVED_WORD.test(text)) return text;
  return JSON.stringify(text).replaceAll(
    UNPRINTABLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** The end of the value itself, before a trailing comment or line break. */
function endOf(node: Node, yaml: string): number {
  const { range } = node;
  if (range === undefined || range === null) return 0;
  if (isCollection(node) && node.flow !== true) {
    const last: unknown = node.items.at(-1);
    const lastNode = isPair<Node, Node | null>(last) ? (last.value ?? last.key) : last;
    if (isNode(lastNode)) return Math.max(endOf(lastNode, yaml), range[0]);
  }
  return range[0] + yaml.slice(range[0], range[1]).trimEnd().length;
}

function isNode(value: unknown): value is Node {
  return isScalar(value) || isCollection(value);
}

function endOfColon(pair: Pair): number {
  const separator: unknown = pair.srcToken?.sep;
  const tokens = Array.isArray(separator) ? separator : [];
  const colon: unknown = tokens.find(isColon);
  return isColon(colon) ? colon.offset + 1 : 0;
}

function isColon(token: unknown): token is { offset: number } {
  return (
    typeof token === "object" &&
    token !== null &&
    "type" in token &&
    token.type === "map-value-ind" &&
    "offset" in token &&
    typeof token.offset === "number"
  );
}

function columnOf(yaml: string, offset: number): number {
  return offset - (yaml.lastIndexOf("\n", offset - 1) + 1);
}

function isOnlyChange(expected: { changed: string; body: string; metadata: Record<string, unknown> }): boolean {
  const { metadata, body, block } = parseMarkdown(expected.changed);
  return block !== null && body === expected.body && isDeepStrictEqual(metadata, expected.metadata);
}
