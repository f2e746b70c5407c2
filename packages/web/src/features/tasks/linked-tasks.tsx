import { useQuery } from "@tanstack/react-query";
import { useClient } from "../../client/use-client.ts";
import { useOpenTask } from "../shell/task-panel-url.ts";
import { StatusIcon } from "./status-icon.tsx";
import { linkedQuery, type LinkTarget } from "./task-links.ts";
import { STATUS_LABELS } from "./task.ts";

interface LinkedTasksProps {
  readonly kind: LinkTarget;
  readonly targetId: string;
  readonly className?: string;
}

/** The tasks that refer to a note, a session or a conversation. Nothing if there are none. */
export default function LinkedTasks({ kind, targetId, className = "" }: LinkedTasksProps) {
  const openTask = useOpenTask();
  const { data = [] } = useQuery(linkedQuery(useClient(), kind, targetId));
  if (data.length === 0) return null;
  return (
    <section aria-label="Tasks" className={className}>
      <h2 className="px-2 pb-1 text-12 font-medium text-muted">
        Tasks <span className="tabular">{data.length}</span>
      </h2>
      <ul>
        {data.map(({ id, title, status }) => (
          <li key={id}>
            <button
              type="button"
              className="flex min-h-9 w-full items-center gap-2 rounded-control px-2 py-1 text-left text-13 hover:bg-hover touch:min-h-12"
              onClick={() => openTask(id)}
            >
              <StatusIcon status={status} />
              <span className="sr-only">{STATUS_LABELS[status]}: </span>
              <span dir="auto" className={`min-w-0 truncate ${status === "done" ? "text-muted" : "text-strong"}`}>
                {title}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
