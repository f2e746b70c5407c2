import type { AsyncLocalStorage } from "node:async_hooks";
import * as z from "zod";

const libraryGlobal = z.object({ context: z.record(z.string(), z.unknown()) });

let callsInProgress = 0;

/**
 * Runs a call of the authentication library and, when no other is in progress, switches its context tracking off again.
 *
 * The library keeps its contexts in AsyncLocalStorage, which on Node 20 hooks into every promise of the process from its
 * first use on, for good: a list of tasks costs a fifth more after the first sign-in. A storage that is disabled comes
 * back by itself with its next use. Where the library keeps its storages is its own affair; should they move, everything
 * works as before, only slower.
 */
export async function withContextTracking<Result>(call: () => Promise<Result>): Promise<Result> {
  callsInProgress += 1;
  try {
    return await call();
  } finally {
    callsInProgress -= 1;
    if (callsInProgress === 0) stopContextTracking();
  }
}

function stopContextTracking(): void {
  const found = libraryGlobal.safeParse(Reflect.get(globalThis, Symbol.for("better-auth:global")));
  for (const value of Object.values(found.data?.context ?? {})) if (isStorage(value)) value.disable();
}

function isStorage(value: unknown): value is AsyncLocalStorage<unknown> {
  return typeof value === "object" && value !== null && "disable" in value && typeof value.disable === "function";
}
