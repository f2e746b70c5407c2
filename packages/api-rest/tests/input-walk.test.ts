import { API_KEY_SCOPES } from "@workspace/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  exampleOf,
  findFields,
  isNumeric,
  readOperations,
  withValueAt,
  type Field,
  type Operation,
} from "./openapi-operations.ts";
import { createRequest, startTestServer, type ApiResponse, type Request, type TestServer } from "./test-server.ts";

/** Values that operations need but their schemas do not define. */
const EXAMPLES = {
  schedule: "0 6 * * *",
  color: "#3b82f6",
  path: "/numbers.md",
  eventType: "SessionStart",
  key: "EXAMPLE",
  id: "00000000-0000-4000-8000-000000000001",
  endpoint: "00000000-0000-4000-8000-000000000001",
  baseUrl: "http://127.0.0.1:9/v1",
  dailyFolder: "",
  dailyName: "YYYY-MM-DD",
  dailyTemplate: null,
  templateFolder: "Templates",
  folderTemplates: [],
  digest: "0".repeat(64),
  folder: "/",
  claim: "00000000-0000-4000-8000-000000000002",
  moment: "call",
  dayTime: "08:30",
  timeZone: "UTC",
  isScheduled: false,
  place: null,
  givenAt: "2026-01-01T00:00:00.000Z",
  document: { version: 1 },
  scopes: ["tasks:read"],
};
/** Of fields that need each other in ways that a schema cannot express: one that makes the body valid. */
const ALTERNATIVES: Readonly<Record<string, object>> = { "POST /tasks": { title: "t" } };
const NUMBERS = [2 ** 31, 2 ** 53, 1e308, -1e308, -(2 ** 31) - 1, -1, 0, 0.5, 1e-300];
const INSTANTS = ["0000-01-01T00:00:00Z", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"];
const ODD_INSTANTS = ["+275760-09-13T00:00:00.000Z", "-000044-03-15T12:00:00Z", "0000-01-01", "9999-12-31", "infinity"];
const WRONG_TYPES = [null, [], [null], "", "x".repeat(12_000), -1, 1e300, true, { a: { b: 1 } }];
const LIBRARYS_WORDS =
  /invalid (input|option|string|number|key|value|element|type|discriminator)|too (big|small)|received|unrecognized|>=|<=/i;

const UNKNOWN_ID = "00000000-0000-7000-8000-000000000000";

let server: TestServer;
let surfaces: { readonly base: string; readonly request: Request; readonly operations: readonly Operation[] }[];
const ids = new Map<string, string>();

beforeAll(async () => {
  server = await startTestServer();
  const api = await server.signIn();
  const { body } = await api("POST", "/api/api-keys", { body: { name: "walk", scopes: API_KEY_SCOPES } });
  const v1 = createRequest(server.url, { Authorization: `Bearer ${body.data.key}` });
  const agent = { name: "a", schedule: "0 6 * * *", prompt: "p", enabled: false };
  ids.set("agents", (await api("POST", "/api/agents", { body: agent })).body.data.id);
  ids.set("tasks", (await api("POST", "/api/tasks", { body: { title: "t", dueDate: "2030-01-01" } })).body.data.id);
  ids.set("projects", (await api("POST", "/api/projects", { body: { name: "p", color: "#3b82f6" } })).body.data.id);
  const event = { eventType: "SessionStart", sessionId: UNKNOWN_ID };
  await api("POST", "/api/hooks/events", { body: event });
  // Without a model it is only kept.
  await api("POST", "/api/memory/extract", { body: { transcript: "Use tabs.", sessionId: UNKNOWN_ID } });
  const memory = { content: "Builds run on Linux.", chunkType: "fact" };
  ids.set("memory", (await api("POST", "/api/memory/store", { body: memory })).body.data.id);
  const webhook = { name: "w", url: "http://127.0.0.1:9/", events: ["task.create"] };
  const { id } = (await v1("POST", "/api/v1/webhooks", { body: webhook })).body.data;
  ids.set("webhooks", id);
  await v1("PUT", `/api/v1/webhooks/${id}`, { body: { isEnabled: false } });
  await api("POST", "/api/fs/write", { body: { path: "/numbers.md", content: "# Numbers" } });
  const opened = await api("POST", "/api/documents/by-path", { body: { path: "/numbers.md" } });
  ids.set("documents", opened.body.data.document.id);
  surfaces = [
    { base: "/api", request: api, operations: await readOperations(api, "/openapi.json") },
    { base: "/api/v1", request: v1, operations: await readOperations(v1, "/openapi.v1.json") },
  ];
});
afterAll(() => server.close());

test("no number causes a server error, and each field accepts its minimum", async () => {
  const statuses = new Map<string, number[]>();
  for (const { name, send, field } of fieldsOf(isNumeric)) {
    const smallest = (await send(field.schema.const ?? field.schema.minimum ?? 0)).status;
    const others = [];
    for (const number of NUMBERS) others.push((await send(number)).status);
    statuses.set(name, [smallest, ...others]);
  }
  const failed = [...statuses].filter(([, received]) => received.some((status) => status >= 500));
  // Refused where no hooks are installed, and where nothing is claimed, but not for the number.
  const isAccepted = (name: string, status: number) =>
    status < 300 || (status === 409 && /\/(?:undo|renew) /.test(name));
  const unreached = [...statuses].filter(([name, [smallest = 0]]) => !isAccepted(name, smallest));
  expect([failed, unreached]).toEqual([[], []]);
  expect(statuses.size).toBeGreaterThan(25);
}, 120_000);

test("every whole number of an input has bounds", () => {
  const unbounded = fieldsOf(isNumeric)
    .filter(({ field: { schema } }) => schema.minimum === undefined || schema.maximum === undefined)
    .filter(({ field: { schema } }) => schema.type === "integer")
    .map(({ name }) => name);
  expect(unbounded).toEqual([]);
});

test("every list of an input has a maximum length", () => {
  const lists = fieldsOf(({ schema }) => schema.type === "array");
  const unbounded = lists.filter(({ field }) => field.schema.maxItems === undefined).map(({ name }) => name);
  expect(unbounded).toEqual([]);
  expect(lists.length).toBeGreaterThan(10);
});

test("no time causes a server error", async () => {
  const failed: unknown[] = [];
  const isInstant = ({ path, schema }: Field) =>
    schema.format === "date-time" || schema.format === "date" || path.at(-1) === "dueDate";
  for (const { name, send } of fieldsOf(isInstant)) {
    for (const instant of [...INSTANTS, ...ODD_INSTANTS]) {
      const { status } = await send(instant);
      if (status >= 500) failed.push([name, instant, status]);
    }
  }
  expect(failed).toEqual([]);
}, 60_000);

test("errors never have the library's own messages", async () => {
  const said = new Set<string>();
  for (const { name, send } of fieldsOf(() => true)) {
    for (const value of WRONG_TYPES) {
      const { status, body } = await send(value);
      // No model is configured here, or one that nothing serves, so operations that need one are 503 or 502.
      expect([name, value, status === 502 || status === 503 || status < 500]).toEqual([name, value, true]);
      if (status === 400) for (const { message } of body.issues ?? [body]) said.add(message);
    }
  }
  const librarys = [...said].filter((message) => LIBRARYS_WORDS.test(message));
  expect(librarys).toEqual([]);
  expect(said.size).toBeGreaterThan(20);
}, 240_000);

interface WalkedField {
  readonly name: string;
  readonly field: Field;
  /** Sends the operation with a value for the field and its other required values. */
  readonly send: (value: unknown) => Promise<ApiResponse>;
}

/** The fields of all queries and bodies that satisfy `isWanted`. */
function fieldsOf(isWanted: (field: Field) => boolean): WalkedField[] {
  return surfaces.flatMap(({ base, request, operations }) =>
    operations
      .filter(({ path }) => !path.startsWith("/auth/"))
      .flatMap((operation) => [...queryFields(base, request, operation), ...bodyFields(base, request, operation)])
      .filter(({ field }) => isWanted(field)),
  );
}

function queryFields(base: string, request: Request, operation: Operation): WalkedField[] {
  const { method, path, query } = operation;
  return query.flatMap((parameter) =>
    findFields(parameter.schema, () => true, [parameter.name]).map((field) => ({
      name: `${method} ${base}${path} ?${field.path.join(".")}`,
      field,
      send: (value: unknown) => {
        const others = query.filter(({ name, required }) => required && name !== parameter.name);
        const given = others.map(({ name, schema }): [string, string] => [
          name,
          String(exampleOf(schema, EXAMPLES, name)),
        ]);
        const search = new URLSearchParams([...given, [parameter.name, toQueryText(value)]]);
        return request(method, `${base}${toPath(path)}?${search.toString()}`);
      },
    })),
  );
}

function bodyFields(base: string, request: Request, operation: Operation): WalkedField[] {
  const { method, path, body: schema } = operation;
  if (schema === undefined) return [];
  const example = exampleOf(schema, EXAMPLES);
  const alternative = ALTERNATIVES[`${method} ${path}`];
  const whole = alternative === undefined ? example : { ...Object(example), ...alternative };
  return findFields(schema, () => true).map((field) => ({
    name: `${method} ${base}${path} ${field.path.join(".")}`,
    field,
    send: (value: unknown) =>
      request(method, base + toPath(path), {
        body: withValueAt(whole, { path: field.path, schema, examples: EXAMPLES }, value),
      }),
  }));
}

/** Numbers in query strings are decimals; strict parsing is tested elsewhere. */
function toQueryText(value: unknown): string {
  return typeof value === "number" ? value.toLocaleString("fullwide", { useGrouping: false }) : String(value);
}

function toPath(path: string): string {
  const [, resource = ""] = path.split("/");
  return path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => {
    if (name === "id") return ids.get(resource) ?? UNKNOWN_ID;
    return name === "key" ? "EXAMPLE" : UNKNOWN_ID;
  });
}
