import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestVault, type TestVault } from "../../../testing/test-vault.ts";
import { ForbiddenError } from "../../platform/errors.ts";
import type { ApiKeyPrincipal } from "../../platform/procedures/principal.ts";
import { createTaskService } from "../../work/tasks/task.service.ts";
import { createQueryService, type QueryService } from "./query.service.ts";

let vault: TestVault;
let service: QueryService;

beforeAll(async () => {
  vault = await createTestVault();
  vault.clock.set("2026-11-26T10:00:00Z");
  service = createQueryService({ ...vault, indexer: vault.textIndexer, timeZone: "Europe/Berlin" });
  await write(
    "Books/Dune.md",
    'title: Dune\ntags: [book, fiction/space]\nrating: 5\nauthor: Frank Herbert\nRead on: 2026-03-01\nseries: ["[[Dune]]", Classics]\nowned: true',
  );
  await write(
    "Books/Emma.md",
    "title: Emma\ntags: [book]\nrating: 4\nauthor: Jane Austen\nowned: false\nnested: {shelf: B}",
  );
  await write("Books/Old/Ulysses.md", 'title: Ulysses\ntags: [Book]\nrating: "3"\nauthor: ""\nÜber: Straße');
  await write("Journal/Day.md", "date: 2026-11-20", "A day with [[Dune]] #diary/short.\n");
  await vault.vault.write({ path: "plain.txt", content: "no note" }, vault.author);
  // Files have the time of the machine.
  await vault.db.pool.query("UPDATE documents SET created_at = $1, modified_at = $1", [vault.clock.now()]);
  const tasks = createTaskService({ ...vault, timeZone: "UTC" });
  for (const task of [
    { title: "Water", dueDate: "2026-11-25", priority: 3 as const, tags: ["garden"] },
    { title: "Call", dueDate: "2026-11-26T23:30:00Z" },
    { title: "Later", dueDate: "2026-12-20", status: "in_progress" as const },
    { title: "Some time", status: "done" as const },
  ])
    await tasks.create(task, vault.author);
});
afterAll(() => vault.close());

const write = (path: string, frontmatter: string, body = "") =>
  vault.vault.write({ path, content: `---\n${frontmatter}\n---\n${body}` }, vault.author);

async function run(text: string, principal = vault.user) {
  const [result] = await service.run({ queries: [text] }, principal);
  if (result === undefined) throw new Error("no result");
  return result;
}

async function titles(text: string, principal = vault.user): Promise<string[]> {
  const { problem, rows } = await run(text, principal);
  if (problem !== null) throw new Error(problem.message);
  return rows.map(({ title }) => title);
}

describe("notes", () => {
  it.each([
    ["#book", ["Dune", "Emma", "Ulysses"]],
    ["tag = fiction", ["Dune"]],
    ["tag = fict", []],
    ["#Diary", ["Day"]],
    ["tag contains spa", ["Dune"]],
    ["rating >= 4", ["Dune", "Emma"]],
    ["rating = 3", ["Ulysses"]],
    ["rating in (3, 5)", ["Dune", "Ulysses"]],
    ["not rating >= 4", ["Day", "Ulysses"]],
    ["author = frank herbert", ["Dune"]],
    ["author contains AUSTEN", ["Emma"]],
    ["author starts with jane", ["Emma"]],
    ["author is empty", ["Day", "Ulysses"]],
    ["rating is not empty and author is empty", ["Ulysses"]],
    ['"read on" = 2026-03', ["Dune"]],
    ['"Read On" < today - 1 month', ["Dune"]],
    ["date = last 7 days", ["Day"]],
    ["series = Dune", ["Dune"]],
    ["series = classics", ["Dune"]],
    ["owned", ["Dune"]],
    ["owned = false", ["Emma"]],
    ["nested.shelf = b", ["Emma"]],
    ["über = STRASSE", ["Ulysses"]],
    ["folder = books", ["Dune", "Emma", "Ulysses"]],
    ["folder = Books/Old", ["Ulysses"]],
    ["name = day", ["Day"]],
    ["path contains old/", ["Ulysses"]],
    ["links = Dune", ["Day", "Dune"]],
    ["links = [[Dune]]", ["Day", "Dune"]],
    ['text contains "a day"', ["Day"]],
    ["text contains YS", ["Ulysses"]],
    ["text contains ÜB", ["Ulysses"]],
    ['text contains "%"', []],
    ['text contains "_"', []],
    ["text contains \\", []],
    ["text contains AY", ["Day"]],
    ["#FICTION/Space", ["Dune"]],
    ["#space", []],
    ["not #fiction", ["Day", "Emma", "Ulysses"]],
    ["#fiction or rating = 4", ["Dune", "Emma"]],
    ["modified = today and title = Emma", ["Emma"]],
    ["created > tomorrow", []],
    ["size < 65", ["Day"]],
    ["shared", []],
    ["project is empty and #book and (rating = 5 or owned = false)", ["Dune", "Emma"]],
  ])("finds those where %s", async (where, expected) => {
    expect(await titles(`where ${where}\nsort title`)).toEqual(expected);
  });

  it("sorts and groups by properties, and shows them as written", async () => {
    const result = await run("where #book\ngroup folder\nsort rating desc\ncolumns title, Author, series, missing");
    expect(result).toMatchObject({
      view: "table",
      columns: ["title", "Author", "series", "missing"],
      groupedBy: "folder",
    });
    expect(result.rows.map(({ group, values }) => [group, ...values])).toEqual([
      ["Books", "Dune", "Frank Herbert", ["[[Dune]]", "Classics"], null],
      ["Books", "Emma", "Jane Austen", null, null],
      ["Books/Old", "Ulysses", null, null, null],
    ]);
  });

  it("says when there are more than the limit", async () => {
    expect(await run("where #book\nlimit 2")).toMatchObject({ isCut: true, rows: [{}, {}] });
    expect(await run("where #book\nlimit 3")).toMatchObject({ isCut: false });
  });

  it("follows a change of a property and a deletion", async () => {
    await write("Books/New.md", "title: New\nmood: good");
    expect(await titles("where mood = good")).toEqual(["New"]);
    await write("Books/New.md", "title: New\nmood: bad");
    expect(await titles("where mood = good")).toEqual([]);
    await vault.vault.delete("Books/New.md");
    expect(await titles("where mood = bad")).toEqual([]);
  });
});

it("finds the properties of notes that were indexed by an earlier release", async () => {
  await vault.db.pool.query("DELETE FROM document_properties");
  expect(await titles("where rating = 5")).toEqual([]);
  await vault.textIndexer.addMissing();
  expect(await titles("where rating = 5")).toEqual(["Dune"]);
});

describe("tasks", () => {
  it.each([
    ["due < today", ["Water"]],
    // 23:30 in UTC is the next day in Berlin.
    ["due = today", []],
    ["due = tomorrow", ["Call"]],
    ["due is empty", ["Some time"]],
    ["due <= today + 30d", ["Call", "Later", "Water"]],
    ["status != done and priority = high", ["Water"]],
    ["status in (done, in progress)", ["Later", "Some time"]],
    ["priority < high and not status = done", ["Call", "Later"]],
    ["#garden", ["Water"]],
    ["text contains WAT", ["Water"]],
    ["completed = today", ["Some time"]],
    ["holder is empty and creator = ada and title begins with l", ["Later"]],
    ["project is empty and project != Garden and created = today", ["Call", "Later", "Some time", "Water"]],
  ])("finds those where %s", async (where, expected) => {
    expect(await titles(`from tasks\nwhere ${where}\nsort title`)).toEqual(expected);
  });

  it("has what is needed to show and tick them", async () => {
    const { rows } = await run("from tasks\nsort due\nlimit 1\ncolumns title, due, tags");
    expect(rows).toMatchObject([
      {
        title: "Water",
        path: null,
        task: { status: "todo", version: "1", priority: 3 },
        values: ["Water", "2026-11-25", ["garden"]],
      },
    ]);
  });
});

it("sorts numbers in titles and paths as people count", async () => {
  for (const name of ["Part 102", "Part 12", "part 2"]) await write(`Parts/${name}.md`, `title: ${name}`);
  const sorted = ["part 2", "Part 12", "Part 102"];
  expect(await titles("from notes\nwhere folder = Parts\nsort title")).toEqual(sorted);
  expect(await titles("from notes\nwhere folder = Parts\nsort path desc")).toEqual(sorted.toReversed());
});

it("reports a mistake in one query, and carries out the others", async () => {
  const results = await service.run({ queries: ["where (", "from tasks\nlimit 1"] }, vault.user);
  expect(results).toMatchObject([
    { problem: { line: 1, column: 8 }, rows: [] },
    { problem: null, rows: [{}] },
  ]);
});

it("takes any text for a text", async () => {
  for (const text of ["'); DROP TABLE tasks; --", "%_\\", "\\u0000", "$1", '"', "\u{1f600}"]) {
    const quoted = text.includes('"') ? `'${text}'` : `"${text}"`;
    for (const operator of ["=", "contains", "begins with"]) {
      for (const field of ["title", "author", "tag", "folder", "links", "path", "project", '"a.b\'c"']) {
        expect((await run(`where ${field} ${operator} ${quoted}`)).problem).toBeNull();
      }
    }
  }
  expect((await titles("from tasks")).length).toBe(4);
});

it("gives a key what its scopes and its folder allow", async () => {
  const key = (scopes: ApiKeyPrincipal["scopes"], folder?: string) =>
    ({
      kind: "api_key",
      userId: vault.userId,
      name: "k",
      keyId: "1",
      scopes,
      ...(folder !== undefined && { folder }),
    }) as unknown as ApiKeyPrincipal;
  expect(await titles("where #book\nsort title", key(new Set(["knowledge:read"]), "Books/Old"))).toEqual(["Ulysses"]);
  await expect(run("from tasks", key(new Set(["knowledge:read"])))).rejects.toThrow(ForbiddenError);
  await expect(run("from notes", key(new Set(["tasks:read"])))).rejects.toThrow(ForbiddenError);
});
