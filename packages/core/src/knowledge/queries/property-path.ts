import { foldText } from "../../platform/fold-text.ts";
import { propertyName } from "../markdown/properties.ts";
import type { Comparison } from "./condition-sql.ts";

/**
 * A path of PostgreSQL's `jsonpath` that exists in the folded properties of the notes for which a comparison is true. It compares each
 * value of a list, and never fails: a number is not compared with a text.
 */
export function propertyPath({ field, operator, value }: Comparison): string {
  return `${keyPath(field.name)} ? (${predicate({ operator, value })})`;
}

/** A path that exists if a property is set, and not to `false`. */
export function setPropertyPath(name: string): string {
  return `${keyPath(name)} ? (@.type() != "boolean" || @ == true)`;
}

function keyPath(name: string): string {
  return `$.${quoted(propertyName(name))}[*]`;
}

function predicate({ operator, value }: Pick<Comparison, "operator" | "value">): string {
  const sign = operator === "=" ? "==" : operator;
  switch (value.kind) {
    case "number":
      return `@ ${sign} ${value.number}${operator === "=" ? ` || @ == ${quoted(String(value.number))}` : ""}`;
    case "boolean":
      return `@ ${sign} ${value.boolean} || @ ${sign} ${quoted(String(value.boolean))}`;
    case "period": {
      const [from, to] = [quoted(value.period.from), quoted(value.period.to)];
      // Anything else that sorts between two dates is no date.
      const isDate = String.raw`@ like_regex "^[0-9]{4}-[0-9]{2}"`;
      if (operator === "<") return `${isDate} && @ < ${from}`;
      if (operator === "<=") return `${isDate} && @ < ${to}`;
      if (operator === ">") return `${isDate} && @ >= ${to}`;
      if (operator === ">=") return `${isDate} && @ >= ${from}`;
      return `${isDate} && @ >= ${from} && @ < ${to}`;
    }
    case "text": {
      const text = quoted(foldText(value.text));
      if (operator === "has") return `@ like_regex ${text} flag "q"`;
      if (operator === "begins") return `@ starts with ${text}`;
      return operator === "=" ? `@ == ${text} || @ == ${quoted(`[[${foldText(value.text)}]]`)}` : `@ ${sign} ${text}`;
    }
  }
}

/** As a string of `jsonpath`, which has the escapes of JSON. */
function quoted(text: string): string {
  return JSON.stringify(text.replaceAll("\0", "").toWellFormed());
}
