import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import * as fc from "fast-check";
import { v7 } from "uuid";
import { afterAll, beforeAll, expect, it } from "vitest";
import { anyFilter } from "../../../testing/any-filter.ts";
import { createTestDeps, type TestDeps } from "../../../testing/test-deps.ts";
import { dayIn, startOfDay } from "../../platform/time-zone.ts";
import type { Author } from "../../platform/procedures/author.ts";
import { createProjectService } from "../projects/project.service.ts";
import type { Task } from "../tasks/task.schema.ts";
import { createTaskGroupService } from "../tasks/task-group.service.ts";
import { createTaskService, type TaskService } from "../tasks/task.service.ts";
import { createTaskQueueService } from "../task-queue/task-queue.service.ts";
import { matcherOf } from "./match-filter.ts";
import { printFilter } from "./task-fields.ts";
import { groupKeyOf, TASK_GROUPINGS } from "./task-grouping.ts";

// Shortly after midnight in Auckland, where it is already Friday; and the day after a change of the clock in New York.
const NOW = "2026-11-26T11:30:00.000Z";
const ZONES = ["UTC", "Pacific/Auckland", "America/New_York"] as const;
const DATES = [
  "2026-11-19",
  "2026-11-25",
  "2026-11-26",
  "2026-11-27",
  "2026-11-28",
  "2026-12-03",
  "2026-12-04",
  "2026-12-05",
];
const INSTANTS = [
  "2026-11-26T10:59:59.999Z",
  "2026-11-26T11:00:00.000Z",
  "2026-11-27T04:30:00Z",
  "2026-12-04T11:00:00Z",
];

let database: TestDatabase;
let deps: TestDeps;
let tasks: TaskService;
let all: Task[];
let ids: string[];
let parents: string[];
let ada: Author;
let grace: Author;

beforeAll(async () => {
  database = await createTestDatabase();
  deps = createTestDeps(database.db, NOW);
  tasks = createTaskService({ ...deps, timeZone: "UTC" });
  ada = await addUser("Ada");
  grace = await addUser("Grace");
  const project = await createProjectService(deps).create({ name: "Straße", color: "#3b82f6" });
  ids = [project.id, ada.userId, grace.userId];
  await fillWithTasks(project.id);
  all = (await tasks.list({})).items;
});
afterAll(() => database.close());

async function addUser(name: string): Promise<Author> {
  const userId = v7();
  await database.db.pool.query("INSERT INTO users (id, name, email, updated_at) VALUES ($1, $2, $2, now())", [
    userId,
    name,
  ]);
  return { kind: "person", userId, name };
}

async function fillWithTasks(projectId: string): Promise<void> {
  const queue = createTaskQueueService({ ...deps, timeZone: "UTC" });
  parents = [];
  const dues = [undefined, ...DATES, ...INSTANTS];
  for (let index = 0; index < 120; index += 1) {
    deps.clock.set(new Date(Date.parse(NOW) - (index % 17) * 8 * 60 * 60_000));
    const task = await tasks.create(
      {
        title: ["a", "b %", "STRASSE"][index % 3] ?? "",
        description: index % 5 === 0 ? "B" : null,
        status: (["todo", "in_progress", "done", "blocked"] as const)[index % 4],
        priority: ([1, 2, 3] as const)[index % 3],
        projectId: index % 4 === 1 ? projectId : null,
        dueDate: dues[index % dues.length],
        snoozedUntil: index % 9 < 2 ? new Date(Date.parse(NOW) + (index % 9 === 0 ? 1 : -1)).toISOString() : null,
        parentId: index % 7 === 5 ? parents.at(-1) : null,
        tags: [["a"], [], ["B", "a"], ["none"], ["x", "A/Straße"]][index % 5],
        assignee: index % 6 === 0 ? { kind: "person", id: index % 12 === 0 ? ada.userId : grace.userId } : null,
      },
      index % 2 === 0 ? ada : grace,
    );
    if (index % 40 === 0) parents.push(task.id);
    if (index % 9 === 4)
      await queue.claim({ id: task.id, leaseMinutes: index % 2 === 0 ? 1 : 240 }, ada).catch(() => null);
  }
  const claims =
    "UPDATE tasks SET claim_expires_at = $1::timestamptz + (claim_expires_at - claimed_at) - interval '5 minutes'";
  await database.db.pool.query(`${claims} WHERE claim_id IS NOT NULL`, [NOW]);
  deps.clock.set(NOW);
}

const contextIn = (zone: string) => ({
  today: dayIn(zone, new Date(NOW)),
  startOf: (day: string) => startOfDay(zone, day).toISOString(),
  now: NOW,
  me: ada.userId,
});

it("selects in the database exactly what matches in the dashboard, in any zone", async () => {
  expect(all.length).toBe(120);
  expect(all.filter(({ claim }) => claim !== null).length).toBeGreaterThan(3);
  await fc.assert(
    fc.asyncProperty(
      anyFilter(["a", "B", "ß", "Straße", "%"], ids, parents),
      fc.constantFrom(...ZONES),
      async (filter, timezone) => {
        const selected = await tasks.list({ filter: printFilter(filter), timezone }, ada.userId);
        const matches = matcherOf(filter, contextIn(timezone));
        expect(selected.items.map(({ id }) => id)).toEqual(all.filter(matches).map(({ id }) => id));
      },
    ),
    { numRuns: 400 },
  );
}, 240_000);

it.each(TASK_GROUPINGS)("counts the groups by %s as the dashboard groups", async (by) => {
  for (const timezone of ZONES) {
    const counted = await createTaskGroupService({ ...deps, timeZone: "UTC" }).countGroups(
      { by, timezone, filter: "not status:blocked" },
      ada.userId,
    );
    const keyOf = groupKeyOf(by, contextIn(timezone));
    const expected: Record<string, number> = {};
    for (const task of all.filter(({ status }) => status !== "blocked"))
      expected[keyOf(task)] = (expected[keyOf(task)] ?? 0) + 1;
    expect(Object.fromEntries(counted.map(({ key, count }) => [key, count]))).toEqual(expected);
  }
});

it("finds projects and people by their names, whatever the case", async () => {
  const count = async (filter: string) => (await tasks.list({ filter }, ada.userId)).items.length;
  expect(await count("project:STRASSE")).toBe(30);
  expect(await count("creator:ada")).toBe(60);
  expect(await count("creator:me")).toBe(60);
  expect(await count("assignee:Grace,none")).toBe(110);
  await expect(tasks.list({ filter: "project:Nowhere" })).rejects.toThrow("project: nothing is named “Nowhere”");
});

it("continues a filtered list after a page", async () => {
  const first = await tasks.list({ filter: "tag:a", limit: 10 });
  const rest = await tasks.list({ filter: "tag:a", limit: 1000, cursor: first.nextCursor });
  expect([...first.items, ...rest.items]).toEqual((await tasks.list({ filter: "tag:a" })).items);
  await expect(tasks.list({ filter: "tag:B", limit: 10, cursor: first.nextCursor })).rejects.toThrow("nextCursor");
});
