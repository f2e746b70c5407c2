import { InvalidInputError, type InputIssue } from "@workspace/core";
import * as z from "zod";
import { splitUrl } from "./percent-encoding.ts";
import { unknownParameter } from "./unknown-parameter.ts";

type Coercion = "text" | "number" | "boolean";

/** How one query parameter is read: the type that its text is coerced to, and whether it may be repeated. */
interface ParameterPlan {
  readonly coercion: Coercion;
  readonly isRepeatable: boolean;
}

export type QueryPlan = ReadonlyMap<string, ParameterPlan>;

const DECIMAL = /^-?\d+(\.\d+)?$/;

/** The plan of a route that takes no query parameters. */
export const NO_PARAMETERS: QueryPlan = new Map();

/**
 * Plans, from a procedure's input schema, how its query strings are read. `inPath` lists the fields that come from the path and
 * are therefore not query parameters.
 */
export function planQuery(input: z.ZodType | undefined, inPath: readonly string[] = []): QueryPlan {
  if (!(input instanceof z.ZodObject)) return NO_PARAMETERS;
  const parameters = Object.entries(input.shape).filter(([name]) => !inPath.includes(name));
  return new Map(parameters.map(([name, schema]) => [name, planParameter(schema)]));
}

/**
 * Reads a query string by its plan. Text that is not a number or a boolean stays text, which the schema then rejects, so nothing
 * is guessed. Throws {@link InvalidInputError} for an unknown parameter, which would silently have no effect, and for a repeated
 * one that may not be repeated.
 */
export function readQuery(queryString: string, plan: QueryPlan): Record<string, unknown> {
  const query: Record<string, unknown> = {};
  if (queryString === "") return query;
  const parameters = new URLSearchParams(queryString);
  for (const name of new Set(parameters.keys())) {
    const parameter = plan.get(name);
    if (parameter === undefined) throw unknownParameter(name, [...plan.keys()]);
    const values = parameters.getAll(name).map((text) => coerce(text, parameter.coercion));
    if (values.length > 1 && !parameter.isRepeatable) throw InvalidInputError.at(name, "is given more than once");
    query[name] = parameter.isRepeatable ? values : values[0];
  }
  return query;
}

/** The error of an input from a query string, where the values of a repeated parameter have no numbers; any other as it is. */
export function toParameterError(error: unknown): unknown {
  if (!(error instanceof InvalidInputError) || error.issues?.some(({ path }) => path.includes(".")) !== true)
    return error;
  const issues = new Map<string, InputIssue>();
  for (const { path, message } of error.issues) {
    const [parameter = path] = path.split(".");
    issues.set(`${parameter}: ${message}`, { path: parameter, message });
  }
  return InvalidInputError.of([...issues.values()]);
}

/** Throws {@link InvalidInputError} for a request with query parameters to a route that takes none. */
export function assertNoParameters(url: string): void {
  const [, queryString] = splitUrl(url);
  readQuery(queryString, NO_PARAMETERS);
}

function coerce(text: string, coercion: Coercion): unknown {
  switch (coercion) {
    case "text":
      return text;
    case "number":
      return DECIMAL.test(text) ? Number(text) : text;
    case "boolean":
      return text === "true" ? true : text === "false" ? false : text;
  }
}

function planParameter(schema: z.core.$ZodType): ParameterPlan {
  const inner = unwrap(schema);
  return inner instanceof z.ZodArray
    ? { coercion: coercionOf(unwrap(inner.element)), isRepeatable: true }
    : { coercion: coercionOf(inner), isRepeatable: false };
}

function coercionOf(schema: z.core.$ZodType): Coercion {
  if (schema instanceof z.ZodNumber) return "number";
  if (schema instanceof z.ZodBoolean) return "boolean";
  return "text";
}

function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return unwrap(schema.unwrap());
  }
  return schema;
}
