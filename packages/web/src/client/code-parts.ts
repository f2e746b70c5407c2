import { toRequestError } from "../api/request-error.ts";
import { atBase } from "../browser/base-path.ts";

/** Loads every part of the code that is loaded on first use, so far as the parts are known to the code that is loaded. */
const loads: (() => Promise<unknown>)[] = [];

/** Has a part of the code loaded ahead; `load` rejects if that fails. */
export function loadLater(load: () => Promise<unknown>): void {
  loads.push(load);
}

declare global {
  /** What only browsers that can save data have. */
  interface Navigator {
    readonly connection?: NetworkInformation;
  }
  interface NetworkInformation {
    readonly saveData?: boolean;
  }
}

/**
 * Loads all parts, one after the other while the browser is idle, so that they open even if the server is away by then. Returns
 * false without having loaded any for users who have told their browser to save data.
 */
export async function loadCodeAhead(): Promise<boolean> {
  if (navigator.connection?.saveData === true) return false;
  // Loading a part may make others known.
  for (const load of loads) {
    await new Promise((resolve) => {
      if ("requestIdleCallback" in window) requestIdleCallback(resolve);
      else setTimeout(resolve, 100);
    });
    await load();
  }
  return true;
}

/**
 * Loads code. Rejects with a RequestError if the server does not respond as it should: only if it does can the code be missing
 * because of an upgrade.
 */
export async function loadCode<Code>(load: () => Promise<Code>): Promise<Code> {
  try {
    return await load();
  } catch (error) {
    const health = await fetch(atBase("/api/health"), { cache: "no-store" }).catch(() => null);
    throw health?.ok === true ? error : toRequestError(error);
  }
}
