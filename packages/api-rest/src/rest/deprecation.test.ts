import { once } from "node:events";
import type { Services } from "@workspace/core";
import express from "express";
import { expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { describeOperations } from "../../scripts/describe-operations.ts";
import { createRestAdapter, type RestAdapterOptions } from "./adapter.ts";
import { createJsonResponses } from "./json-responses.ts";

type Operation = RestAdapterOptions["operations"][number];

const operation = (path: `/${string}`, deprecation?: Operation["route"]["deprecation"]): Operation => ({
  name: `test.${path.slice(1)}`,
  effect: "reads",
  description: undefined,
  access: "anyone",
  route: { method: "GET", path, summary: path, tags: [], ...(deprecation !== undefined && { deprecation }) },
  input: undefined,
  output: z.object({ data: z.number() }),
  call: async () => ({ data: 1 }),
});

const OPERATIONS = [
  operation("/current"),
  operation("/old", { since: "2026-12-01", instead: "Use /current." }),
  operation("/ending", { since: "2026-12-01", sunset: "2027-12-01", instead: "Use /current." }),
];

/** Serves the operations, which need none of the services. */
async function serve(): Promise<string> {
  const services: Services = Object.create(null);
  const readNothing = async () => undefined;
  const app = express();
  app.use(
    createRestAdapter({
      operations: OPERATIONS,
      createContext: () => ({ principal: null, origin: { kind: "http", sessionId: null }, services }),
      responses: createJsonResponses({ hasRoom: () => true, hold: () => true }),
      readBody: { ordinary: readNothing, content: readNothing },
      reportError: () => undefined,
    }),
  );
  const server = app.listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return `http://127.0.0.1:${address.port}`;
}

test("every response of a deprecated route says so, errors included", async () => {
  const url = await serve();
  const headersOf = async (path: string, method = "GET") => {
    const { headers } = await fetch(url + path, { method });
    return [headers.get("Deprecation"), headers.get("Sunset"), headers.get("Link")];
  };
  const link = '</docs#guide-versions>; rel="deprecation"; type="text/html"';
  expect(await headersOf("/current")).toEqual([null, null, null]);
  expect(await headersOf("/old")).toEqual(["@1796083200", null, link]);
  expect(await headersOf("/ending")).toEqual(["@1796083200", "Wed, 01 Dec 2027 00:00:00 GMT", link]);
  expect(await headersOf("/ending?unknown=1")).toEqual(["@1796083200", "Wed, 01 Dec 2027 00:00:00 GMT", link]);
});

test("so does the OpenAPI document, with what to use instead", () => {
  const { paths } = describeOperations({
    title: "Test",
    description: "Test",
    version: "1",
    basePath: "/",
    operations: OPERATIONS,
    securitySchemes: {},
    schemesFor: () => [],
    errorSchema: z.object({ message: z.string() }),
  });
  expect(paths?.["/current"]?.get?.deprecated).toBeUndefined();
  expect(paths?.["/old"]?.get).toMatchObject({ deprecated: true, description: "Use /current." });
});
