import {
  getCurrentAuthContextAsyncLocalStorage,
  getCurrentDBAdapterAsyncLocalStorage,
  getRequestStateAsyncLocalStorage,
} from "@better-auth/core/context";

let callsInProgress = 0;

/**
 * Calls the authentication library and, when no other call is in progress, disables its context storages.
 *
 * They are AsyncLocalStorages, which before Node 24 hook into every promise of the process from their first use on: a list
 * of tasks takes a fifth longer after the first sign-in. A disabled storage re-enables itself on its next use.
 */
export async function withContextTracking<Result>(call: () => Promise<Result>): Promise<Result> {
  callsInProgress += 1;
  try {
    return await call();
  } finally {
    callsInProgress -= 1;
    await disableIdleStorages();
  }
}

async function disableIdleStorages(): Promise<void> {
  const storages = await Promise.all([
    getRequestStateAsyncLocalStorage(),
    getCurrentAuthContextAsyncLocalStorage(),
    getCurrentDBAdapterAsyncLocalStorage(),
  ]);
  // Another call may have begun meanwhile.
  if (callsInProgress > 0) return;
  for (const storage of storages) storage.disable();
}
