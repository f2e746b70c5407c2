import createOpenApiClient, { type Client } from "openapi-fetch";
import type { components, paths } from "./generated/api.ts";
import { createRetryingFetch, type RetryOptions } from "./retrying-fetch.ts";

export { eachItem, type ListPage } from "./each-item.ts";
export type { paths } from "./generated/api.ts";
/** The objects of the API by name, such as `Schemas["Task"]`. */
export type Schemas = components["schemas"];

/** One method for each HTTP method, which knows every route with its parameters, its body and its responses. */
export type WorkspaceClient = Client<paths>;

export interface WorkspaceClientOptions extends RetryOptions {
  /** Of the server, such as `https://workspace.example.org`. */
  readonly url: string;
  /** The API key, which people create in the dashboard. */
  readonly key: string;
}

/**
 * Creates a client of `/api/v1`. Responses are `{ data }` or, for an error status, `{ error }`, each with `response`; it only throws if
 * there is no response. What was refused for the moment or got no response is sent again, and carried out once: each POST has an
 * `Idempotency-Key`.
 */
export function createWorkspaceClient({ url, key, ...options }: WorkspaceClientOptions): WorkspaceClient {
  return createOpenApiClient<paths>({
    baseUrl: new URL("api/v1", url.endsWith("/") ? url : `${url}/`).href,
    headers: { Authorization: `Bearer ${key}` },
    fetch: createRetryingFetch(options),
  });
}
