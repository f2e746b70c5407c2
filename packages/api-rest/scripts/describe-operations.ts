import { STATUS_CODES } from "node:http";
import { initTRPC } from "@trpc/server";
import * as z from "zod";
import {
  generateOpenApiDocument,
  type OpenAPIObject,
  type OpenApiMeta,
  type OpenApiRouter,
  type SecuritySchemeObject,
} from "trpc-to-openapi";
import type { ZodOpenApiPathsObject } from "zod-openapi";
import { repeatsOf, type Access, type RoutedOperation, type RouteMeta, type Services } from "@workspace/core";

type Schema = NonNullable<NonNullable<OpenAPIObject["components"]>["schemas"]>[string];

type Operation = NonNullable<NonNullable<OpenAPIObject["paths"]>[string]["post"]>;

export interface DocumentOptions {
  readonly title: string;
  readonly description: string;
  readonly version: string;
  /** The surface's base path, for example `/api`. */
  readonly basePath: string;
  readonly operations: readonly RoutedOperation<Services>[];
  readonly securitySchemes: Record<string, SecuritySchemeObject>;
  /** The schemes of which a route needs one; none for a route that is open to all. */
  readonly schemesFor: (access: Access) => readonly string[];
  /** Routes that are not procedures. */
  readonly extraPaths?: ZodOpenApiPathsObject;
  /** The error body of this surface. */
  readonly errorSchema: z.ZodType;
  /** Whether it is for programs with keys: then it recognises requests that were sent before, and may limit them. */
  readonly isForKeys?: true;
}

/**
 * Describes a surface as OpenAPI 3.1. The generator knows neither our statuses nor our error body nor who may call what, so these
 * are corrected afterwards from the metadata that the adapter also uses. For building the committed document, not for run time:
 * the generator modifies the schemas that it reads.
 */
export function describeOperations(options: DocumentOptions): OpenAPIObject {
  const { title, description, version, basePath, operations, securitySchemes, extraPaths, errorSchema } = options;
  const document = generateOpenApiDocument(toDescribedRouter(operations), {
    title,
    description,
    version,
    baseUrl: basePath,
    openApiVersion: "3.1.0",
    securitySchemes,
    ...(extraPaths !== undefined && { paths: extraPaths }),
  });
  for (const operation of operations) {
    correctOperation(document, operation, options.schemesFor(operation.access));
    if (options.isForKeys === true) describeRepeats(document, operation);
  }
  for (const path of Object.values(document.paths ?? {})) {
    for (const method of CHANGING_METHODS) describeChecks(method, path[method]);
    if (options.isForKeys === true) describeLimit(path);
  }
  const { $schema: _, ...error } = z.toJSONSchema(errorSchema);
  // The generator's own error schemas are not used.
  const named = Object.entries(document.components?.schemas ?? {}).filter(([key]) => !key.startsWith("error."));
  const schemas = { ...Object.fromEntries(named), Error: error as Schema };
  const limited = options.isForKeys === true && { responses: { TooManyRequests: TOO_MANY_REQUESTS } };
  return { ...document, components: { ...document.components, schemas, ...limited } };
}

/** Adds the response above the limit of a key, which is the same for all. */
function describeLimit(path: NonNullable<OpenAPIObject["paths"]>[string]): void {
  for (const method of ["get", ...CHANGING_METHODS] as const) {
    const operation = path[method];
    if (operation === undefined) continue;
    operation.responses = { ...operation.responses, 429: { $ref: "#/components/responses/TooManyRequests" } };
  }
}

/** The operations in the generator's format: a router whose procedures are only described, never called. */
function toDescribedRouter(operations: readonly RoutedOperation<Services>[]): OpenApiRouter {
  const { procedure, router } = initTRPC.meta<OpenApiMeta>().create();
  const neverCalled = (): never => {
    throw new Error("This procedure only exists to be described.");
  };
  const describe = ({ route, description, input, output }: RoutedOperation<Services>) => {
    const openapi = description === undefined ? route : { ...route, description };
    const described = procedure.meta({ openapi }).output(output);
    return input === undefined ? described.query(neverCalled) : described.input(input).query(neverCalled);
  };
  return router(Object.fromEntries(operations.map((operation) => [operation.name, describe(operation)])));
}

function correctOperation(
  document: OpenAPIObject,
  { name, route: meta, input }: RoutedOperation<Services>,
  schemes: readonly string[],
): void {
  const method = meta.method.toLowerCase() as Lowercase<typeof meta.method>;
  const operation = document.paths?.[meta.path]?.[method];
  if (operation === undefined) throw new Error(`The generated document lacks ${name}.`);
  const forKeys = schemes.includes(KEY_SCHEME) ? [FORBIDDEN] : [];
  const statuses = new Set([400, 401, ...forKeys, ...(meta.errorStatuses ?? []), 500, 503]);
  const failures = [...statuses].toSorted((a, b) => a - b);
  describeParameters(operation.parameters ?? [], input);
  operation.security = schemes.map((scheme) => ({ [scheme]: [] }));
  const conditions = conditionHeadersOf(meta);
  if (conditions.length > 0) {
    const headers = conditions.map((header) => ({
      ...header,
      in: "header" as const,
      schema: { type: "string" as const },
    }));
    operation.parameters = [...(operation.parameters ?? []), ...headers];
  }
  if (meta.deprecation !== undefined) {
    operation.deprecated = true;
    operation.description = [operation.description ?? [], meta.deprecation.instead].flat().join(" ");
  }
  const { requestBody } = operation;
  if (requestBody !== undefined && "content" in requestBody) requestBody.required = needsBody(meta, input);
  const tagged = meta.entityTagAt !== undefined && { headers: ENTITY_TAG_HEADER };
  operation.responses = {
    [meta.successStatus ?? 200]: { ...operation.responses?.["200"], ...tagged },
    ...(meta.method === "GET" &&
      conditions.some((header) => header.name === "If-None-Match") && {
        304: { description: STATUS_CODES[304] ?? "", ...tagged },
      }),
    ...Object.fromEntries(failures.map((status) => [status, errorResponse(status)])),
  };
}

/** Adds the header by which a request can be sent again, and the responses that it leads to. */
function describeRepeats(document: OpenAPIObject, operation: RoutedOperation<Services>): void {
  const kind = repeatsOf(operation);
  const described = document.paths?.[operation.route.path]?.post;
  if (kind === null || described === undefined) return;
  const parameter = {
    name: "Idempotency-Key",
    in: "header" as const,
    description: kind === "own" ? IDEMPOTENCY_OF_ASKS : IDEMPOTENCY,
    schema: { type: "string" as const, minLength: 1, maxLength: 255 },
  };
  described.parameters = [...(described.parameters ?? []), parameter];
  if (kind === "own") return;
  for (const status of [409, 422]) described.responses = { [status]: errorResponse(status), ...described.responses };
  const success: unknown = described.responses?.[operation.route.successStatus ?? 200];
  if (typeof success !== "object" || success === null) return;
  const headers = "headers" in success && typeof success.headers === "object" ? success.headers : {};
  Object.assign(success, { headers: { ...headers, ...REPLAYED_HEADER } });
}

const IDEMPOTENCY_OF_ASKS = "A retry with the same key and question gets the first answer and is not charged";
const IDEMPOTENCY =
  "For 24 hours, a retry with the same key and request gets the response of the first; 409 while that is still being carried out, 422 if it was another request";
const REPLAYED_HEADER = {
  "Idempotency-Replayed": {
    description: "true for the response of an earlier request with the same Idempotency-Key",
    schema: { type: "string" as const, enum: ["true"] },
  },
};

const ENTITY_TAG_HEADER = {
  ETag: { description: "The entity tag of what is returned", schema: { type: "string" as const } },
};

/** A key may lack the scope. */
const KEY_SCHEME = "key";
const CHANGING_METHODS = ["post", "put", "patch", "delete"] as const;
const FORBIDDEN = 403;
const BODY_TOO_LARGE = 413;
const UNSUPPORTED_MEDIA_TYPE = 415;

/** Adds the responses of the checks that come before every route: of the origin of changes, and of JSON bodies. */
function describeChecks(method: (typeof CHANGING_METHODS)[number], operation: Operation | undefined): void {
  if (operation === undefined) return;
  const { requestBody } = operation;
  const takesOtherBody = requestBody !== undefined && !isJsonBody(requestBody);
  const takesJson = method !== "delete" && !takesOtherBody;
  const statuses = [FORBIDDEN, ...(takesJson ? [BODY_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE] : [])];
  const checks = Object.fromEntries(statuses.map((status) => [status, errorResponse(status)]));
  operation.responses = { ...checks, ...operation.responses };
}

function isJsonBody(requestBody: NonNullable<Operation["requestBody"]>): boolean {
  return "content" in requestBody && requestBody.content["application/json"] !== undefined;
}

const described = z.object({ properties: z.record(z.string(), z.object({ description: z.string().optional() })) });

/** The generator unwraps optional parameters, and so loses descriptions of the wrapper. */
function describeParameters(parameters: object[], input: z.ZodType | undefined): void {
  if (input === undefined) return;
  const { properties } = described.parse(z.toJSONSchema(input, { io: "input", unrepresentable: "any" }));
  for (const parameter of parameters) {
    const description = "name" in parameter ? properties[String(parameter.name)]?.description : undefined;
    if (description !== undefined) Object.assign(parameter, { description });
  }
}

interface Header {
  readonly name: string;
  readonly description: string;
}

const IF_MATCH: Header = {
  name: "If-Match",
  description: "The entity tag that the change is based on; 412 if it is no longer current",
};
const IF_NONE_MATCH_TO_CREATE: Header = { name: "If-None-Match", description: "`*`: only create, never overwrite" };
const IF_NONE_MATCH_TO_READ: Header = {
  name: "If-None-Match",
  description: "The entity tag that the client has; 304 if it is still current",
};

/** The headers by which a request to a route can be made conditional. */
function conditionHeadersOf({ method, entityTagAt, takesIfMatch, takesIfNoneMatch }: RouteMeta): Header[] {
  return [
    ...(takesIfMatch === undefined ? [] : [IF_MATCH]),
    ...(takesIfNoneMatch === true ? [IF_NONE_MATCH_TO_CREATE] : []),
    ...(method === "GET" && entityTagAt !== undefined ? [IF_NONE_MATCH_TO_READ] : []),
  ];
}

/** A change whose only field may be sent as `If-Match` needs no body, because no field of it is required. */
function needsBody({ takesIfMatch, hasOptionalBody, path }: RouteMeta, input: z.ZodType | undefined): boolean {
  if (hasOptionalBody === true) return false;
  if (takesIfMatch === undefined) return true;
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => [parameter, "example"]);
  return input?.safeParse(Object.fromEntries(parameters)).success === false;
}

const TOO_MANY_REQUESTS = {
  ...errorResponse(429),
  headers: {
    "Retry-After": { description: "After how many seconds to try again", schema: { type: "integer" as const } },
    RateLimit: {
      description:
        "How many requests the key has left, and for how many seconds; sent with every response if there is a limit",
      schema: { type: "string" as const, example: '"key";r=0;t=12' },
    },
    "RateLimit-Policy": {
      description: "How many requests a key can make in how many seconds",
      schema: { type: "string" as const, example: '"key";q=600;w=60' },
    },
  },
};

function errorResponse(status: number) {
  return {
    description: STATUS_CODES[status] ?? "Error",
    content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
  };
}
