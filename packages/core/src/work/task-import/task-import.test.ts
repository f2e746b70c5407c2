import { describe, expect, test } from "vitest";
import { phraseClock } from "../../../testing/capture-phrases.ts";
import { readLinear } from "./formats/linear.ts";
import { readMarkdown } from "./formats/markdown.ts";
import { readTaskwarrior } from "./formats/taskwarrior.ts";
import { readTodoist } from "./formats/todoist.ts";
import { readVikunja } from "./formats/vikunja.ts";
import {
  fitTask as fitTaskIn,
  PLAIN_TASK,
  type ImportedTask,
  type ImportEntry,
  type ReadContext,
  type ReadExport,
} from "./formats/imported-task.ts";
import { parentsOf } from "./imported-trees.ts";

/** Wednesday, 25 November 2026, 10:00 in Berlin. */
const CONTEXT: ReadContext = {
  now: new Date("2026-11-25T09:00:00Z"),
  timeZone: "Europe/Berlin",
  wallClock: phraseClock,
};

async function readAll(read: ReadExport, content: string): Promise<ImportEntry[]> {
  const entries: ImportEntry[] = [];
  for await (const entry of read(content, CONTEXT)) entries.push(entry);
  return entries;
}

describe("Markdown", () => {
  const text = [
    "# House",
    "- [ ] Paint the fence #garden 📅 2026-05-01 ⏫",
    "    - [x] Buy paint ✅ 2026-04-02",
    "  1. [/] Call *Anna*\r",
    "- no checkbox, and [ ] none here",
    "```",
    "- [ ] an example",
    "```",
    "- [-] Given up",
    "- [ ] #someday",
    "- [ ] Twice",
    "- [ ] Twice",
  ].join("\n");

  test("gives the checkboxes, with what stands around them", async () => {
    expect(await readAll(readMarkdown, text)).toMatchObject([
      {
        title: "Paint the fence",
        tags: ["garden"],
        dueDate: "2026-05-01",
        priority: 3,
        description: ["Section: House"],
      },
      {
        title: "Buy paint",
        status: "done",
        completedAt: new Date("2026-04-02"),
        description: ["Section: House"],
        parent: { title: "Paint the fence" },
      },
      { title: "Call *Anna*", status: "in_progress", place: "line 4" },
      { title: "Given up", reason: "was cancelled" },
      { title: "#someday", tags: ["someday"] },
      { title: "Twice" },
      { title: "Twice" },
    ]);
  });

  test("gives each checkbox a key of its own, also if its text occurs twice", async () => {
    const keys = (await readAll(readMarkdown, text)).flatMap((entry) => ("key" in entry ? entry.key : []));
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys).toEqual((await readAll(readMarkdown, text)).flatMap((entry) => ("key" in entry ? entry.key : [])));
  });
});

test("Todoist: labels, indents, sections, comments, and dates that are none", async () => {
  const csv = `\uFEFFTYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE,DATE_LANG,TIMEZONE
task,Plan the trip @travel @2026,"Where to,
and when",1,1,Ann (1),,2026-07-01 09:30,en,Europe/Berlin
task,Book a hotel,,4,2,Ann (1),,every 2 weeks,en,Europe/Berlin
note,Not the one at the station,,,,Ann (1),,2026-01-01T10:00:00Z,,
,,,,,,,,,
section,Later,,,,,,,,
task,Write a card,,4,1,Ann (1),,,en,Europe/Berlin
`;
  expect(await readAll(readTodoist, csv)).toMatchObject([
    {
      title: "Plan the trip",
      tags: ["travel", "2026"],
      priority: 3,
      dueDate: "2026-07-01",
      dueTime: "09:30",
      description: ["Where to,\nand when"],
    },
    {
      title: "Book a hotel",
      dueDate: null,
      repeat: "FREQ=WEEKLY;INTERVAL=2",
      parent: { title: "Plan the trip" },
      description: ["Not the one at the station"],
    },
    { title: "Write a card", description: ["Section: Later"] },
  ]);
});

test("Linear: statuses by their times, priorities, labels, and cancelled issues", async () => {
  const csv = `ID,Team,Title,Description,Status,Priority,Project,Labels,Created,Started,Completed,Canceled,Due Date,Parent issue
ENG-1,Eng,Fix the build,It fails,Shipped,Urgent,Core,"Bug, CI",2026-01-02T03:04:05.000Z,2026-01-03T00:00:00Z,2026-01-04T00:00:00Z,,2026-02-01,
ENG-2,Eng,Ship it,,In Review,No priority,,,2026-01-02T03:04:05.000Z,2026-01-03T00:00:00Z,,,,ENG-1
ENG-3,Eng,Forget it,,Canceled,Low,,,2026-01-02T03:04:05.000Z,,,2026-01-03T00:00:00Z,,
`;
  expect(await readAll(readLinear, csv)).toMatchObject([
    {
      key: "ENG-1",
      status: "done",
      priority: 3,
      project: "Core",
      tags: ["Bug", " CI"],
      dueDate: "2026-02-01",
      completedAt: new Date("2026-01-04"),
    },
    { title: "Ship it", status: "in_progress", priority: 2, ref: "ENG-2", parent: { ref: "ENG-1" } },
    { title: "Forget it", reason: "was cancelled" },
  ]);
});

test("Taskwarrior: times, priorities, annotations, and what is left out", async () => {
  const json = JSON.stringify([
    {
      uuid: "a",
      description: "Renew the passport",
      status: "pending",
      project: "home.papers",
      tags: ["city"],
      priority: "H",
      entry: "20260102T030405Z",
      due: "20260301T230000Z",
      start: "20260103T000000Z",
      annotations: [{ entry: "20260102T030405Z", description: "Bring a photo" }],
    },
    { uuid: "b", description: "Old", status: "completed", end: "20260104T000000Z" },
    { uuid: "c", description: "Gone", status: "deleted" },
  ]);
  expect(await readAll(readTaskwarrior, json)).toMatchObject([
    {
      key: "a",
      status: "in_progress",
      priority: 3,
      project: "home.papers",
      // Midnight in Berlin is how Taskwarrior writes a day.
      dueDate: "2026-03-02",
      createdAt: new Date("2026-01-02T03:04:05Z"),
      description: ["Bring a photo"],
    },
    { key: "b", status: "done", completedAt: new Date("2026-01-04") },
    { title: "Gone", reason: "was deleted" },
  ]);
});

test("Vikunja: HTML becomes text, and the year 1 means none", async () => {
  const json = JSON.stringify([
    {
      title: "Garden",
      tasks: [
        {
          id: 7,
          title: "Sow &amp; water",
          description:
            '<p>First <b>this</b></p><ul><li>peas</li><li><a href="https://a.example">beans</a></li><li data-checked="true"><label><input type="checkbox"></label><div><p>dill</p></div></li><li data-checked="false"><p>mint</p></li></ul>',
          done: false,
          due_date: "0001-01-01T00:00:00Z",
          created: "2026-01-02T03:04:05Z",
          priority: 4,
          labels: [{ title: "spring" }],
        },
      ],
    },
    { title: "Empty", tasks: null },
  ]);
  expect(await readAll(readVikunja, json)).toMatchObject([
    {
      title: "Sow &amp; water",
      description: ["First this", "- peas", "- beans (https://a.example)", "- [x] dill", "- [ ] mint"],
      dueDate: null,
      priority: 3,
      tags: ["spring"],
      project: "Garden",
    },
  ]);
});

test.each<[string, ReadExport, string, string]>([
  ["Todoist", readTodoist, "a,b\n1,2\n", "there is no TYPE"],
  ["Todoist", readTodoist, 'TYPE,CONTENT,PRIORITY,INDENT\ntask,"a', "no valid CSV"],
  ["Linear", readLinear, "TYPE,CONTENT\n1,2\n", "there is no ID"],
  ["Taskwarrior", readTaskwarrior, "{}", "task export"],
  ["Taskwarrior", readTaskwarrior, "no JSON", "task export"],
  ["Vikunja", readVikunja, '[{"name":"a"}]', "data.json"],
])("%s: what is in another format is refused", async (_name, read, content, message) => {
  await expect(readAll(read, content)).rejects.toThrow(message);
});

describe("a repetition", () => {
  test.each([
    ["every day", { repeat: "FREQ=DAILY", repeatFrom: "due" }],
    ["ev! 3 days", { repeat: "FREQ=DAILY;INTERVAL=3", repeatFrom: "completion" }],
    ["every! month", { repeat: "FREQ=MONTHLY", repeatFrom: "completion" }],
    ["every mon, fri at 9am", { repeat: "FREQ=WEEKLY;BYDAY=MO,FR", dueTime: "09:00" }],
    ["every 3rd friday", { repeat: null, description: ["Date: every 3rd friday"] }],
    ["every other tue starting Dec 8", { repeat: "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU", dueDate: "2026-12-08" }],
    ["Dec 24 5pm", { repeat: null, dueDate: "2026-12-24", dueTime: "17:00" }],
  ])("of Todoist: %s", async (date, expected) => {
    const csv = `TYPE,CONTENT,PRIORITY,INDENT,DATE,DATE_LANG\ntask,Pay,4,1,"${date}",en\n`;
    expect(await readAll(readTodoist, csv)).toMatchObject([{ title: "Pay", ...expected }]);
  });

  test.each([
    ["weekly", "FREQ=WEEKLY"],
    ["2wks", "FREQ=WEEKLY;INTERVAL=2"],
    ["P1M", "FREQ=MONTHLY"],
    ["weekdays", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"],
    ["2q", "FREQ=MONTHLY;INTERVAL=6"],
    ["6h", null],
    ["3m", null],
  ])("of Taskwarrior: %s", async (recur, repeat) => {
    const task = { uuid: "a", description: "Pay", status: "pending", recur, parent: "p", due: "20261201T080000Z" };
    const description = repeat === null ? [`Recurs: ${recur}`] : [];
    expect(await readAll(readTaskwarrior, JSON.stringify([task]))).toMatchObject([{ repeat, description }]);
  });

  test("of Taskwarrior goes on with the last open task of a pattern only", async () => {
    const open = { description: "Pay", status: "pending", recur: "monthly", parent: "p" };
    const tasks = [
      { uuid: "p", description: "Pay", status: "recurring", recur: "monthly", due: "20260901T080000Z" },
      { ...open, uuid: "2", due: "20261201T080000Z", until: "20270101T000000Z" },
      { ...open, uuid: "1", due: "20261101T080000Z" },
      { ...open, uuid: "0", status: "completed", due: "20270201T080000Z" },
    ];
    expect(await readAll(readTaskwarrior, JSON.stringify(tasks))).toMatchObject([
      { reason: expect.stringContaining("pattern") },
      { key: "2", repeat: "FREQ=MONTHLY;UNTIL=20270101" },
      { key: "1", repeat: null },
      { key: "0", repeat: null },
    ]);
  });

  test("of Obsidian's Tasks, with reminders of its Reminder plug-in", async () => {
    const text =
      "- [ ] Water [[Ferns]] 🔁 every 3 days when done 📅 2026-12-01 ⏰ 2026-12-01 08:30\n- [ ] Pay 🔁 at times";
    expect(await readAll(readMarkdown, text)).toMatchObject([
      {
        title: "Water [[Ferns]]",
        repeat: "FREQ=DAILY;INTERVAL=3",
        repeatFrom: "completion",
        dueDate: "2026-12-01",
        reminders: [{ at: new Date("2026-12-01T07:30:00Z") }],
      },
      { title: "Pay 🔁 at times", repeat: null },
    ]);
  });

  test("of Vikunja, with parents and reminders", async () => {
    const task = { id: 1, title: "Water", due_date: "2026-12-01T08:00:00Z", repeat_after: 14 * 86_400 };
    const reminders = [
      { reminder: "2026-12-01T07:00:00Z", relative_period: -3600, relative_to: "due_date" },
      { reminder: "2026-11-30T07:00:00Z", relative_period: 0, relative_to: "" },
    ];
    const tasks = [
      { ...task, reminders },
      { ...task, id: 2, repeat_mode: 2, related_tasks: { parenttask: [{ id: 1, title: "Water" }] } },
      { ...task, id: 3, repeat_mode: 1 },
      { ...task, id: 4, repeat_after: 3600 },
    ];
    expect(await readAll(readVikunja, JSON.stringify([{ title: "Garden", tasks }]))).toMatchObject([
      {
        repeat: "FREQ=WEEKLY;INTERVAL=2",
        repeatFrom: "due",
        reminders: [{ minutesBefore: 60 }, { at: new Date("2026-11-30T07:00:00Z") }],
      },
      { repeatFrom: "completion", ref: "2", parent: { ref: "1", title: "Water" } },
      { repeat: "FREQ=MONTHLY" },
      { repeat: null, description: ["Repeats: after 3600 seconds"] },
    ]);
  });
});

describe("the parents of imported tasks", () => {
  const chain = (length: number) =>
    Array.from({ length }, (_, index) => ({ id: `${index}`, parentId: index === 0 ? null : `${index - 1}` }));

  test("may come later in the file, and are dropped in circles", () => {
    const entries = [
      { id: "a", parentId: "b" },
      { id: "b", parentId: null },
      { id: "c", parentId: "d" },
      { id: "d", parentId: "c" },
      { id: "e", parentId: "e" },
      { id: "f", parentId: "unknown" },
    ];
    expect([...parentsOf(entries, new Map())]).toEqual([
      ["a", "b"],
      ["c", "d"],
    ]);
  });

  test("have at most 8 levels and 500 subtasks, also below tasks that exist", () => {
    expect([...parentsOf(chain(9), new Map()).keys()]).toEqual(["1", "2", "3", "4", "5", "6", "7"]);
    const many = Array.from({ length: 600 }, (_, index) => ({ id: `${index}`, parentId: "top" }));
    expect(parentsOf([...many, { id: "top", parentId: null }], new Map()).size).toBe(500);
    const existing = new Map([["top", { level: 7, rootId: "root", tasksInTree: 499 }]]);
    expect(parentsOf([...many, { id: "below", parentId: "0" }, { id: "deep", parentId: "below" }], existing).size).toBe(
      3,
    );
  });
});

const fitTask = (task: ImportedTask) => fitTaskIn(task, CONTEXT);

describe("a task is made to fit", () => {
  const task = { ...PLAIN_TASK, key: "k", place: "line 1", title: "a" };

  test("a rule that is none becomes a line, and reminders that have passed or need a date are left out", () => {
    const rule = { ...task, repeat: "FREQ=HOURLY", reminders: [{ minutesBefore: 60, at: null }] };
    expect(fitTask(rule)).toMatchObject({ repeat: null, description: ["Repeats: FREQ=HOURLY"], reminders: [] });
    const [past, future] = [new Date("2026-11-25T08:00:00Z"), new Date("2026-11-25T10:00:00Z")];
    const reminders = [past, future, future].map((at) => ({ minutesBefore: null, at }));
    expect(fitTask({ ...task, reminders })).toMatchObject({ reminders: [{ at: future }] });
    expect(fitTask({ ...task, repeat: "FREQ=DAILY", dueTime: "09:00" })).toMatchObject({ dueTime: "09:00" });
    expect(fitTask({ ...task, repeat: "FREQ=DAILY", status: "done" })).toMatchObject({ repeat: null, description: [] });
  });

  test("a long title is cut and kept as a whole in the description", () => {
    const fitted = fitTask({ ...task, title: "x".repeat(600), description: ["more"] });
    expect(fitted).toMatchObject({ title: `${"x".repeat(499)}…`, description: ["x".repeat(600), "more"] });
  });

  test("names that are too long, and dates that are none, do not get lost in the text or the task", () => {
    const fitted = fitTask({
      ...task,
      project: "p".repeat(201),
      tags: ["t".repeat(101), "ok", " ok "],
      dueDate: "2026-02-30",
    });
    expect(fitted).toMatchObject({ project: null, tags: ["ok"], dueDate: null });
    expect(fitted).toMatchObject({ description: [`Project: ${"p".repeat(201)}`, `Tags: ${"t".repeat(101)}`] });
  });

  test("what cannot be stored is removed, and without a title there is no task", () => {
    expect(fitTask({ ...task, title: "a\u0000b\nc\uD800", description: ["x\u0000y"] })).toMatchObject({
      title: "a b c\uFFFD",
      description: ["xy"],
    });
    expect(fitTask({ ...task, title: " \n " })).toMatchObject({ reason: "has no title" });
    expect(fitTask({ ...task, description: ["x".repeat(100_001)] })).toMatchObject({
      reason: "has more than 100,000 characters",
    });
  });
});
