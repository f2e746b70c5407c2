import { useEffect, useState } from "react";
import { isOpen, type Task } from "./task.ts";

/** Timers cannot wait for much longer than three weeks. */
const MAX_WAIT_MS = 60 * 60 * 1000;

/** Whether a task is out of sight until later. */
export function isSnoozed(task: Task, now: number): boolean {
  return task.snoozedUntil !== null && isOpen(task) && Date.parse(task.snoozedUntil) > now;
}

const knownEnds = new WeakMap<ReadonlyMap<string, Task>, readonly number[]>();

/** When the tasks come back that were ever snoozed. Collected once for all that ask. */
function snoozeEnds(tasks: ReadonlyMap<string, Task>): readonly number[] {
  const known = knownEnds.get(tasks);
  if (known !== undefined) return known;
  const ends = new Set<number>();
  for (const { snoozedUntil } of tasks.values()) if (snoozedUntil !== null) ends.add(Date.parse(snoozedUntil));
  knownEnds.set(tasks, [...ends]);
  return [...ends];
}

/** The time as of which tasks are snoozed or not; it moves on when one of them comes back. */
export function useSnoozeTime(tasks: ReadonlyMap<string, Task>): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const next = Math.min(...snoozeEnds(tasks).filter((end) => end > now));
    if (next === Infinity) return undefined;
    const timer = setTimeout(() => setNow(Date.now()), Math.min(next - Date.now() + 50, MAX_WAIT_MS));
    return () => clearTimeout(timer);
  }, [tasks, now]);
  return now;
}
