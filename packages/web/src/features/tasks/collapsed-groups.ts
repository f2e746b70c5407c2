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

const MAX_FOLDED = 500;

/** The tasks whose subtasks are hidden in the list, stored in this browser. */
export function useFoldedTasks(): [ReadonlySet<string>, (id: string, isFolded: boolean) => void] {
  const [stored, setStored] = useStored("tasks.folded");
  const folded = useMemo(() => parseStored(stored, toIds), [stored]);
  const fold = useCallback(
    (id: string, isFolded: boolean) => {
      const others = folded.filter((other) => other !== id);
      setStored(JSON.stringify(isFolded ? [...others, id].slice(-MAX_FOLDED) : others));
    },
    [folded, setStored],
  );
  return [useMemo(() => new Set(folded), [folded]), fold];
}

function toIds(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((id) => typeof id === "string") : [];
}
