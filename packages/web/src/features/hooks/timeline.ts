import type { HookEvent } from "./hook-event.ts";

/** Merges events from several responses: each event once, newest first. */
export function mergeEvents(...responses: readonly (readonly HookEvent[])[]): HookEvent[] {
  const events = new Map(responses.flat().map((event) => [event.id, event]));
  return [...events.values()].toSorted(latestFirst);
}

/** Whether more has happened than one response could hold, so that events between the two responses are missing. */
export function hasGap(
  live: { readonly data: readonly HookEvent[]; readonly nextCursor?: string | undefined },
  newestKnown: string | undefined,
): boolean {
  const oldest = live.data.at(-1);
  if (live.nextCursor === undefined || oldest === undefined) return false;
  return newestKnown === undefined || oldest.createdAt > newestKnown;
}

/** The events from the held one on, and how many arrived after it. */
export function holdBack(
  events: readonly HookEvent[],
  heldId: string | null,
): { shown: readonly HookEvent[]; waiting: number } {
  const index = heldId === null ? 0 : events.findIndex((event) => event.id === heldId);
  return index <= 0 ? { shown: events, waiting: 0 } : { shown: events.slice(index), waiting: index };
}

function latestFirst(a: HookEvent, b: HookEvent): number {
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? 1 : -1;
  return a.id < b.id ? 1 : -1;
}
