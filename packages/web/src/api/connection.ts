/** `offline`: this device has no network. `unreachable`: it has, but the server does not answer. */
export type ConnectionState = "online" | "offline" | "unreachable";

const PROBE_INTERVAL_MS = 4_000;
const PROBE_URL = "/api/health";

let state: ConnectionState = navigator.onLine ? "online" : "offline";
let probeTimer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<(state: ConnectionState) => void>();

export function getConnectionState(): ConnectionState {
  return state;
}

/** Calls back on every change of state. Answers how to stop. */
export function subscribeToConnection(listener: (state: ConnectionState) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** An answer came: whatever was assumed before, the server is there. */
export function reportAnswer(): void {
  setState("online");
}

/** A request got no answer at all. From now on the server is asked every few seconds until it answers. */
export function reportNoAnswer(): void {
  setState(navigator.onLine ? "unreachable" : "offline");
}

window.addEventListener("online", () => void probe());
window.addEventListener("offline", () => setState("offline"));

function setState(next: ConnectionState): void {
  clearTimeout(probeTimer);
  if (next === "unreachable") probeTimer = setTimeout(() => void probe(), PROBE_INTERVAL_MS);
  if (state === next) return;
  state = next;
  listeners.forEach((listener) => listener(state));
}

async function probe(): Promise<void> {
  try {
    await fetch(PROBE_URL, { cache: "no-store" });
    reportAnswer();
  } catch {
    reportNoAnswer();
  }
}
