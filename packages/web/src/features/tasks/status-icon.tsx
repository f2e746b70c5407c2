import { STATUS_LABELS, type TaskStatus } from "./task.ts";

const COLORS: Readonly<Record<TaskStatus, string>> = {
  todo: "text-muted",
  in_progress: "text-warning",
  blocked: "text-danger",
  done: "text-success",
};

/** Shows a status by shape and colour: empty, half full, barred or ticked. */
export function StatusIcon({ status, hasName = false }: { readonly status: TaskStatus; readonly hasName?: boolean }) {
  return (
    <svg
      viewBox="0 0 16 16"
      width={16}
      height={16}
      fill="none"
      className={`shrink-0 ${COLORS[status]}`}
      {...(hasName ? { role: "img", "aria-label": STATUS_LABELS[status] } : { "aria-hidden": true })}
    >
      <Shape status={status} />
    </svg>
  );
}

function Shape({ status }: { status: TaskStatus }) {
  switch (status) {
    case "todo":
      return <circle cx="8" cy="8" r="6.25" stroke="currentColor" strokeWidth="1.5" />;
    case "in_progress":
      return (
        <>
          <circle cx="8" cy="8" r="6.25" stroke="currentColor" strokeWidth="1.5" />
          <path d="M8 4.4a3.6 3.6 0 0 1 0 7.2z" fill="currentColor" />
        </>
      );
    case "blocked":
      return (
        <>
          <circle cx="8" cy="8" r="6.25" stroke="currentColor" strokeWidth="1.5" />
          <path d="M5 8h6" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
        </>
      );
    case "done":
      return (
        <>
          <circle cx="8" cy="8" r="7" fill="currentColor" />
          <path
            d="m5 8.2 2.1 2.1L11 6.2"
            stroke="var(--surface)"
            strokeWidth="1.6"
            strokeLinecap="round"
            strokeLinejoin="round"
          />
        </>
      );
  }
}
