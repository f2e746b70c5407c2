import { Router, type RequestHandler } from "express";
import * as z from "zod";
import { pageSecurityHeaders } from "../http/security-headers.ts";
import type { JsonResponses } from "../rest/json-responses.ts";
import { createDocsRoute } from "./docs-route.ts";

/** Ways to get the documents that describe the APIs for programs. */
export interface ApiDescriptionLoaders {
  /** OpenAPI. */
  readonly api: () => Promise<object>;
  readonly v1: () => Promise<object>;
  /** AsyncAPI, of the WebSocket. */
  readonly socket: () => Promise<object>;
}

export interface DescriptionRoutesOptions {
  readonly basePath: string;
  readonly loadApiDescription: ApiDescriptionLoaders;
  readonly responses: JsonResponses;
}

/** The documents that describe the APIs, and the page for people that is made of them. */
export function createDescriptionRoutes({ basePath, ...options }: DescriptionRoutesOptions): RequestHandler {
  const { responses } = options;
  const describe = describeBelow(basePath, options.loadApiDescription);
  const routes = Router();
  routes.get("/openapi.json", async (_req, res) => responses.send(res, 200, await describe.api()));
  routes.get("/openapi.v1.json", async (_req, res) => responses.send(res, 200, await describe.v1()));
  routes.get("/asyncapi.json", async (_req, res) => responses.send(res, 200, await describe.socket()));
  routes.get("/llms.txt", async (_req, res) => {
    const { describeForModels } = await import("./llms.ts");
    res.type("text/plain").send(describeForModels(basePath));
  });
  routes.use(
    "/docs",
    pageSecurityHeaders,
    createDocsRoute(basePath, [
      { load: describe.api, href: "/openapi.json" },
      { load: describe.v1, href: "/openapi.v1.json" },
    ]),
  );
  return routes;
}

const servers = z.array(z.looseObject({ url: z.string() })).optional();
const openApi = z.looseObject({
  servers,
  paths: z.record(z.string(), z.record(z.string(), z.looseObject({ servers }))),
});
const asyncApi = z.looseObject({ servers: z.record(z.string(), z.looseObject({})) });

/** The same documents for a server below a base path: with it in the URLs of their servers. */
function describeBelow(basePath: string, { api, v1, socket }: ApiDescriptionLoaders): ApiDescriptionLoaders {
  if (basePath === "") return { api, v1, socket };
  return {
    api: async () => placeOpenApi(basePath, await api()),
    v1: async () => placeOpenApi(basePath, await v1()),
    socket: async () => {
      const description = asyncApi.parse(await socket());
      for (const server of Object.values(description.servers)) server["pathname"] = basePath;
      return description;
    },
  };
}

function placeOpenApi(basePath: string, document: object): object {
  const description = openApi.parse(document);
  const operations = Object.values(description.paths).flatMap((path) => Object.values(path));
  for (const { servers: own = [] } of [description, ...operations])
    for (const server of own) server.url = `${basePath}${server.url}`;
  return description;
}
