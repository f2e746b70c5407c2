import { beforeAll, afterAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import { TaskStatus } from "../generated/enums.ts";
import { column, type Columns } from "./column.ts";
import { findStatementProblems } from "./statement-check.ts";
import type { DeclaredStatement } from "./statement.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

function problemsOf(text: string, row?: Columns): Promise<string[]> {
  const statement: DeclaredStatement = { name: "probe", row, texts: () => [text] };
  return findStatementProblems(database.db.pool, [statement]);
}

it("finds nothing if a statement matches its declaration", async () => {
  const row = {
    id: column.uuid,
    title: column.text,
    dueDate: column.text.nullable,
    status: column.oneOf(TaskStatus),
    priority: column.integer,
    tags: column.texts.neverNull,
    createdAt: column.timestamp,
    projectName: column.text.nullable,
    hasProject: column.boolean.neverNull,
  };
  const text = `
    SELECT t.id, t.title, t.due_date AS "dueDate", t.status, t.priority, t.tags, t.created_at AS "createdAt",
      p.name AS "projectName", p.id IS NOT NULL AS "hasProject"
    FROM tasks t LEFT JOIN projects p ON p.id = t.project_id WHERE t.id = $1`;
  expect(await problemsOf(text, row)).toEqual([]);
});

it.each([
  ["a column that does not exist", "SELECT titel AS title FROM tasks", 'probe: column "titel" does not exist'],
  ["a table that does not exist", "SELECT title FROM task", 'probe: relation "task" does not exist'],
  ["a mistake in SQL", "SELECT title FORM tasks", 'probe: syntax error at or near "tasks"'],
])("names a statement with %s", async (_what, text, problem) => {
  expect(await problemsOf(text, { title: column.text })).toEqual([problem]);
});

it("also reports invalid commands", async () => {
  expect(await problemsOf("UPDATE tasks SET titel = $1")).toEqual([
    'probe: column "titel" of relation "tasks" does not exist',
  ]);
});

it("finds a misspelt alias", async () => {
  expect(await problemsOf(`SELECT due_date AS "dueDat" FROM tasks`, { dueDate: column.text.nullable })).toEqual([
    'probe: the result has a column "dueDat" that is not declared',
    'probe: the declared column "dueDate" is not in the result',
  ]);
});

it("finds a different type", async () => {
  expect(await problemsOf("SELECT priority FROM tasks", { priority: column.text })).toEqual([
    'probe: column "priority" is int2, not text/varchar',
  ]);
});

it("finds an enum with other labels", async () => {
  const [problem] = await problemsOf("SELECT status FROM tasks", { status: column.oneOf({ todo: "todo" }) });
  expect(problem).toBe('probe: column "status" is task_status (todo, in_progress, done, blocked), not an enum of todo');
});

it.each([
  ["is nullable in the schema", "SELECT due_date AS value FROM tasks"],
  ["an outer join can leave empty", "SELECT p.name AS value FROM tasks t LEFT JOIN projects p ON p.id = t.project_id"],
  [
    "an outer join from the right can leave empty",
    "SELECT t.title AS value FROM tasks t RIGHT JOIN users u ON u.id = t.id",
  ],
  ["is an expression", "SELECT title || title AS value FROM tasks"],
])("finds a column that is declared as never null, yet %s", async (_why, text) => {
  expect(await problemsOf(text, { value: column.text })).toEqual(['probe: column "value" can be null']);
});

it.each([
  ["nullable", column.text.nullable],
  ["neverNull", column.text.neverNull],
])("finds a column that is NOT NULL, yet declared as %s", async (declared, value) => {
  expect(await problemsOf("SELECT title AS value FROM tasks", { value })).toEqual([
    `probe: column "value" is NOT NULL in the schema, yet ${declared}`,
  ]);
});

it("finds a duplicate name", async () => {
  const statement: DeclaredStatement = { name: "twice", row: undefined, texts: () => ["SELECT"] };
  expect(await findStatementProblems(database.db.pool, [statement, statement])).toEqual([
    "twice: the name of two statements",
  ]);
});

it("does not run the statements", async () => {
  await problemsOf("CREATE TABLE never (id int)");
  expect(await problemsOf("SELECT FROM never")).toEqual(['probe: relation "never" does not exist']);
});
