import * as z from "zod";
import type { InputIssue } from "../errors.ts";

type RawIssue = z.core.$ZodRawIssue;

// Overrides zod's wording for every issue whose schema has no message of its own. It has to be set for the whole process:
// tRPC calls the parser itself and passes no options.
z.config({ customError: describeIssue });

/** Describes what is wrong with an input in the contract's terms: the field, and what is allowed there. */
export function describeIssues(issues: readonly z.core.$ZodIssue[]): InputIssue[] {
  return issues.map(({ path, message }) => ({ path: path.map(String).join("."), message }));
}

function describeIssue(issue: RawIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "is required" : `expected ${nameType(issue.expected)}`;
    case "invalid_value":
      return describeValues(issue.values);
    case "too_big":
      return describeBound(issue.exact === true ? "exactly" : issue.inclusive === false ? "less than" : "at most", {
        bound: issue.maximum,
        origin: issue.origin,
      });
    case "too_small":
      return describeBound(issue.exact === true ? "exactly" : issue.inclusive === false ? "more than" : "at least", {
        bound: issue.minimum,
        origin: issue.origin,
      });
    case "invalid_format":
      return describeFormat(issue);
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "unrecognized_keys":
      return `has unknown fields: ${issue.keys.join(", ")}`;
    case "invalid_union":
      return describeUnion(issue);
    case "invalid_key":
      return `has an invalid key: ${describeFirst(issue.issues)}`;
    case "invalid_element":
      return `has an invalid item: ${describeFirst(issue.issues)}`;
    case "custom":
      return "is not allowed";
  }
}

/** Zod's type names that differ from JSON's. */
const TYPE_NAMES: Readonly<Record<string, string>> = {
  int: "a whole number",
  array: "an array",
  tuple: "an array",
  object: "an object",
  record: "an object",
  null: "null",
  undefined: "nothing",
  never: "nothing",
  date: "a date",
};

function nameType(expected: string): string {
  return TYPE_NAMES[expected] ?? (/^[aeiou]/.test(expected) ? `an ${expected}` : `a ${expected}`);
}

function describeValues(values: readonly z.core.util.Primitive[]): string {
  const allowed = values.map(String).join(", ");
  return values.length === 1 ? `expected ${allowed}` : `expected one of ${allowed}`;
}

function describeBound(relation: string, { bound, origin }: { bound: number | bigint; origin: string }): string {
  const units: Readonly<Record<string, string>> = { string: "character", array: "item", set: "item" };
  const unit = units[origin];
  if (unit === undefined) return `expected ${relation} ${bound}`;
  return `expected ${relation} ${bound} ${Number(bound) === 1 ? unit : `${unit}s`}`;
}

const FORMAT_NAMES: Readonly<Record<string, string>> = {
  uuid: "a UUID",
  datetime: "an ISO 8601 date-time",
  date: "a date as YYYY-MM-DD",
  time: "an ISO 8601 time",
  email: "an email address",
  url: "a URL",
};

function describeFormat(issue: Extract<RawIssue, { code: "invalid_format" }>): string {
  const name = FORMAT_NAMES[issue.format];
  if (name !== undefined) return `expected ${name}`;
  return issue.pattern === undefined ? "has the wrong format" : `must match ${issue.pattern}`;
}

/** Everything that the alternatives allow; if only one of them accepts the input's type, that one's message. */
function describeUnion({ errors, options }: Extract<RawIssue, { code: "invalid_union" }>): string {
  if (Array.isArray(options) && options.length > 0) return describeValues(options);
  const firsts = errors.flatMap(([first]) => (first === undefined ? [] : [first]));
  if (firsts.length > 0 && firsts.every((issue) => issue.code === "invalid_value")) {
    return describeValues(firsts.flatMap(({ values }) => values));
  }
  const ofFittingType = firsts.find(({ code, path }) => code !== "invalid_type" || path.length > 0);
  if (ofFittingType !== undefined) return ofFittingType.message;
  const types = firsts.flatMap((issue) => (issue.code === "invalid_type" ? [nameType(issue.expected)] : []));
  return types.length === 0 ? "is not allowed" : `expected ${[...new Set(types)].join(" or ")}`;
}

function describeFirst(issues: readonly z.core.$ZodIssue[]): string {
  return issues[0]?.message ?? "is not allowed";
}
