import type { AnyProcedure, AnyRouter } from "@trpc/server";
import { compileProcedure, type Access, type ProcedureCall, type ProcedureMeta, type RouteMeta } from "@workspace/core";
import * as z from "zod";
import { NO_PARAMETERS, planQuery, type QueryPlan } from "./query-coercion.ts";

/** A procedure as the REST API offers it. */
export interface Route {
  /** The procedure's name, such as `tasks.list`. */
  readonly name: string;
  readonly meta: RouteMeta;
  readonly access: Access;
  readonly call: ProcedureCall;
  /** Whether the input comes from the query string; from the body otherwise. Path parameters are added to both. */
  readonly readsQuery: boolean;
  /** The query parameters that it takes; none where the input comes from the body. */
  readonly queryPlan: QueryPlan;
}

/** The routes of every procedure of a router that has REST metadata. */
export function collectRoutes(router: AnyRouter): Route[] {
  const procedures: Record<string, AnyProcedure> = router._def.procedures;
  return Object.entries(procedures).flatMap(([name, procedure]) => {
    const { openapi: meta, access = "user" } = metaOf(procedure);
    if (meta === undefined) return [];
    const readsQuery = meta.method === "GET" || meta.method === "DELETE";
    return [
      {
        name,
        meta,
        access,
        call: compileProcedure(procedure),
        readsQuery,
        queryPlan: readsQuery ? planQuery(inputOf(procedure), pathParametersOf(meta)) : NO_PARAMETERS,
      },
    ];
  });
}

/** The names in `/tasks/{id}`. */
function pathParametersOf({ path }: RouteMeta): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => (name === undefined ? [] : [name]));
}

/** What a procedure says of itself beyond its schemas. */
export function metaOf(procedure: AnyProcedure): ProcedureMeta {
  const meta: unknown = procedure._def.meta;
  return typeof meta === "object" && meta !== null ? meta : {};
}

/** What a procedure takes; undefined for one that takes nothing. */
export function inputOf(procedure: AnyProcedure): z.ZodType | undefined {
  if (!("inputs" in procedure._def) || !Array.isArray(procedure._def.inputs)) return undefined;
  const [input]: unknown[] = procedure._def.inputs;
  return input instanceof z.ZodType ? input : undefined;
}
