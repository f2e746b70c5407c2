import { useSyncExternalStore } from "react";
import { todayOf, type Day } from "./day.ts";

const TICK_MS = 30_000;

/** The current time, updated every half minute and when the page becomes visible again. */
export function useNow(): Date {
  const tick = useSyncExternalStore(subscribe, currentTick);
  return new Date(tick * TICK_MS);
}

/** The current local calendar day. Re-renders after midnight, even if the device was asleep. */
export function useToday(): Day {
  return useSyncExternalStore(subscribe, () => todayOf(new Date()));
}

function currentTick(): number {
  return Math.ceil(Date.now() / TICK_MS);
}

function subscribe(listener: () => void): () => void {
  const timer = setInterval(listener, TICK_MS);
  document.addEventListener("visibilitychange", listener);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", listener);
  };
}
