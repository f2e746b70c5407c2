import { describe, expect, test } from "vitest";
import { readLinear } from "./formats/linear.ts";
import { readMarkdown } from "./formats/markdown.ts";
import { readTaskwarrior } from "./formats/taskwarrior.ts";
import { readTodoist } from "./formats/todoist.ts";
import { readVikunja } from "./formats/vikunja.ts";
import { fitTask, PLAIN_TASK, type ImportEntry, type ReadExport } from "./formats/imported-task.ts";

async function readAll(read: ReadExport, content: string): Promise<ImportEntry[]> {
  const entries: ImportEntry[] = [];
  for await (const entry of read(content)) entries.push(entry);
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
        description: ["Section: House", "Part of: Paint the fence"],
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
      description: ["Part of: Plan the trip", "Date: every 2 weeks", "Not the one at the station"],
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
    { title: "Ship it", status: "in_progress", priority: 2, description: ["Part of: ENG-1"] },
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
      dueDate: "2026-03-01T23:00:00.000Z",
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
          description: '<p>First <b>this</b></p><ul><li>peas</li><li><a href="https://a.example">beans</a></li></ul>',
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
      description: ["First this", "- peas", "- beans (https://a.example)"],
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

describe("a task is made to fit", () => {
  const task = { ...PLAIN_TASK, key: "k", place: "line 1", title: "a" };

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
