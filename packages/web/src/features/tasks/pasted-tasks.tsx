import { useEffect, useMemo, useRef, useState } from "react";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { toasts } from "../../components/toast.ts";
import { CapturedChips } from "./captured-chips.tsx";
import type { NewTaskForm } from "./new-task-draft.ts";
import { linesOf, MAX_LINES } from "./pasted-lines.ts";
import { StatusIcon } from "./status-icon.tsx";
import { createTasks } from "./task-creation.ts";
import { tasksIn } from "./task-import.ts";

interface PastedTasksProps {
  readonly text: string;
  readonly form: NewTaskForm;
  /** Takes the lines as one title. */
  readonly onJoin: (title: string) => void;
  readonly onClose: () => void;
}

const INDENT_REM = 1.25;

/** Offers to create a task from each pasted line, and shows what was understood of it. */
export default function PastedTasks({ text, form, onJoin, onClose }: PastedTasksProps) {
  const client = useClient();
  const lines = useMemo(() => linesOf(text), [text]);
  /** Words that stay in the titles, by line. */
  const [refused, setRefused] = useState<ReadonlyMap<number, readonly string[]>>(new Map());
  const addRef = useRef<HTMLButtonElement>(null);
  useEffect(() => addRef.current?.focus(), []);
  const rows = lines.map((line, index) => ({ ...line, ...form.read(line.text, refused.get(index) ?? []) }));
  const isCut = lines.length === MAX_LINES;

  const create = () => {
    const outline = rows.map(({ input, isDone, depth }) => ({
      input: isDone ? { ...input, status: "done" as const } : input,
      depth,
    }));
    onClose();
    void createTasks(client, outline).then(() => toasts(client).show({ message: `Created ${tasksIn(rows.length)}` }));
  };
  return (
    <section
      aria-label="Pasted tasks"
      className="flex basis-full flex-col gap-2 pb-3"
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        onClose();
      }}
    >
      <ul className="max-h-72 overflow-y-auto rounded-panel border border-border bg-surface">
        {rows.map(({ input, isDone, depth, parts }, index) => (
          <li
            // oxlint-disable-next-line react/no-array-index-key -- Lines may be equal, and keep their places.
            key={index}
            className="flex flex-wrap items-center gap-x-2 gap-y-1 border-b border-border px-3 py-1.5 last:border-b-0"
            style={{ paddingLeft: `${0.75 + depth * INDENT_REM}rem` }}
          >
            <StatusIcon status={isDone ? "done" : (input.status ?? "todo")} hasName />
            <span className="min-w-32 flex-1 truncate text-strong">{input.title}</span>
            <CapturedChips
              form={{
                parts,
                refuse: (part) =>
                  setRefused((before) => new Map(before).set(index, [...(before.get(index) ?? []), part.text])),
              }}
            />
          </li>
        ))}
      </ul>
      {isCut && (
        <p className="text-13 text-muted">
          These are the first {MAX_LINES} lines. “Import tasks” (Ctrl+K) takes a longer list from a file.
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button ref={addRef} size="small" tone="accent" onClick={create}>
          Add {tasksIn(rows.length)}
        </Button>
        <Button
          size="small"
          tone="ghost"
          onClick={() =>
            onJoin(
              lines
                .map((line) => line.text)
                .join(" ")
                .slice(0, 500),
            )
          }
        >
          Use as one title
        </Button>
        <Button size="small" tone="ghost" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </section>
  );
}
