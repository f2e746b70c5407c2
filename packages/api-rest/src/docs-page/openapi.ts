import * as z from "zod";

/** The part of a JSON schema that our documents use and the page shows. */
export interface JsonSchema {
  readonly $ref?: string | undefined;
  readonly type?: string | readonly string[] | undefined;
  readonly description?: string | undefined;
  readonly format?: string | undefined;
  readonly enum?: readonly unknown[] | undefined;
  readonly const?: unknown;
  readonly default?: unknown;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly pattern?: string | undefined;
  readonly properties?: Readonly<Record<string, JsonSchema>> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly items?: JsonSchema | undefined;
  readonly anyOf?: readonly JsonSchema[] | undefined;
  readonly oneOf?: readonly JsonSchema[] | undefined;
}

const text = z.string().optional();
const jsonSchema: z.ZodType<JsonSchema> = z.lazy(() =>
  z.object({
    $ref: text,
    type: z.union([z.string(), z.array(z.string())]).optional(),
    description: text,
    format: text,
    enum: z.array(z.unknown()).optional(),
    const: z.unknown().optional(),
    default: z.unknown().optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    minLength: z.number().optional(),
    maxLength: z.number().optional(),
    pattern: text,
    properties: z.record(z.string(), jsonSchema).optional(),
    required: z.array(z.string()).optional(),
    items: jsonSchema.optional(),
    anyOf: z.array(jsonSchema).optional(),
    oneOf: z.array(jsonSchema).optional(),
  }),
);

const content = z.record(z.string(), z.object({ schema: jsonSchema.optional() })).optional();
const operation = z.object({
  operationId: z.string(),
  summary: z.string().default(""),
  description: text,
  servers: z.array(z.object({ url: z.string() })).optional(),
  tags: z.array(z.string()).default([]),
  parameters: z
    .array(
      z.object({
        name: z.string(),
        in: z.string(),
        required: z.boolean().default(false),
        description: text,
        schema: jsonSchema.default({}),
      }),
    )
    .default([]),
  requestBody: z.object({ content }).optional(),
  responses: z.record(z.string(), z.object({ description: z.string().default(""), content })),
});
export type Operation = z.infer<typeof operation>;

const openApiDocument = z.object({
  info: z.object({ title: z.string(), description: z.string().default(""), version: z.string() }),
  servers: z.array(z.object({ url: z.string() })).min(1),
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({ schemas: z.record(z.string(), jsonSchema).default({}) }),
});
export type OpenApiDocument = z.infer<typeof openApiDocument>;

/** Parses one of our own documents. Throws for anything that the page could not show. */
export function parseOpenApi(document: object): OpenApiDocument {
  return openApiDocument.parse(document);
}
