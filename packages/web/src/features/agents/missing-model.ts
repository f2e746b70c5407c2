import { useSyncExternalStore } from "react";
import type { RequestError } from "../../api/request-error.ts";

const UNAVAILABLE = 503;
const NO_MODEL = "No model is configured";

let problem: string | null = null;
const listeners = new Set<() => void>();

/** Remembers that the server refused a run because it has no model to ask, and not for want of anything else. */
export function tellMissingModel({ status, message }: RequestError): void {
  if (status === UNAVAILABLE && message.startsWith(NO_MODEL)) setProblem(message);
}

/** A run has begun, so there is a model by now. */
export function tellModel(): void {
  setProblem(null);
}

/** Why no agent can run on this server, in its own words; null as long as it has not refused one for that. */
export function useMissingModel(): string | null {
  return useSyncExternalStore(subscribe, () => problem);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function setProblem(next: string | null): void {
  problem = next;
  listeners.forEach((listener) => listener());
}
