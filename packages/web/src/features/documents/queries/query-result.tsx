import { Fragment, type MouseEvent, type ReactNode } from "react";
import { atBase } from "../../../browser/base-path.ts";
import { useClient } from "../../../client/use-client.ts";
import { toasts } from "../../../components/toast.ts";
import { toRequestError } from "../../../api/request-error.ts";
import { ProjectDot } from "../../../components/project-dot.tsx";
import { formatDueDate, formatFullTimestamp } from "../../../dates/date-format.ts";
import type { Day } from "../../../dates/day.ts";
import { useOpenTask } from "../../shell/task-panel-url.ts";
import { DueLabel } from "../../tasks/due-label.tsx";
import { PriorityIcon } from "../../tasks/priority-icon.tsx";
import { STATUS_LABELS } from "../../tasks/task.ts";
import { useShowDocument } from "../document-url.ts";
import { refreshQueries, type QueryResult } from "./run-queries.ts";

type Row = QueryResult["rows"][number];
type Value = Row["values"][number];

const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const PRIORITIES = ["Low", "Medium", "High"];

/** The rows that a query found: as a list, a table, or tasks that can be ticked. */
export function QueryResultView({ result, today }: { readonly result: QueryResult; readonly today: Day }) {
  const { rows, isCut, source } = result;
  return (
    <>
      {rows.length === 0 && <p className="query-note">No {source} match.</p>}
      {groupsOf(result, today).map(({ label, rows: members }) => (
        <Fragment key={label ?? ""}>
          {label !== null && (
            <h4>
              {label} <span className="query-count">{members.length}</span>
            </h4>
          )}
          <Rows result={result} rows={members} today={today} />
        </Fragment>
      ))}
      {isCut && (
        <p className="query-note">
          Only the first {rows.length} are shown{rows.length < 500 ? "; write “limit 500” for more" : ""}.
        </p>
      )}
    </>
  );
}

interface RowsProps {
  readonly result: QueryResult;
  readonly rows: readonly Row[];
  readonly today: Day;
}

function Rows({ result, rows, today }: RowsProps) {
  if (result.view === "table") return <Table columns={result.columns} rows={rows} today={today} />;
  return (
    <ul className={result.view === "tasks" ? "query-tasks" : undefined}>
      {rows.map((row) => (
        <li key={row.id}>
          {result.view === "tasks" && <TaskLine row={row} today={today} />}
          {result.view === "list" && <RowLink row={row} />}
          <Details columns={result.columns} row={row} today={today} />
        </li>
      ))}
    </ul>
  );
}

interface TableProps {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  readonly today: Day;
}

function Table({ columns, rows, today }: TableProps) {
  const shown = columns.length === 0 ? ["title"] : columns;
  const hasTitle = shown.some((column) => column.toLowerCase() === "title");
  return (
    <div className="table-frame" tabIndex={0} role="group" aria-label="Table">
      <table>
        <thead>
          <tr>
            {shown.map((column) => (
              <th key={column}>{column}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              {shown.map((column, index) => (
                <td key={column}>
                  {column.toLowerCase() === "title" || (!hasTitle && index === 0) ? (
                    <RowLink row={row} label={hasTitle || columns.length === 0 ? row.title : undefined}>
                      {!hasTitle && columns.length > 0 && (
                        <Shown column={column} value={row.values[index] ?? null} today={today} />
                      )}
                    </RowLink>
                  ) : (
                    <Shown column={column} value={row.values[index] ?? null} today={today} />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface DetailsProps {
  readonly columns: readonly string[];
  readonly row: Row;
  readonly today: Day;
}

/** The other columns of a row of a list. */
function Details({ columns, row, today }: DetailsProps) {
  const others = columns.flatMap((column, index) => {
    const value = row.values[index] ?? null;
    return column.toLowerCase() === "title" || value === null ? [] : [{ column, value }];
  });
  if (others.length === 0) return null;
  return (
    <span className="query-details">
      {others.map(({ column, value }) => (
        <span key={column} title={column}>
          <Shown column={column} value={value} today={today} />
        </span>
      ))}
    </span>
  );
}

interface RowLinkProps {
  readonly row: Row;
  readonly label?: string | undefined;
  readonly children?: ReactNode;
}

/** Opens the note or the task of a row. */
function RowLink({ row, label, children }: RowLinkProps) {
  const showDocument = useShowDocument();
  const openTask = useOpenTask();
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    event.stopPropagation();
    if (row.task === null) showDocument(row.id);
    else openTask(row.id);
  };
  const href = atBase(row.task === null ? `/documents?doc=${row.id}` : `/tasks?task=${row.id}`);
  return (
    <a href={href} title={row.path ?? undefined} onClick={open}>
      {children === false || children === undefined ? (label ?? row.title) : children}
    </a>
  );
}

function TaskLine({ row, today }: { readonly row: Row; readonly today: Day }) {
  const client = useClient();
  const { task } = row;
  if (task === null) return <RowLink row={row} />;
  const isDone = task.status === "done";
  const tick = async () => {
    try {
      await client.api.tasks.update.mutate({ id: row.id, status: isDone ? "todo" : "done" });
    } catch (error) {
      toasts(client).show({ message: toRequestError(error).message, tone: "danger" });
    }
    await refreshQueries(client);
  };
  return (
    <>
      <input
        type="checkbox"
        className="checkbox"
        aria-label={row.title}
        checked={isDone}
        onChange={() => void tick()}
      />
      <span className={isDone ? "query-done" : undefined}>
        <RowLink row={row} />
      </span>
      <span className="query-details">
        {task.priority === 3 && <PriorityIcon priority={task.priority} />}
        {task.status !== "todo" && task.status !== "done" && <span>{STATUS_LABELS[task.status]}</span>}
        <DueLabel task={task} today={today} />
        {task.project !== null && (
          <span className="query-project">
            <ProjectDot color={task.project.color} />
            {task.project.name}
          </span>
        )}
      </span>
    </>
  );
}

function Shown({ column, value, today }: { readonly column: string; readonly value: Value; readonly today: Day }) {
  return Array.isArray(value) ? value.map(String).join(", ") : textOf(column.toLowerCase(), value, today);
}

function textOf(column: string, value: Value, today: Day): string {
  if (value === null) return "";
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (column === "priority" && typeof value === "number") return PRIORITIES[value - 1] ?? String(value);
  const text = String(value);
  if (column === "status") return Object.hasOwn(STATUS_LABELS, text) ? statusLabel(text) : text;
  if (TIMESTAMP.test(text)) return formatFullTimestamp(text);
  if (column === "due") {
    const [day = "", time] = text.split(" ");
    return formatDueDate(day, today, time ?? null);
  }
  return text.startsWith("[[") && text.endsWith("]]") ? text.slice(text.lastIndexOf("|") + 1 || 2, -2) : text;
}

function statusLabel(status: string): string {
  return Object.entries(STATUS_LABELS).find(([name]) => name === status)?.[1] ?? status;
}

interface Group {
  readonly label: string | null;
  readonly rows: readonly Row[];
}

/** The rows by the field by which the query groups; they come in that order. */
function groupsOf({ rows, groupedBy }: QueryResult, today: Day): Group[] {
  if (groupedBy === null) return rows.length === 0 ? [] : [{ label: null, rows }];
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const shown = Array.isArray(row.group) ? row.group.join(", ") : textOf(groupedBy.toLowerCase(), row.group, today);
    const label = shown === "" ? `No ${groupedBy}` : shown;
    groups.set(label, [...(groups.get(label) ?? []), row]);
  }
  return [...groups].map(([label, members]) => ({ label, rows: members }));
}
