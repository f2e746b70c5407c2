type Listener = () => void;
const listeners = new Set<Listener>();

/** Registers how to forget what was read in a session, for when that session ends. */
export function onForget(listener: Listener): void {
  listeners.add(listener);
}

/** Forgets everything that was read in the session that has just ended. */
export function forgetAll(): void {
  listeners.forEach((listener) => listener());
}
