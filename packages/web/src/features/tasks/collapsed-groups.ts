import { useCallback, useMemo } from "react";
import { parseStored, useStored } from "../../browser/stored-value.ts";
import { toggled } from "../../lists/choices.ts";
import { isTaskStatus, type TaskStatus } from "./task.ts";

/** The collapsed groups of the list, stored in this browser. */
export function useCollapsedGroups(): [ReadonlySet<TaskStatus>, (status: TaskStatus) => void] {
  const [stored, setStored] = useStored("tasks.collapsed");
  const collapsed = useMemo(() => parseStored(stored, toStatuses), [stored]);
  const toggle = useCallback(
    (status: TaskStatus) => setStored(JSON.stringify(toggled(collapsed, status))),
    [collapsed, setStored],
  );
  return [useMemo(() => new Set(collapsed), [collapsed]), toggle];
}

function toStatuses(value: unknown): readonly TaskStatus[] {
  return Array.isArray(value) ? value.filter(isTaskStatus) : [];
}
