import { atBase } from "../browser/base-path.ts";
import { Store } from "../client/store.ts";

/** `offline`: this device has no network. `unreachable`: it has one, but the server does not respond. */
export type ConnectionState = "online" | "offline" | "unreachable";

const PROBE_INTERVAL_MS = 4_000;
const PROBE_URL = "/api/health";

/** Whether the server can be reached, judging by its responses and the browser's network state. */
export class Connection {
  readonly #state = new Store<ConnectionState>(navigator.onLine ? "online" : "offline");
  readonly #disposed = new AbortController();
  #probeTimer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    const { signal } = this.#disposed;
    window.addEventListener("online", () => void this.#probe(), { signal });
    window.addEventListener("offline", () => this.#setState("offline"), { signal });
  }

  readonly get = (): ConnectionState => this.#state.get();

  /** Calls the listener after every change of state. Returns a function that unsubscribes it. */
  readonly subscribe = (listener: (state: ConnectionState) => void): (() => void) => this.#state.subscribe(listener);

  /** A response arrived, so the server is reachable. */
  reportResponse(): void {
    this.#setState("online");
  }

  /** A request got no response at all. From now on the server is polled every few seconds until it responds. */
  reportNoResponse(): void {
    this.#setState(navigator.onLine ? "unreachable" : "offline");
  }

  dispose(): void {
    this.#disposed.abort();
    clearTimeout(this.#probeTimer);
  }

  #setState(next: ConnectionState): void {
    clearTimeout(this.#probeTimer);
    if (this.#disposed.signal.aborted) return;
    if (next === "unreachable") this.#probeTimer = setTimeout(() => void this.#probe(), PROBE_INTERVAL_MS);
    this.#state.set(next);
  }

  async #probe(): Promise<void> {
    try {
      await fetch(atBase(PROBE_URL), { cache: "no-store" });
      this.reportResponse();
    } catch {
      this.reportNoResponse();
    }
  }
}
