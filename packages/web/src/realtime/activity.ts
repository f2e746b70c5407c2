import { useSyncExternalStore } from "react";
import { onForget } from "../api/forget.ts";
import { addToActivity } from "./activity-list.ts";
import type { ResourceChange } from "./resource-changes.ts";
import { onFrame } from "./socket.ts";

let activity: readonly ResourceChange[] = [];
const listeners = new Set<() => void>();

/** What was changed since the page was opened, by whomever, latest first. */
export function useActivity(): readonly ResourceChange[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => activity,
  );
}

/** Begins to keep what happens. Answers how to stop. */
export function followActivity(): () => void {
  return onFrame((frame) => {
    if (frame.type === "resource_change") set(addToActivity(activity, frame));
  });
}

function set(next: readonly ResourceChange[]): void {
  activity = next;
  listeners.forEach((listener) => listener());
}

onForget(() => set([]));
