import { transaction } from "@workspace/db";
import pLimit from "p-limit";
import type { Deps } from "../../platform/deps.ts";
import { ForbiddenError, InvalidInputError } from "../../platform/errors.ts";
import type { Principal } from "../../platform/procedures/principal.ts";
import { filterContextIn, firstWeekdayFor, withFoundIds } from "../../work/task-filter/filter-reader.ts";
import { TASK_FIELDS } from "../../work/task-filter/task-fields.ts";
import { folderOf } from "../documents/key-folder.ts";
import type { TextIndexer } from "../file-records/text-indexer.ts";
import { selectQueriedNotes, type FoundNote } from "./note-query.queries.ts";
import { readBaseFile, type BaseView } from "./base-file.ts";
import { NOTE_FIELDS } from "./note-fields.ts";
import { parseQuery, type Query, type QueryProblem } from "./query-language.ts";
import type { QueryResult, QueryRow, RunQueries, ShownValue } from "./query.schema.ts";
import { selectQueriedTasks, type FoundTask } from "./task-query.queries.ts";

/** Leaves connections of the pool to everything else. */
const MAX_AT_ONCE = 3;
const OPENING = "SET LOCAL statement_timeout = '2s'; SET TRANSACTION READ ONLY";
const STATEMENT_TIMEOUT = "57014";
const MAX_SHOWN_TEXT = 300;
const MAX_SHOWN_ITEMS = 20;
const SCOPES = { notes: "knowledge:read", tasks: "tasks:read" } as const;

export interface QueryServiceDeps extends Deps<"db" | "clock"> {
  readonly indexer: Pick<TextIndexer, "settled">;
  /** The server's time zone. */
  readonly timeZone: string;
}

/** By what the days of a query are measured. */
interface QueryDays {
  readonly timeZone: string;
  readonly firstWeekday: number | undefined;
}

export type QueryService = ReturnType<typeof createQueryService>;

/** Carries out the queries that people write into notes. */
export function createQueryService({ db, clock, indexer, timeZone: ownTimeZone }: QueryServiceDeps) {
  const limit = pLimit(MAX_AT_ONCE);

  async function find(query: Query, days: QueryDays, principal: Principal): Promise<QueryResult> {
    const context = {
      ...filterContextIn(days.timeZone, clock.now(), principal.userId),
      firstWeekday: query.where === null ? undefined : await firstWeekdayFor(db, query.where, days.firstWeekday),
    };
    const search =
      query.source === "notes"
        ? { ...query, where: query.where && (await withFoundIds(db, NOTE_FIELDS, query.where, isNobody)) }
        : { ...query, where: query.where && (await withFoundIds(db, TASK_FIELDS, query.where, isNobody)) };
    const rows = await transaction(
      db.pool,
      async (client) =>
        search.source === "notes"
          ? (await selectQueriedNotes(client, { query: search, context, folder: folderOf(principal) })).map(noteRow)
          : (await selectQueriedTasks(client, { query: search, context })).map(taskRow),
      OPENING,
    );
    return {
      problem: null,
      ...headOf(query),
      rows: rows.slice(0, query.limit),
      isCut: rows.length > query.limit,
    };
  }

  async function runOne(query: Query, days: QueryDays, principal: Principal): Promise<QueryResult> {
    try {
      return await limit(() => find(query, days, principal));
    } catch (error) {
      if (!isTimeout(error)) throw error;
      const hint = "Narrow it down, for example by a tag or a folder.";
      return failed({ message: "The query takes too long.", hint, line: 1, column: 1 }, query);
    }
  }

  return {
    /**
     * The result of each query, or what is wrong with it. Throws {@link ForbiddenError} if the scopes of a key do not include what one
     * of them is about; of notes, a key gets those in its folder.
     */
    async run(
      { queries, timezone: timeZone = ownTimeZone, firstWeekday }: RunQueries,
      principal: Principal,
    ): Promise<QueryResult[]> {
      const days = { timeZone, firstWeekday };
      const parsed = queries.map((text) => parseQuery(text));
      const sources = new Set(parsed.flatMap((one) => ("query" in one ? [one.query.source] : [])));
      for (const source of sources) assertPermitted(source, principal);
      if (sources.has("notes")) await indexer.settled();
      return Promise.all(
        parsed.map(async (one) => ("query" in one ? runOne(one.query, days, principal) : failed(one.problem, null))),
      );
    },

    /** The views of a `.base` file, as queries. Throws {@link InvalidInputError} for a text that is none. */
    async readBase(text: string): Promise<BaseView[]> {
      const views = readBaseFile(text);
      if (views === null) throw InvalidInputError.at("text", "is no YAML with filters or views");
      return views;
    },
  };
}

/** A project that is named in a note may not exist yet; until then it has no tasks. */
function isNobody(): void {}

function assertPermitted(source: Query["source"], principal: Principal): void {
  if (principal.kind === "user" || principal.scopes.has(SCOPES[source])) return;
  throw new ForbiddenError(`queries: the scopes of the API key do not include ${source}`);
}

function headOf({ source, view, columns, group }: Query) {
  return { source, view, columns: columns.map(({ label }) => label), groupedBy: group?.label ?? null };
}

function failed(problem: QueryProblem, query: Query | null): QueryResult {
  const head =
    query === null ? { source: "notes" as const, view: "list" as const, columns: [], groupedBy: null } : headOf(query);
  return { problem, ...head, rows: [], isCut: false };
}

function noteRow({ id, title, path, group, values }: FoundNote): QueryRow {
  return { id, title, path, task: null, group: toShown(group), values: values.map(toShown) };
}

function taskRow(row: FoundTask): QueryRow {
  const { id, title, status, priority, dueDate, dueTime, projectName: name, projectColor: color, tags, version } = row;
  const project = name === null || color === null ? null : { name, color };
  return {
    id,
    title,
    path: null,
    task: { status, priority, dueDate, dueTime, project, tags, version: String(version) },
    group: toShown(row.group),
    values: row.values.map(toShown),
  };
}

function toShown(value: unknown): ShownValue {
  if (!Array.isArray(value)) return toScalar(value);
  return [...new Set(value.slice(0, MAX_SHOWN_ITEMS).flatMap((item) => toScalar(item) ?? []))];
}

function toScalar(value: unknown): string | number | boolean | null {
  if (typeof value === "number" || typeof value === "boolean") return value;
  if (typeof value !== "string") return null;
  return value.length > MAX_SHOWN_TEXT ? `${value.slice(0, MAX_SHOWN_TEXT).toWellFormed()}…` : value;
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === STATEMENT_TIMEOUT;
}
