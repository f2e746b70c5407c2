import type { Client } from "../../../client/client.ts";

/** A person who has done nothing for so long is probably reading. */
const AFTER_INPUT_MS = 2_000;
/** How often it is looked whether what is paused can continue. */
const LOOK_MS = 1_000;
const INPUTS = ["keydown", "pointerdown", "pointermove", "wheel", "touchmove"];
const SLOW = ["slow-2g", "2g", "3g"];

declare global {
  /** What only browsers that know something about the network have. */
  interface NetworkInformation {
    readonly effectiveType?: string;
    readonly type?: string;
  }
}

/** When there is nothing better to do for the browser, the network and the server than to read ahead. */
export class IdleTimes {
  readonly #client: Client;
  #inputAt = performance.now();

  constructor(client: Client, signal: AbortSignal) {
    this.#client = client;
    const onInput = () => (this.#inputAt = performance.now());
    for (const input of INPUTS) window.addEventListener(input, onInput, { signal, passive: true, capture: true });
  }

  /** Resolves at the next such time, or when the signal is aborted, and then with false. */
  async next(signal: AbortSignal): Promise<boolean> {
    while (!signal.aborted && !this.#isIdle()) await sleep(LOOK_MS, signal);
    await untilIdle();
    return !signal.aborted;
  }

  #isIdle(): boolean {
    const { connection, queries } = this.#client;
    if (connection.get() !== "online" || isMetered(navigator.connection)) return false;
    return queries.isFetching() === 0 && performance.now() - this.#inputAt >= AFTER_INPUT_MS;
  }
}

/** Whether the user pays for what is read, has asked to save data, or would wait for it. */
export function isMetered(connection: NetworkInformation | undefined): boolean {
  if (connection === undefined) return false;
  const { saveData, type, effectiveType = "" } = connection;
  return saveData === true || type === "cellular" || SLOW.includes(effectiveType);
}

/** Resolves after a while, or when the signal is aborted. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
  });
}

function untilIdle(): Promise<unknown> {
  return new Promise((resolve) => {
    if ("requestIdleCallback" in window) requestIdleCallback(resolve, { timeout: LOOK_MS });
    else setTimeout(resolve);
  });
}
