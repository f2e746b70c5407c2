import { foldText } from "../../platform/fold-text.ts";
import { parseMarkdown } from "./frontmatter.ts";

/** A value of a property that can be shown in a cell and compared. */
export type PropertyValue = string | number | boolean;

/** The properties of a note by folded name. A list has only values that are not empty. */
export interface NoteProperties {
  /** The values as written, long texts cut. */
  readonly shown: Readonly<Record<string, PropertyValue | PropertyValue[]>>;
  /** The same for comparing: texts are folded. */
  readonly folded: Readonly<Record<string, PropertyValue | PropertyValue[]>>;
}

const MAX_PROPERTIES = 100;
const MAX_NAME_LENGTH = 100;
const MAX_TEXT_LENGTH = 500;
const MAX_ITEMS = 100;
/** Of all properties of a note together, counted in characters of texts. */
const MAX_TOTAL = 32 * 1024;
/** Fields inside of others are named with a dot, such as `author.name`. */
const MAX_DEPTH = 4;

/**
 * The fields of a note's frontmatter as queries see them: single values and lists of them, of any name. What is empty is left out, so
 * that a property either exists with a value or does not.
 */
export function noteProperties(text: string): NoteProperties {
  const shown = new Map<string, PropertyValue | PropertyValue[]>();
  const budget = { left: MAX_TOTAL };
  collect(parseMarkdown(text).metadata, "", 1, (name, value) => {
    if (shown.size >= MAX_PROPERTIES || shown.has(name)) return;
    const kept = Array.isArray(value) ? toList(value, budget) : toValue(value, budget);
    if (kept !== null) shown.set(name, kept);
  });
  const folded = [...shown].map(
    ([name, value]) => [name, Array.isArray(value) ? value.map(fold) : fold(value)] as const,
  );
  return { shown: Object.fromEntries(shown), folded: Object.fromEntries(folded) };
}

/** The form in which the name of a property is stored. */
export function propertyName(name: string): string {
  return foldText(name.trim());
}

function collect(fields: object, prefix: string, depth: number, add: (name: string, value: unknown) => void): void {
  for (const [key, value] of Object.entries(fields)) {
    const name = `${prefix}${propertyName(toStorable(key))}`;
    if (name === "" || name.length > MAX_NAME_LENGTH) continue;
    if (typeof value !== "object" || value === null || Array.isArray(value)) add(name, value);
    else if (depth < MAX_DEPTH) collect(value, `${name}.`, depth + 1, add);
  }
}

interface Budget {
  left: number;
}

function toList(values: readonly unknown[], budget: Budget): PropertyValue[] | null {
  const items = values.slice(0, MAX_ITEMS).flatMap((value) => toValue(value, budget) ?? []);
  return items.length === 0 ? null : items;
}

function toValue(value: unknown, budget: Budget): PropertyValue | null {
  if (typeof value === "number" || typeof value === "boolean") return value;
  if (typeof value !== "string" || budget.left <= 0) return null;
  const text = toStorable(value).trim().slice(0, MAX_TEXT_LENGTH).toWellFormed();
  budget.left -= text.length;
  return text === "" ? null : text;
}

/** Without what YAML escapes can produce but the database cannot store. */
function toStorable(text: string): string {
  return text.slice(0, MAX_TOTAL).replaceAll("\0", "").toWellFormed();
}

function fold(value: PropertyValue): PropertyValue {
  return typeof value === "string" ? foldText(value) : value;
}
