import { ImportDetails, ImportedRow, ImportReport } from "../../components/import-dialog.tsx";
import { formatDueDate } from "../../dates/date-format.ts";
import type { Day } from "../../dates/day.ts";
import { useToday } from "../../dates/use-now.ts";
import { describeRepeat } from "./describe-repeat.ts";
import { StatusIcon } from "./status-icon.tsx";
import { tasksIn, type TaskImport } from "./task-import.ts";

type ImportedTask = TaskImport["tasks"][number];

/** What importing a file would create, and what of it would not be imported. */
export function ImportPreview({ found }: { readonly found: TaskImport }) {
  const { createdCount, knownCount, skippedCount, newProjects, tasks, skipped } = found;
  const today = useToday();
  const fresh = tasks.filter(({ isKnown }) => !isKnown);
  const summary = [
    createdCount === 0 ? "There is nothing new in this file." : `${tasksIn(createdCount)} will be created.`,
    ...(knownCount > 0 ? [`${tasksIn(knownCount)} in it ${knownCount === 1 ? "was" : "were"} imported before.`] : []),
    ...(newProjects.length > 0 ? [`New projects: ${newProjects.join(", ")}.`] : []),
  ];
  return (
    <section aria-label="What will be imported" className="flex flex-col gap-3">
      <ImportReport
        summary={summary.join(" ")}
        more={createdCount > fresh.length ? tasksIn(createdCount - fresh.length) : null}
      >
        {fresh.map((task) => (
          <ImportedRow key={`${task.place} ${task.title}`}>
            <StatusIcon status={task.status} />
            <span className="flex min-w-0 flex-1 flex-col">
              <span dir="auto" className="truncate text-strong">
                {task.title}
              </span>
              {task.parent !== null && <span className="truncate text-12 text-muted">part of {task.parent}</span>}
            </span>
            <span className="flex max-w-1/2 shrink-0 flex-col items-end text-12 text-muted">
              {describeTask(task, today).map((line) => (
                <span key={line} className="max-w-full truncate">
                  {line}
                </span>
              ))}
            </span>
          </ImportedRow>
        ))}
      </ImportReport>
      {skippedCount > 0 && (
        <ImportDetails summary={`${skippedCount} not imported`}>
          {skipped.map(({ place, title, reason }) => (
            <li key={`${place} ${title}`} className="truncate">
              {place}: {title} ({reason})
            </li>
          ))}
        </ImportDetails>
      )}
    </section>
  );
}

/** What is known about a task besides its title: where and when, how often, and what belongs to it. */
function describeTask(
  { project, dueDate, dueTime, repeat, repeatFrom, blockedBy, relatesTo, reminders, notes }: ImportedTask,
  today: Day,
): string[] {
  const due = dueDate === null ? (dueTime ?? "") : formatDueDate(dueDate, today, dueTime);
  return [
    [project ?? "", due].filter((part) => part !== "").join(" · "),
    repeat === null ? "" : describeRepeat(repeat, { today, repeatFrom }),
    reminders.length === 0 ? "" : reminders.length === 1 ? "1 reminder" : `${reminders.length} reminders`,
    blockedBy.length === 0 ? "" : `waits for ${blockedBy.join(", ")}`,
    relatesTo.length === 0 ? "" : `related to ${relatesTo.join(", ")}`,
    notes.length === 0 ? "" : `linked to ${notes.join(", ")}`,
  ].filter((line) => line !== "");
}
