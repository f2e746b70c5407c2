import { AlarmClock } from "lucide-react";
import { useMemo } from "react";
import { Button } from "../../components/button.tsx";
import { isSnoozed, useSnoozeTime } from "./snooze.ts";
import { useTasks } from "./task-collection.ts";
import type { TaskSearchState } from "./use-task-search.ts";

/** Shows what is snoozed instead of everything else. */
export default function SnoozedButton({ search: { filter, setFilter } }: { readonly search: TaskSearchState }) {
  const { tasks } = useTasks();
  const now = useSnoozeTime(tasks);
  const count = useMemo(() => [...tasks.values()].filter((task) => isSnoozed(task, now)).length, [tasks, now]);
  if (count === 0 && !filter.isSnoozed) return null;
  return (
    <Button
      size="small"
      tone="ghost"
      aria-pressed={filter.isSnoozed}
      icon={<AlarmClock aria-hidden size={14} />}
      className={filter.isSnoozed ? "bg-accent-soft text-strong" : ""}
      onClick={() => setFilter({ ...filter, isSnoozed: !filter.isSnoozed })}
    >
      Snoozed {count}
    </Button>
  );
}
