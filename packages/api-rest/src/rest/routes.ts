import type { Access, ProcedureCall, RoutedOperation, RouteMeta, Services } from "@workspace/core";
import { NO_PARAMETERS, planQuery, type QueryPlan } from "./query-coercion.ts";

/** An operation as the REST adapter serves it. */
export interface Route {
  /** The operation's name, such as `tasks.list`. */
  readonly name: string;
  readonly meta: RouteMeta;
  readonly access: Access;
  readonly effect: RoutedOperation<Services>["effect"];
  readonly call: ProcedureCall<Services>;
  /** Whether the input comes from the query string; otherwise from the body. Path parameters are added to both. */
  readonly readsQuery: boolean;
  /** The query parameters; none if the input comes from the body. */
  readonly queryPlan: QueryPlan;
}

export function toRoute({ name, route: meta, access, effect, input, call }: RoutedOperation<Services>): Route {
  const readsQuery = meta.method === "GET" || meta.method === "DELETE";
  const queryPlan = readsQuery ? planQuery(input, pathParametersOf(meta)) : NO_PARAMETERS;
  return { name, meta, access, effect, call, readsQuery, queryPlan };
}

/** The names in `/tasks/{id}`. */
function pathParametersOf({ path }: RouteMeta): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => (name === undefined ? [] : [name]));
}
