import { daysOf, type FilterContext } from "../../platform/filter/filter-days.ts";
import type { Condition, FilterOp } from "../../platform/filter/filter.ts";
import { foldText } from "../../platform/fold-text.ts";
import { propertyName } from "../markdown/properties.ts";

/**
 * A path of PostgreSQL's `jsonpath` that exists in the folded properties of the notes for which a condition holds. It compares each
 * value of a list, and never fails: a number is not compared with a text.
 */
export function propertyPath(name: string, condition: Condition, context: FilterContext): string {
  const { op, values } = condition;
  if (op === "set") return `${keyPath(name)} ? (@.type() != "boolean" || @ == true)`;
  const predicates = values.map((value) => `(${predicate(op, value, context)})`);
  return `${keyPath(name)} ? (${predicates.join(" || ")})`;
}

function keyPath(name: string): string {
  return `$.${quoted(propertyName(name))}[*]`;
}

function predicate(op: FilterOp, value: string, context: FilterContext): string {
  if (op === "has") return `@ like_regex ${quoted(foldText(value))} flag "q"`;
  if (op === "begins") return `@ starts with ${quoted(foldText(value))}`;
  const sign = op === "is" ? "==" : op;
  if (value.startsWith('"')) {
    const text = foldText(String(JSON.parse(value)));
    return `@ ${sign} ${quoted(text)}${op === "is" ? ` || @ == ${quoted(`[[${text}]]`)}` : ""}`;
  }
  if (value === "true" || value === "false") return `@ ${sign} ${value} || @ ${sign} ${quoted(value)}`;
  if (Number.isFinite(Number(value))) return `@ ${sign} ${value}${op === "is" ? ` || @ == ${quoted(value)}` : ""}`;
  const { from, before } = daysOf({ op }, value, context);
  const bounds = [from !== undefined && `@ >= ${quoted(from)}`, before !== undefined && `@ < ${quoted(before)}`];
  // Anything else that sorts between two dates is no date.
  return [String.raw`@ like_regex "^[0-9]{4}-[0-9]{2}"`, ...bounds.filter((bound) => bound !== false)].join(" && ");
}

/** As a string of `jsonpath`, which has the escapes of JSON. */
function quoted(text: string): string {
  return JSON.stringify(text.replaceAll("\0", "").toWellFormed());
}
