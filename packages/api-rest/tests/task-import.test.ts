import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestServer, type TestServer } from "./test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const importTasks = async (body: object) => server.withToken("POST", "/api/tasks/import", { body });
const listTasks = async (search: string) => (await server.withToken("GET", `/api/tasks?search=${search}`)).body.data;

const MARKDOWN = "# Move\n- [ ] Pack boxes\n- [x] Find a van\n- [-] Sell the sofa\n";

test("a dry run says what would be imported, and changes nothing", async () => {
  const { body } = await importTasks({ format: "markdown", content: "- [ ] Only tried\n- [-] no" });
  expect(body.data).toMatchObject({
    isDryRun: true,
    createdCount: 1,
    knownCount: 0,
    skippedCount: 1,
    newProjects: [],
    tasks: [{ title: "Only tried", status: "todo", place: "line 1", project: null, isKnown: false }],
    skipped: [{ place: "line 2", title: "no", reason: "was cancelled" }],
  });
  expect(await listTasks("Only tried")).toEqual([]);
});

test("a file is imported in its order, and once", async () => {
  const first = await importTasks({ format: "markdown", content: MARKDOWN, dryRun: false });
  expect(first.body.data).toMatchObject({ isDryRun: false, createdCount: 2, knownCount: 0, skippedCount: 1 });
  const tasks = await listTasks("Section: Move");
  expect(tasks).toMatchObject([
    { title: "Pack boxes", status: "todo", completedAt: null, priority: 2 },
    { title: "Find a van", status: "done", completedAt: expect.any(String) },
  ]);
  await server.withToken("PUT", `/api/tasks/${tasks[0].id}`, { body: { title: "Pack all boxes" } });
  await server.withToken("DELETE", `/api/tasks/${tasks[1].id}`);
  const again = await importTasks({ format: "markdown", content: `${MARKDOWN}- [ ] Say goodbye`, dryRun: false });
  expect(again.body.data).toMatchObject({ createdCount: 1, knownCount: 2 });
  expect((await listTasks("Section: Move")).map(({ title }: { title: string }) => title)).toEqual([
    "Say goodbye",
    "Pack all boxes",
  ]);
});

test("projects are found by their names, or created; other tasks go to the one that is given", async () => {
  const pond = await server.withToken("POST", "/api/projects", { body: { name: "Pond", color: "#3b82f6" } });
  const projectId = pond.body.data.id;
  const content = JSON.stringify([
    { uuid: "1", description: "Feed the fish", project: "Pond" },
    { uuid: "2", description: "Mow the lawn", project: "Lawn" },
    { uuid: "3", description: "Sharpen the blades", project: "Lawn" },
    { uuid: "4", description: "Clean the net" },
  ]);
  const { body } = await importTasks({ format: "taskwarrior", content, projectId, dryRun: false });
  expect(body.data).toMatchObject({ createdCount: 4, newProjects: ["Lawn"] });
  const projects = await server.withToken("GET", "/api/projects");
  const lawn = projects.body.data.find(({ name }: { name: string }) => name === "Lawn");
  expect((await server.withToken("GET", `/api/tasks?projectId=${lawn.id}`)).body.data).toHaveLength(2);
  expect((await server.withToken("GET", `/api/tasks?projectId=${projectId}`)).body.data).toHaveLength(2);
});

test("what tasks wait for and concern comes along, and what is unknown is a line", async () => {
  const content = `ID,Title,Status,Description,Related to,Blocked by
L-1,Lay the pipe,Todo,,"L-3, L-9",L-2
L-2,Dig the trench,Todo,Deep,,
L-3,Draw the pipe,Todo,,L-1,L-8
`;
  const { body } = await importTasks({ format: "linear", content, dryRun: false });
  expect(body.data.tasks).toMatchObject([
    { blockedBy: ["Dig the trench"], relatesTo: ["Draw the pipe"], description: "Related to: L-9" },
    { blockedBy: [], relatesTo: [], description: "Deep" },
    { blockedBy: [], relatesTo: ["Lay the pipe"], description: "Blocked by: L-8" },
  ]);
  const [pipe] = await listTasks("Lay the pipe");
  const { data } = (await server.withToken("GET", `/api/tasks/${pipe.id}/details`)).body;
  expect(data).toMatchObject({ blockedBy: [{ title: "Dig the trench" }], relatesTo: [{ title: "Draw the pipe" }] });
  const ready = (await server.withToken("GET", "/api/tasks/ready")).body.data;
  const titles = ready.map(({ title }: { title: string }) => title);
  expect(titles).toContain("Dig the trench");
  expect(titles).not.toContain("Lay the pipe");
});

test("thousands of tasks are imported in one go, while others are served", async () => {
  const content = Array.from({ length: 10_000 }, (_, index) => `- [ ] Count to ${index}`).join("\n");
  const importing = importTasks({ format: "markdown", content, dryRun: false });
  expect((await server.anonymous("GET", "/api/health")).status).toBe(200);
  expect((await importing).body.data).toMatchObject({ createdCount: 10_000 });
  expect((await listTasks("Count to 9999")).map(({ title }: { title: string }) => title)).toEqual(["Count to 9999"]);
});

test.each([
  [{ format: "csv", content: "a" }, "format"],
  [{ format: "markdown", content: "" }, "content: must not be empty"],
  [{ format: "todoist", content: "a,b\n1,2" }, "there is no TYPE"],
  [{ format: "vikunja", content: "[]{" }, "data.json"],
  [{ format: "markdown", content: "- [ ] a", projectId: "x" }, "projectId: expected the id of an active project"],
  [{ format: "markdown", content: "- [ ] a\n".repeat(10_001) }, "has more than 10,000 entries"],
  [{ format: "todoist", content: "a,b" }, "there is no TYPE"],
  // Rows that take the parser seconds, in which nothing else would be done.
  [{ format: "todoist", content: "TYPE,".repeat(1_000_000) }, "a line has more than"],
  [{ format: "linear", content: '"'.repeat(5_000_000) }, "a line has more than"],
  [{ format: "linear", content: `ID,Title,Status,${"a,".repeat(600)}\n` }, "more than 500 columns"],
  [{ format: "taskwarrior", content: manyProjects() }, "more than 200 projects"],
])("refuses %#, with the reason", async (body, message) => {
  const response = await importTasks({ ...body, dryRun: false });
  expect(response.status).toBe(400);
  expect(JSON.stringify(response.body)).toContain(message);
});

test("imports at the same time create a project once, and say what they created", async () => {
  const imports = ["one", "two", "three"].map((title) => [
    { uuid: "shared", description: "Shared", project: "Together" },
    { uuid: title, description: title, project: "Together" },
  ]);
  const answers = await Promise.all(
    imports.map((tasks) => importTasks({ format: "taskwarrior", content: JSON.stringify(tasks), dryRun: false })),
  );
  const created = answers.map(({ body }) => body.data.createdCount);
  expect(created.toSorted()).toEqual([1, 1, 2]);
  const projects = (await server.withToken("GET", "/api/projects")).body.data;
  expect(projects.filter(({ name }: { name: string }) => name === "Together")).toHaveLength(1);
});

test("names that objects have are no priorities or statuses", async () => {
  const task = { uuid: "proto", description: "Proto", priority: "__proto__", status: "constructor" };
  const { body } = await importTasks({ format: "taskwarrior", content: JSON.stringify([task]), dryRun: false });
  expect(body.data).toMatchObject({ createdCount: 1, tasks: [{ priority: 2, status: "todo" }] });
});

test("what a file hides in escapes cannot break the import", async () => {
  const content = JSON.stringify([{ uuid: "\u0000", description: "Water\u0000 the \uD800plants", tags: ["a\u0000"] }]);
  const { body } = await importTasks({ format: "taskwarrior", content, dryRun: false });
  expect(body.data).toMatchObject({ createdCount: 1, tasks: [{ title: "Water the \uFFFDplants", tags: ["a"] }] });
});

function manyProjects(): string {
  return JSON.stringify(
    Array.from({ length: 201 }, (_, index) => ({ uuid: `many ${index}`, description: "a", project: `Many ${index}` })),
  );
}

test("parts, repetitions, reminders and links to notes are imported, and once", async () => {
  await server.withToken("POST", "/api/fs/write", { body: { path: "/Ferns.md", content: "Water them" } });
  const note = await server.withToken("POST", "/api/documents/by-path", { body: { path: "/Ferns.md" } });
  const csv = `TYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,DATE,DATE_LANG
task,Look after [[Ferns]],,4,1,,en
task,Water them,As in [[Ferns]] and [[Nowhere]],4,2,every 2 weeks,en
task,Turn them,,4,2,,en
task,Clean the leaves,,4,3,,en
`;
  const tried = await importTasks({ format: "todoist", content: csv });
  expect(tried.body.data.tasks).toMatchObject([
    { title: "Look after [[Ferns]]", parent: null, notes: ["Ferns"], repeat: null },
    { title: "Water them", parent: "Look after [[Ferns]]", notes: ["Ferns"], repeat: "FREQ=WEEKLY;INTERVAL=2" },
    { title: "Turn them", parent: "Look after [[Ferns]]", notes: [], reminders: [] },
    { title: "Clean the leaves", parent: "Turn them" },
  ]);
  const first = await importTasks({ format: "todoist", content: csv, dryRun: false });
  expect(first.body.data).toMatchObject({ createdCount: 4 });
  const [parent] = await listTasks("Look after");
  const details = await server.withToken("GET", `/api/tasks/${parent.id}/details`);
  expect(details.body.data).toMatchObject({
    subtasks: [{ title: "Water them" }, { title: "Turn them" }],
    notes: [{ id: note.body.data.document.id, title: "Ferns", isNamed: false }],
  });
  expect((await listTasks("Water them"))[0]).toMatchObject({ repeat: "FREQ=WEEKLY;INTERVAL=2", parentId: parent.id });
  const again = await importTasks({ format: "todoist", content: `${csv}task,Pot them,,4,2,,en\n`, dryRun: false });
  expect(again.body.data).toMatchObject({ createdCount: 1, knownCount: 4 });
  expect((await listTasks("Pot them"))[0]).toMatchObject({ parentId: parent.id });
});

test("reminders of an import belong to whoever imports", async () => {
  const task = {
    id: 900,
    title: "Renew the passport",
    due_date: "2099-12-01T08:00:00Z",
    reminders: [{ reminder: "2099-12-01T07:00:00Z", relative_period: -3600, relative_to: "due_date" }],
  };
  const content = JSON.stringify([{ title: "Papers", tasks: [task] }]);
  await importTasks({ format: "vikunja", content, dryRun: false });
  const [{ id }] = await listTasks("Renew the passport");
  const reminders = await server.withToken("GET", `/api/tasks/${id}/reminders`);
  expect(reminders.body.data).toMatchObject([{ minutesBefore: 60, at: "2099-12-01T07:00:00.000Z" }]);
});

test("a task may come long before the one that it is a part of, and before what it waits for", async () => {
  const ids = Array.from({ length: 2_500 }, () => crypto.randomUUID());
  const plain = { description: null, status: "todo", priority: 2, project: null, dueDate: null, dueTime: null };
  const more = { repeat: null, repeatFrom: "due", repeatTimezone: null, snoozedUntil: null, tags: [], relatesTo: [] };
  const at = "2026-01-02T03:04:05.000Z";
  const rest = { checklist: [], comments: [], createdAt: at, modifiedAt: at, completedAt: null };
  const tasks = ids.map((id, index) => {
    const isFirst = index === 0;
    const [parentId, blockedBy] = [isFirst ? ids.at(-1) : null, isFirst ? [ids.at(1_200)] : []];
    const reminders = isFirst ? [{ minutesBefore: null, at: "2099-01-01T00:00:00.000Z" }] : [];
    const position = `k${String(index).padStart(11, "0")}`;
    return { ...plain, ...more, ...rest, id, title: `Flood ${index}`, parentId, blockedBy, reminders, position };
  });
  const { body } = await importTasks({ format: "workspace", content: JSON.stringify(tasks), dryRun: false });
  expect(body.data).toMatchObject({ createdCount: 2_500, skippedCount: 0 });
  expect(body.data.tasks[0]).toMatchObject({ title: "Flood 0", parent: "Flood 2499" });
  const details = await server.withToken("GET", `/api/tasks/${ids[0]}/details`);
  expect(details.body.data).toMatchObject({ parents: [{ id: ids.at(-1) }], blockedBy: [{ id: ids[1_200] }] });
  expect((await server.withToken("GET", `/api/tasks/${ids[0]}/reminders`)).body.data).toHaveLength(1);
});
