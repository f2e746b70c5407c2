import { expect, test } from "vitest";
import { phraseClock } from "../../../testing/capture-phrases.ts";
import { readLinear } from "./formats/linear.ts";
import { readTaskwarrior } from "./formats/taskwarrior.ts";
import { readTodoist } from "./formats/todoist.ts";
import { readVikunja } from "./formats/vikunja.ts";
import type { ImportEntry, ReadContext, ReadExport } from "./formats/imported-task.ts";

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

test("Todoist: deadlines, files of comments, and headings among the tasks", async () => {
  const file = { file_name: "bed, [north].png", file_size: 1, file_url: "https://files.example/bed.png" };
  const csv = `TYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,DATE,DATE_LANG,DEADLINE,DEADLINE_LANG
meta,view_style=list,,,,,,,
task,* Read this first,,4,1,,en,,
task,Prune the hedge,,4,1,,en,2026-12-12,en
note,"Look: [[file ${JSON.stringify(file).replaceAll('"', '""')}]] there",,,,,,,
note,[[file {]],,,,,,,
task,Order seeds,,4,1,tomorrow 18:00,en,Dec 9 2026,en
`;
  expect(await readAll(readTodoist, csv)).toMatchObject([
    { title: "Read this first", description: [] },
    {
      title: "Prune the hedge",
      dueDate: "2026-12-12",
      description: ["Look: [bed, \\[north\\].png](<https://files.example/bed.png>) there", "[[file {]]"],
    },
    { title: "Order seeds", dueDate: "2026-11-26", dueTime: "18:00", description: ["Deadline: Dec 9 2026"] },
  ]);
});

test("Linear: due dates as midnights of the exporting browser, and duplicates", async () => {
  const csv = `"ID","Title","Status","Created","Due Date","Duplicate of"
"ENG-1","London","Todo","Wed May 13 2026 11:21:41 GMT+0000 (GMT+00:00)","Thu Jun 25 2026 23:00:00 GMT+0000 (GMT+00:00)",""
"ENG-2","Denver","Todo","","Thu Jun 25 2026 06:00:00 GMT+0000 (GMT+00:00)",""
"ENG-3","Again","Todo","","","ENG-1"
`;
  expect(await readAll(readLinear, csv)).toMatchObject([
    { title: "London", dueDate: "2026-06-26", createdAt: new Date("2026-05-13T11:21:41Z") },
    { title: "Denver", dueDate: "2026-06-25" },
    { title: "Again", reason: "is a duplicate of ENG-1" },
  ]);
});

test("Taskwarrior: what tasks wait for", async () => {
  const json = JSON.stringify([
    { uuid: "a", description: "First" },
    { uuid: "b", description: "Second", depends: ["a", "x"], wait: "20261201T230000Z", scheduled: "20261205T230000Z" },
    { uuid: "c", description: "Third", depends: "a,b" },
  ]);
  expect(await readAll(readTaskwarrior, json)).toMatchObject([
    { title: "First", description: [], blockedBy: [] },
    {
      title: "Second",
      description: ["Waits until: 2026-12-01T23:00:00.000Z", "Scheduled: 2026-12-05T23:00:00.000Z"],
      blockedBy: [
        { ref: "a", title: "First" },
        { ref: "x", title: "x" },
      ],
    },
    { title: "Third", blockedBy: [{ title: "First" }, { title: "Second" }] },
  ]);
});

test("Taskwarrior: a pattern whose tasks are all finished or deleted goes on itself", async () => {
  const pattern = { uuid: "p", description: "Water", status: "recurring", recur: "weekly", due: "20261128T230000Z" };
  const child = { description: "Water", recur: "weekly", parent: "p" };
  const json = JSON.stringify([
    pattern,
    { ...child, uuid: "a", status: "deleted", due: "20261128T230000Z" },
    { ...child, uuid: "b", status: "completed", due: "20261205T230000Z" },
    { ...pattern, uuid: "q", due: "20261231T080000Z" },
    { ...pattern, uuid: "r", until: "20261129T230000Z" },
    { ...child, uuid: "c", parent: "r", status: "completed", due: "20261128T230000Z" },
  ]);
  expect(await readAll(readTaskwarrior, json)).toMatchObject([
    { key: "p", repeat: "FREQ=WEEKLY", dueDate: "2026-12-13" },
    { reason: "was deleted" },
    { key: "b", status: "done" },
    { key: "q", repeat: "FREQ=WEEKLY", dueDate: "2026-12-31T08:00:00.000Z" },
    { reason: "is the pattern of a recurring task, which has ended" },
    { key: "c", status: "done" },
  ]);
});

test("Linear: what an issue waits for and concerns, and archived issues", async () => {
  const csv = `ID,Title,Status,Completed,Archived,Estimate,Assignee,Related to,Blocked by
ENG-1,One,Todo,,,3,Ann,"ENG-2, ENG-9",ENG-2
ENG-2,Two,Done,2026-05-13T11:21:41Z,2026-06-13T11:21:41Z,,,ENG-1,
ENG-3,Deleted,Todo,,2026-06-13T11:21:41Z,,,,
`;
  expect(await readAll(readLinear, csv)).toMatchObject([
    {
      description: ["Assignee: Ann", "Estimate: 3"],
      blockedBy: [{ ref: "ENG-2", title: "Two" }],
      relatesTo: [{ title: "Two" }, { ref: "ENG-9", title: "ENG-9" }],
    },
    { title: "Two", status: "done", relatesTo: [{ ref: "ENG-1", title: "One" }] },
    { title: "Deleted", reason: "was archived" },
  ]);
});

test("Todoist: who is responsible, how long it takes, and times with an offset", async () => {
  const csv = `TYPE,CONTENT,PRIORITY,INDENT,RESPONSIBLE,DATE,DURATION,DURATION_UNIT
task,One,4,1,Bob (200),2026-12-13T18:30:00+01:00,30,minute
task,Two,4,1,,2026-12-13T17:30:00Z,None,None
`;
  expect(await readAll(readTodoist, csv)).toMatchObject([
    { dueDate: "2026-12-13T17:30:00.000Z", description: ["Responsible: Bob", "Duration: 30 minutes"] },
    { dueDate: "2026-12-13T17:30:00.000Z", description: [] },
  ]);
});

test("Vikunja: namespaces of old exports, and relations", async () => {
  const task = (id: number, title: string, related = {}) => ({ id, title, related_tasks: related });
  const content = JSON.stringify([
    {
      title: "Namespace",
      projects: [
        {
          title: "House",
          tasks: [
            task(1, "One", { blocked: [task(2, "Two")], related: [task(3, "Three")], parenttask: [task(2, "Two")] }),
          ],
        },
      ],
    },
    {
      title: "Older",
      lists: [{ title: "List", tasks: [{ ...task(2, "Two"), attachments: [{ file: { name: "plan.pdf" } }] }] }],
    },
  ]);
  expect(await readAll(readVikunja, content)).toMatchObject([
    { title: "One", project: "House", blockedBy: [{ ref: "2", title: "Two" }], relatesTo: [{ ref: "3" }] },
    { title: "Two", project: "List", description: ["Attachment: plan.pdf"] },
  ]);
});
