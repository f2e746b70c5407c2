import { expect, test } from "vitest";
import { phraseClock } from "../../../testing/capture-phrases.ts";
import type { ExportedTask } from "../task-export/exported-task.schema.ts";
import type { ImportEntry } from "./formats/imported-task.ts";
import { readWorkspace } from "./formats/workspace.ts";

const PLAIN: Omit<ExportedTask, "id" | "title" | "position"> = {
  description: null,
  status: "todo",
  priority: 2,
  project: null,
  dueDate: null,
  dueTime: null,
  repeat: null,
  repeatFrom: "due",
  repeatTimezone: null,
  snoozedUntil: null,
  tags: [],
  parentId: null,
  blockedBy: [],
  relatesTo: [],
  notes: [],
  checklist: [],
  comments: [],
  reminders: [],
  createdAt: "2026-01-02T03:04:05.000Z",
  modifiedAt: "2026-01-02T03:04:05.000Z",
  completedAt: null,
};

function exportedTask(task: Pick<ExportedTask, "title" | "position"> & Partial<ExportedTask>): ExportedTask {
  return { ...PLAIN, id: crypto.randomUUID(), ...task };
}

async function readAll(content: string): Promise<ImportEntry[]> {
  const entries: ImportEntry[] = [];
  const context = { now: new Date("2026-11-25T09:00:00Z"), timeZone: "Europe/Berlin", wallClock: phraseClock };
  for await (const entry of readWorkspace(content, context)) entries.push(entry);
  return entries;
}

test("tasks of another workspace have everything that belongs to them, in the manual order", async () => {
  const [first, second] = ["01a21c09-19b9-7045-bb23-d09ba0afd2d3", "01a21c09-19a0-7390-9e0b-faf1b310a601"];
  const comment = { author: "Ada", text: "Later", createdAt: "2026-02-03T04:05:06+00:00" };
  const tasks = [
    { ...PLAIN, id: first, title: "Paint", position: "k2", parentId: second, blockedBy: [second, crypto.randomUUID()] },
    {
      ...PLAIN,
      id: second,
      title: "House",
      position: "k1",
      description: "All of it",
      checklist: [{ text: "Roof", isDone: true }],
      comments: [comment],
      reminders: [
        { minutesBefore: 10, at: null },
        { minutesBefore: null, at: "2030-01-01T00:00:00Z" },
      ],
      snoozedUntil: "2027-01-01T00:00:00.000Z",
    },
  ];
  expect(await readAll(JSON.stringify(tasks))).toMatchObject([
    {
      key: second,
      description: ["All of it", "Ada, 2026-02-03: Later"],
      checklist: [{ text: "Roof", isDone: true }],
      reminders: [{ minutesBefore: 10 }, { at: new Date("2030-01-01") }],
      snoozedUntil: new Date("2027-01-01"),
    },
    { key: first, parent: { ref: second, title: "House" }, blockedBy: [{ ref: second, title: "House" }] },
  ]);
  const damaged = [...tasks, { ...PLAIN, id: "1", title: "x", position: "k3" }];
  await expect(readAll(JSON.stringify(damaged))).rejects.toThrow("task 3 is none");
});

test.each([
  ["one item in each line", (items: string[]) => `[\n${items.join(",\n")}\n]\n`],
  [
    "items over several lines",
    (items: string[]) =>
      JSON.stringify(
        items.map((item) => JSON.parse(item)),
        null,
        2,
      ),
  ],
  ["several items in some lines", (items: string[]) => `[\n${items[0]},\n${items[1]}, ${items[2]}]`],
  ["carriage returns", (items: string[]) => `[\r\n${items.join(",\r\n")}\r\n]\r\n`],
])("all tasks of an array with %s are read", async (_how, write) => {
  const items = ["One", "Two", "Three"].map((title, index) =>
    JSON.stringify(exportedTask({ title, position: `k${index}` })),
  );
  expect((await readAll(write(items))).map(({ title }) => title)).toEqual(["One", "Two", "Three"]);
});

test.each([
  ["without its end", (item: string) => `[\n${item},\n${item}`],
  ["without a comma", (item: string) => `[\n${item}\n${item}\n]`],
  ["with more after it", (item: string) => `[\n${item}\n]\n${item}`],
  ["with something else in it", (item: string) => `[\n${item},\n7\n]`],
])("an array %s is refused", async (_how, write) => {
  await expect(readAll(write(JSON.stringify(exportedTask({ title: "One", position: "k" }))))).rejects.toThrow(
    "expected tasks.json",
  );
});
