import type { HookSession } from "./use-hook-session.ts";

type GivenMemory = HookSession["given"][number];

/** What a session was given on one occasion, such as with a prompt. */
export interface Occasion extends Pick<GivenMemory, "reason" | "subject" | "givenAt" | "tokens"> {
  readonly memories: readonly GivenMemory[];
}

/** What a session was given, in that order, by occasion. */
export function byOccasion(given: readonly GivenMemory[]): Occasion[] {
  const occasions = new Map<string, Occasion>();
  for (const memory of given) {
    const { reason, subject, givenAt, tokens } = memory;
    const key = JSON.stringify([reason, subject, givenAt]);
    const memories = [...(occasions.get(key)?.memories ?? []), memory];
    occasions.set(key, { reason, subject, givenAt, tokens, memories });
  }
  return [...occasions.values()];
}
