import { column, defineComposedQuery, type Queryable } from "@workspace/db";
import { addDays, type FilterContext } from "../../platform/filter/filter-days.ts";
import { FILTER_EXAMPLE } from "../task-filter/filter-example.ts";
import { groupSql } from "../task-filter/group-sql.ts";
import { IS_SNOOZED, TASK, TASK_COLUMNS, TASK_JOINS, toTask } from "./task.queries.ts";
import { AGENDA_SECTIONS, type AgendaSection, type AgendaSectionName } from "./task.schema.ts";

/** Tasks count as just done on the day when they are, and so many days after it. */
const DONE_DAYS = 6;

const agenda = defineComposedQuery({
  name: "select-task-agenda",
  row: { ...TASK, section: column.text.as<AgendaSectionName>().neverNull, total: column.integer.neverNull },
  compose: ({ context, limit }: { context: FilterContext; limit: number }, bind) => {
    const doneSince = bind(context.startOf(addDays(context.today, -DONE_DAYS)));
    return `
    WITH dated AS (
      SELECT t.*, ${groupSql("due", context, bind)} AS due_group FROM tasks t
      WHERE t.deleted_at IS NULL AND (t.status <> 'done' OR t.completed_at >= ${doneSince}::timestamptz) AND NOT ${IS_SNOOZED}
    ),
    sorted AS (
      SELECT *, CASE WHEN status = 'done' THEN 'done' WHEN due_group IN ('overdue', 'today') THEN due_group
        WHEN status = 'in_progress' THEN 'in_progress' WHEN due_group IN ('tomorrow', 'week') THEN 'week' END AS section
      FROM dated
    ),
    placed AS (
      SELECT id, section, (count(*) OVER (PARTITION BY section))::int AS total, row_number() OVER (
        PARTITION BY section ORDER BY CASE WHEN section = 'done' THEN completed_at END DESC,
          due_date COLLATE "C" NULLS LAST, COALESCE(due_time, '24:00') COLLATE "C", priority DESC, created_at DESC, id DESC
      ) AS place
      FROM sorted WHERE section IS NOT NULL
    )
    SELECT ${TASK_COLUMNS}, placed.section, placed.total FROM placed JOIN tasks t ON t.id = placed.id ${TASK_JOINS}
    WHERE placed.place <= ${bind(limit)} ORDER BY placed.section, placed.place`;
  },
  examples: [{ context: FILTER_EXAMPLE.context, limit: 1 }],
});

/** Of each section that is not empty, the first tasks and how many there are. */
export async function selectAgenda(db: Queryable, context: FilterContext, limit: number): Promise<AgendaSection[]> {
  const rows = await agenda.all(db, { context, limit });
  return AGENDA_SECTIONS.map((section) => {
    const ofSection = rows.filter((row) => row.section === section);
    return { section, total: ofSection[0]?.total ?? 0, tasks: ofSection.map(toTask) };
  }).filter(({ total }) => total > 0);
}
