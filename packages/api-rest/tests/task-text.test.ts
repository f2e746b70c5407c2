import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestServer, type Request, type TestServer } from "./test-server.ts";

let server: TestServer;
let api: Request;
let gardenId: string;

beforeAll(async () => {
  server = await startTestServer();
  api = await server.signIn();
  gardenId = await createProject("Garden");
  await createProject("Garden shed");
  await createProject("Twin");
  await createProject("twin");
});
afterAll(() => server.close());

const createProject = async (name: string): Promise<string> =>
  (await api("POST", "/api/projects", { body: { name, color: "#3b82f6" } })).body.data.id;
const post = (body: object) => api("POST", "/api/tasks", { body });
const create = async (text: string, fields: object = {}) => (await post({ text, ...fields })).body.data;

/** The calendar date in this many days, in a time zone. */
function dateIn(days: number, timeZone: string): string {
  const format = new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" });
  return format.format(new Date(Date.now() + days * 24 * 60 * 60 * 1000));
}

describe("a task from a text", () => {
  test("has what the text mentions, and the rest as its title", async () => {
    const timezone = "Pacific/Kiritimati";
    const text = "Call dentist tomorrow 9am #health !high @Garden";
    expect(await create(text, { timezone })).toMatchObject({
      title: "Call dentist",
      dueDate: dateIn(1, timezone),
      dueTime: "09:00",
      tags: ["health"],
      priority: 3,
      project: { id: gardenId, name: "Garden" },
    });
  });

  test("is read in German as well", async () => {
    const text = "Zahnarzt anrufen morgen um 9 Uhr #gesundheit !hoch @garden";
    expect(await create(text, { timezone: "UTC" })).toMatchObject({
      title: "Zahnarzt anrufen",
      dueDate: dateIn(1, "UTC"),
      dueTime: "09:00",
      tags: ["gesundheit"],
      priority: 3,
      project: { id: gardenId },
    });
  });

  test("names the project with the longest name, and none if there is a choice or no such project", async () => {
    expect((await create("Paint @garden shed")).project.name).toBe("Garden shed");
    expect(await create('Paint @"Garden" shed')).toMatchObject({ title: "Paint shed", project: { name: "Garden" } });
    expect(await create("Call @Twin")).toMatchObject({ title: "Call @Twin", project: null });
    expect(await create("Call @Nobody")).toMatchObject({ title: "Call @Nobody", project: null });
  });

  test("leaves in the title what may mean several things, until the language decides", async () => {
    expect(await create("Dentist 3/4")).toMatchObject({ title: "Dentist 3/4", dueDate: null });
    expect((await create("Dentist 3/4", { language: "en-US" })).dueDate).toMatch(/-03-04$/);
    expect((await create("Zahnarzt 3/4", { language: "de" })).dueDate).toMatch(/-04-03$/);
  });

  test("repeats as it says, from the first such day on", async () => {
    expect(await create("Take out trash every Monday at 7am", { timezone: "Europe/Berlin" })).toMatchObject({
      title: "Take out trash",
      dueDate: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
      dueTime: "07:00",
      repeat: "FREQ=WEEKLY;BYDAY=MO",
      repeatTimezone: "Europe/Berlin",
    });
    const given = { repeat: "FREQ=DAILY", dueDate: "2030-01-02" };
    const text = "Take out trash every Monday";
    expect(await create(text, given)).toMatchObject({ title: text, ...given });
  });

  test("is not read for fields that are given", async () => {
    const fields = { dueDate: "2030-01-02", tags: ["a"], priority: 1, projectId: null };
    const text = "Call tomorrow #health !high @Garden";
    expect(await create(text, fields)).toMatchObject({ title: text, ...fields, dueTime: null });
  });

  test("is the title if nothing else would be", async () => {
    expect(await create("tomorrow 9am #health")).toMatchObject({
      title: "tomorrow 9am #health",
      dueDate: null,
      tags: [],
    });
  });

  test.each([
    ["neither title nor text", {}, "title: is required"],
    ["both", { title: "a", text: "b" }, "text: give either a title or a text"],
    ["an empty text", { text: "  " }, "text: must not be empty"],
    ["a text that is too long", { text: "a".repeat(1_001) }, "text: must be at most 1,000 characters"],
    ["a title that is too long", { text: "a".repeat(501) }, "text: must leave a title of at most 500 characters"],
    ["no language", { text: "a", language: "!" }, "language: expected a language tag, such as en, en-US or de"],
    ["no time zone", { text: "a", timezone: "Mars" }, "timezone: expected the IANA name of a time zone"],
    ["a language for a title", { title: "a", language: "de" }, "text: expected with a language or a time zone"],
  ])("with %s is refused and creates nothing", async (_, body, message) => {
    const before = (await api("GET", "/api/tasks?limit=1")).body.data;
    const response = await post(body);
    expect([response.status, response.body.message]).toEqual([400, expect.stringContaining(message)]);
    expect((await api("GET", "/api/tasks?limit=1")).body.data).toEqual(before);
  });
});

test("next week begins with the day that was chosen for weeks", async () => {
  const created = async () => (await create("Call Kim next week", { timezone: "Europe/Berlin" })).dueDate;
  const weekday = (date: string) => new Date(date).getUTCDay();
  expect(weekday(await created())).toBe(1);
  const changed = await api("PUT", "/api/settings/calendar", { body: { timeZone: null, firstWeekday: 0 } });
  expect(changed.status).toBe(200);
  expect(weekday(await created())).toBe(0);
});
