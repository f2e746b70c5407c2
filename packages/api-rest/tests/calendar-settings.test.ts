import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestServer, type Request, type TestServer } from "./test-server.ts";

let server: TestServer;
let api: Request;

beforeAll(async () => {
  server = await startTestServer();
  api = await server.signIn();
}, 120_000);
afterAll(() => server.close());

const URL = "/api/settings/calendar";

it("are the defaults until they are set, and say what the server uses", async () => {
  expect((await api("GET", URL)).body.data).toMatchObject({ timeZone: null, firstWeekday: null, version: 0 });
  const body = { timeZone: "Europe/Berlin", firstWeekday: 0, expectedVersion: 0 };
  expect((await api("PUT", URL, { body })).body.data).toMatchObject({
    timeZone: "Europe/Berlin",
    firstWeekday: 0,
    usedTimeZone: "UTC",
    version: 1,
  });
  expect((await api("PUT", URL, { body })).status).toBe(412);
});

it.each([
  { timeZone: "Mars/Base", firstWeekday: 1 },
  { timeZone: null, firstWeekday: 7 },
  { timeZone: null, firstWeekday: 1.5 },
  { timeZone: null },
])("refuse %j, which changes nothing", async (body) => {
  const before = (await api("GET", URL)).body;
  expect((await api("PUT", URL, { body })).status).toBe(400);
  expect((await api("GET", URL)).body).toEqual(before);
});

it("decide what a week is, unless a request does", async () => {
  const today = new Date();
  const sunday = new Date(today.getTime() - today.getUTCDay() * 86_400_000).toISOString().slice(0, 10);
  await api("POST", "/api/tasks", { body: { title: "On Sunday", dueDate: sunday } });
  const count = async (weekday?: number) =>
    (
      await api(
        "GET",
        `/api/tasks?filter=due:this-week&timezone=UTC${weekday === undefined ? "" : `&firstWeekday=${weekday}`}`,
      )
    ).body.data.length;
  await api("PUT", URL, { body: { timeZone: null, firstWeekday: 0 } });
  expect(await count()).toBe(1);
  expect(await count(today.getUTCDay() === 0 ? 0 : 1)).toBe(today.getUTCDay() === 0 ? 1 : 0);
});
