import type { Request } from "./test-server.ts";

/** The parts of a JSON schema that the tests use. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly dependentRequired?: Readonly<Record<string, readonly string[]>>;
}

/** One operation of an OpenAPI document. */
export interface Operation {
  readonly method: string;
  /** Below the surface's base path, with parameters as `{name}`. */
  readonly path: string;
  readonly query: readonly { readonly name: string; readonly required: boolean; readonly schema: Schema }[];
  /** The schema of the body; undefined if there is none. */
  readonly body: Schema | undefined;
  /** The statuses that it may respond with. */
  readonly statuses: readonly number[];
  /** The security schemes of which it takes any one. */
  readonly schemes: readonly string[];
  /** The schema of a successful JSON response; undefined if there is none. */
  readonly response: Schema | undefined;
}

/** Reads the OpenAPI document of a running server. */
export async function readOperations(request: Request, documentPath: string): Promise<Operation[]> {
  const { body: document } = await request("GET", documentPath);
  const operations: Operation[] = [];
  for (const [path, methods] of Object.entries<Record<string, any>>(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const success = operation.responses["200"] ?? operation.responses["201"];
      operations.push({
        method: method.toUpperCase(),
        path,
        query: (operation.parameters ?? []).filter((parameter: { in: string }) => parameter.in === "query"),
        body: operation.requestBody?.content?.["application/json"]?.schema,
        schemes: (operation.security ?? []).flatMap(Object.keys),
        statuses: Object.keys(operation.responses).map(Number),
        response: success?.content?.["application/json"]?.schema,
      });
    }
  }
  return operations;
}

/** A path within a query or a body, as a list of keys. */
export interface Field {
  readonly path: readonly string[];
  readonly schema: Schema;
}

/** All fields of a schema that satisfy `isWanted`, at any depth, including those of the items of arrays. */
export function findFields(schema: Schema, isWanted: (field: Field) => boolean, path: readonly string[] = []): Field[] {
  const field = { path, schema };
  const inner = [
    ...(schema.anyOf ?? []).flatMap((option) => findFields(option, isWanted, path)),
    ...(schema.items === undefined ? [] : findFields(schema.items, isWanted, [...path, "0"])),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, child]) => findFields(child, isWanted, [...path, name])),
  ];
  return isWanted(field) ? [field, ...inner] : inner;
}

export function isNumeric({ schema }: Field): boolean {
  return schema.type === "integer" || schema.type === "number";
}

/** Values for fields whose valid values the schema alone does not define. */
export type Examples = Readonly<Record<string, unknown>>;

/** The smallest value that a schema allows: only required fields, taken from `examples` by name if there is one. */
export function exampleOf(schema: Schema, examples: Examples, name = ""): unknown {
  if (name in examples) return examples[name];
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.anyOf?.[0] !== undefined) return exampleOf(schema.anyOf[0], examples, name);
  if (schema.type === "array") return [exampleOf(schema.items ?? {}, examples)];
  if (schema.type === "integer" || schema.type === "number") return schema.minimum ?? 0;
  if (schema.type === "boolean") return true;
  if (schema.type === "string") return "example";
  return Object.fromEntries(
    (schema.required ?? []).map((key) => [key, exampleOf(schema.properties?.[key] ?? {}, examples, key)]),
  );
}

/** A copy of a body with another value at a path; missing parents are created according to `schema`. */
export function withValueAt(
  body: unknown,
  place: { readonly path: readonly string[]; readonly schema: Schema; readonly examples: Examples },
  value: unknown,
): unknown {
  if (place.path.length === 0) return value;
  const [key = "", ...path] = place.path;
  const inner = (place.schema.anyOf?.[0] ?? place.schema).items ?? place.schema.properties?.[key] ?? {};
  const isArray = place.schema.items !== undefined;
  const given =
    typeof body === "object" && body !== null ? Object.getOwnPropertyDescriptor(body, key)?.value : undefined;
  const child = given ?? exampleOf(inner, place.examples, isArray ? "" : key);
  const changed = withValueAt(child, { path, schema: inner, examples: place.examples }, value);
  if (isArray) return [changed];
  const needed = (place.schema.dependentRequired?.[key] ?? []).map((other) => [
    other,
    exampleOf(place.schema.properties?.[other] ?? {}, place.examples, other),
  ]);
  return { ...Object.fromEntries(needed), ...(typeof body === "object" ? body : {}), [key]: changed };
}
