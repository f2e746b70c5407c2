import { isMap, isScalar, isSeq, parseDocument, type Node } from "yaml";
import { isPlain } from "../markdown/frontmatter-size.ts";
import { baseCondition, queryName } from "./base-expression.ts";
import { MAX_QUERY_CHARACTERS, MAX_QUERY_ROWS, parseQuery } from "./query-language.ts";

const MAX_VIEWS = 50;
const MAX_COLUMNS = 12;
const MAX_SORTS = 5;
const MAX_DEPTH = 10;
/** Of the structural characters of YAML, each of which takes up to ten microseconds: many times as many as people's files have. */
const MAX_MARKS = 4_000;
/** What all cannot be said of: the reasons are listed up to here. */
const MAX_REASONS = 20;

/** A view of a `.base` file, as a query. */
export interface BaseView {
  readonly name: string;
  /** Null if what it shows cannot be asked for. */
  readonly query: string | null;
  /** What of the view is not shown, or why it is not. */
  readonly unsupported: string[];
}

/**
 * The views of a `.base` file of Obsidian, as queries that show the same notes as far as queries can. A condition that cannot be asked
 * for makes the view unavailable, for it would show others; what else is unknown is left out, and named. Null if it is no such file.
 */
export function readBaseFile(text: string): BaseView[] | null {
  if (!isPlain(text, MAX_MARKS)) return null;
  const document = parseDocument(text, { schema: "core", uniqueKeys: false, logLevel: "silent", prettyErrors: false });
  const root = document.contents;
  if (document.errors.length > 0 || !isMap(root)) return null;
  const views = root.get("views", true);
  const filters = nodeOf(root.get("filters", true));
  const formulas = root.has("formulas");
  const shown = isSeq(views) ? views.items.slice(0, MAX_VIEWS) : [null];
  return shown.map((view, index) => readView(nodeOf(view), { filters, formulas, number: index + 1 }));
}

interface BaseContext {
  readonly filters: Node | null;
  readonly formulas: boolean;
  readonly number: number;
}

function readView(view: Node | null, { filters, formulas, number }: BaseContext): BaseView {
  const reasons: string[] = [];
  const type = textAt(view, "type") ?? "table";
  const name = textAt(view, "name") ?? `View ${number}`;
  const refused = (): BaseView => ({ name, query: null, unsupported: reasons.slice(0, MAX_REASONS) });
  const conditions: string[] = [];
  try {
    for (const filter of [filters, at(view, "filters")])
      if (filter !== null) conditions.push(readConditions(filter, 0));
  } catch (error) {
    if (!(error instanceof UnsupportedError)) throw error;
    reasons.push(error.message);
    return refused();
  }
  if (type !== "table" && type !== "list") reasons.push(`the layout “${type}”: it is shown as a table`);
  if (formulas) reasons.push("formulas");
  const fields = readNames(at(view, "order"), reasons).slice(0, MAX_COLUMNS);
  const sorts = readSorts(at(view, "sort"), reasons).slice(0, MAX_SORTS);
  const group = readSorts(at(view, "groupBy"), reasons)[0];
  const limit = Math.min(Math.max(Math.trunc(Number(textAt(view, "limit") ?? MAX_QUERY_ROWS)) || 1, 1), MAX_QUERY_ROWS);
  const query = [
    "from notes",
    ...conditions.filter((condition) => condition !== "").map((condition) => `where ${condition}`),
    ...(sorts.length === 0 ? [] : [`sort ${sorts.join(", ")}`]),
    ...(group === undefined ? [] : [`group ${group}`]),
    ...(fields.length === 0 ? [] : [`columns ${fields.join(", ")}`]),
    `limit ${limit}`,
    type === "list" ? "show list" : "show table",
  ].join("\n");
  if (query.length <= MAX_QUERY_CHARACTERS && "query" in parseQuery(query))
    return { name, query, unsupported: reasons.slice(0, MAX_REASONS) };
  reasons.push("so many conditions");
  return refused();
}

class UnsupportedError extends Error {
  override readonly name = "UnsupportedError";
}

/** The conditions of a filter, joined; empty if all notes fulfil them. Throws {@link UnsupportedError}. */
function readConditions(node: Node, depth: number): string {
  if (depth > MAX_DEPTH) throw new UnsupportedError("conditions so deep in others");
  if (isScalar(node)) {
    const text = textOf(node) ?? "";
    const condition = baseCondition(text);
    if (condition === null) throw new UnsupportedError(`the condition “${text.slice(0, 200)}”`);
    return condition;
  }
  const joins = ["and", "or", "not"] as const;
  const join = joins.find((name) => at(node, name) !== null);
  const list = join === undefined ? null : at(node, join);
  if (join === undefined || !isSeq(list)) throw new UnsupportedError("a filter without and, or, not");
  const all = list.items.flatMap((item) => nodeOf(item) ?? []).map((item) => readConditions(item, depth + 1));
  if (join === "or" && all.includes("")) return "";
  const parts = all.filter((part) => part !== "");
  if (join === "not" && parts.length < all.length) throw new UnsupportedError("a filter that no note fulfils");
  if (parts.length === 0) return "";
  const joined = `(${parts.join(join === "and" ? " and " : " or ")})`;
  return join === "not" ? `not ${joined}` : joined;
}

function readNames(node: Node | null, reasons: string[]): string[] {
  const written = isSeq(node) ? node.items.map((item) => textOf(nodeOf(item)) ?? "") : [];
  return written.flatMap((text) => knownName(text, reasons) ?? []);
}

/** `property` with `direction`, once or in a list. */
function readSorts(node: Node | null, reasons: string[]): string[] {
  const all = isSeq(node) ? node.items.map(nodeOf) : [node];
  return all.flatMap((one) => {
    const name = knownName(textAt(one, "property") ?? textAt(one, "column") ?? "", reasons);
    const isDescending = textAt(one, "direction")?.toUpperCase() === "DESC";
    return name === null ? [] : [`${name}${isDescending ? " desc" : ""}`];
  });
}

function knownName(text: string, reasons: string[]): string | null {
  if (text === "") return null;
  const name = queryName(text);
  if (name === null) reasons.push(`the field “${text.slice(0, 200)}”`);
  return name;
}

function at(node: Node | null, key: string): Node | null {
  return isMap(node) ? nodeOf(node.get(key, true)) : null;
}

function textAt(node: Node | null, key: string): string | undefined {
  return textOf(at(node, key));
}

function textOf(node: Node | null): string | undefined {
  if (!isScalar(node)) return undefined;
  const { value } = node;
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : undefined;
}

function nodeOf(value: unknown): Node | null {
  return isMap(value) || isSeq(value) || isScalar(value) ? value : null;
}
