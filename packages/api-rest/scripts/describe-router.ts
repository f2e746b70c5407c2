import { STATUS_CODES } from "node:http";
import type { AnyProcedure, AnyRouter } from "@trpc/server";
import * as z from "zod";
import {
  generateOpenApiDocument,
  type OpenAPIObject,
  type OpenApiRouter,
  type SecuritySchemeObject,
} from "trpc-to-openapi";
import type { ZodOpenApiPathsObject } from "zod-openapi";
import type { Access, RouteMeta } from "@workspace/core";
import { collectRoutes, inputOf, type Route } from "../src/rest/routes.ts";

type Schema = NonNullable<NonNullable<OpenAPIObject["components"]>["schemas"]>[string];

export interface DocumentOptions {
  readonly title: string;
  readonly description: string;
  readonly version: string;
  /** The surface's base path, for example `/api`. */
  readonly basePath: string;
  readonly router: AnyRouter;
  readonly securitySchemes: Record<string, SecuritySchemeObject>;
  /** The schemes of which one opens a route; none for a route that is open to all. */
  readonly schemesFor: (access: Access) => readonly string[];
  /** Routes that no procedure stands behind. */
  readonly extraPaths?: ZodOpenApiPathsObject;
  /** The error body of this surface. */
  readonly errorSchema: z.ZodType;
}

/**
 * Describes a router as OpenAPI 3.1. The generator knows neither our statuses, our error body nor who may call what, so these are
 * put right afterwards from the same metadata that the adapter serves from. For building the committed document, not for run time:
 * the generator rewrites the schemas that it reads.
 */
export function describeRouter(options: DocumentOptions): OpenAPIObject {
  const { title, description, version, basePath, router, securitySchemes, extraPaths, errorSchema } = options;
  const document = generateOpenApiDocument(router as OpenApiRouter, {
    title,
    description,
    version,
    baseUrl: basePath,
    openApiVersion: "3.1.0",
    securitySchemes,
    ...(extraPaths !== undefined && { paths: extraPaths }),
  });
  for (const route of collectRoutes(router)) {
    correctOperation(document, route, {
      schemes: options.schemesFor(route.access),
      isBodyRequired: needsBody(router, route),
    });
  }
  const { $schema: _, ...error } = z.toJSONSchema(errorSchema);
  // The generator's own error schemas are not used.
  const named = Object.entries(document.components?.schemas ?? {}).filter(([key]) => !key.startsWith("error."));
  const schemas = { ...Object.fromEntries(named), Error: error as Schema };
  return { ...document, components: { ...document.components, schemas } };
}

function correctOperation(
  document: OpenAPIObject,
  { name, meta }: Route,
  { schemes, isBodyRequired }: { schemes: readonly string[]; isBodyRequired: boolean },
): void {
  const method = meta.method.toLowerCase() as Lowercase<typeof meta.method>;
  const operation = document.paths?.[meta.path]?.[method];
  if (operation === undefined) throw new Error(`The generated document lacks ${name}.`);
  const failures = [400, 401, ...(meta.errorStatuses ?? []), 500, 503].toSorted((a, b) => a - b);
  operation.security = schemes.map((scheme) => ({ [scheme]: [] }));
  const conditions = conditionHeadersOf(meta);
  if (conditions.length > 0) {
    const headers = conditions.map((header) => ({
      name: header,
      in: "header" as const,
      schema: { type: "string" as const },
    }));
    operation.parameters = [...(operation.parameters ?? []), ...headers];
  }
  const { requestBody } = operation;
  if (requestBody !== undefined && "content" in requestBody) requestBody.required = isBodyRequired;
  operation.responses = {
    [meta.successStatus ?? 200]: operation.responses?.["200"],
    ...(meta.method === "GET" &&
      conditions.includes("If-None-Match") && { 304: { description: STATUS_CODES[304] ?? "" } }),
    ...Object.fromEntries(failures.map((status) => [status, errorResponse(status)])),
  };
}

/** The headers by which a request to a route can be made conditional. */
function conditionHeadersOf({ method, entityTagAt, takesIfMatch, takesIfNoneMatch }: RouteMeta): string[] {
  return [
    ...(takesIfMatch === undefined ? [] : ["If-Match"]),
    ...(takesIfNoneMatch === true ? ["If-None-Match"] : []),
    ...(method === "GET" && entityTagAt !== undefined ? ["If-None-Match"] : []),
  ];
}

/** A change that its condition alone may come with, as `If-Match`, needs no body where no field is required. */
function needsBody(router: AnyRouter, { name, meta }: Route): boolean {
  const procedures: Record<string, AnyProcedure> = router._def.procedures;
  const procedure = procedures[name];
  if (procedure === undefined || meta.takesIfMatch === undefined) return true;
  const parameters = [...meta.path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => [parameter, "example"]);
  return inputOf(procedure)?.safeParse(Object.fromEntries(parameters)).success === false;
}

function errorResponse(status: number) {
  return {
    description: STATUS_CODES[status] ?? "Error",
    content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
  };
}
