import { StatusIcon } from "./status-icon.tsx";
import { tasksIn, type TaskImport } from "./task-import.ts";

/** What importing a file would create, and what of it would not be imported. */
export function ImportPreview({ found }: { readonly found: TaskImport }) {
  const { createdCount, knownCount, skippedCount, newProjects, tasks, skipped } = found;
  const fresh = tasks.filter(({ isKnown }) => !isKnown);
  return (
    <section aria-label="What will be imported" className="flex flex-col gap-3">
      <p className="text-strong">
        {createdCount === 0 ? "There is nothing new in this file." : `${tasksIn(createdCount)} will be created.`}
        {knownCount > 0 && ` ${tasksIn(knownCount)} in it ${knownCount === 1 ? "was" : "were"} imported before.`}
        {newProjects.length > 0 && ` New projects: ${newProjects.join(", ")}.`}
      </p>
      {fresh.length > 0 && (
        <ul className="max-h-64 overflow-y-auto rounded-panel border border-border">
          {fresh.map((task) => (
            <li
              key={`${task.place} ${task.title}`}
              className="flex items-center gap-2 border-b border-border px-3 py-2 last:border-b-0"
            >
              <StatusIcon status={task.status} />
              <span className="min-w-0 flex-1 truncate text-strong">{task.title}</span>
              <span className="shrink-0 truncate text-12 text-muted">
                {[task.project, task.dueDate?.slice(0, 10)]
                  .filter((part) => part !== null && part !== undefined)
                  .join(" · ")}
              </span>
            </li>
          ))}
          {createdCount > fresh.length && (
            <li className="px-3 py-2 text-muted">and {tasksIn(createdCount - fresh.length)} more</li>
          )}
        </ul>
      )}
      {skippedCount > 0 && (
        <details>
          <summary className="cursor-pointer text-muted">{skippedCount} not imported</summary>
          <ul className="mt-1 max-h-40 overflow-y-auto text-13 text-muted">
            {skipped.map(({ place, title, reason }) => (
              <li key={`${place} ${title}`} className="truncate">
                {place}: {title} ({reason})
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
