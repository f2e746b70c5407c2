import { useSyncExternalStore } from "react";
import { Listeners } from "./listeners.ts";

/** A value that changes over time; components follow it with {@link useStore}. */
export class Store<Value> {
  readonly #listeners = new Listeners<Value>();
  #value: Value;

  constructor(value: Value) {
    this.#value = value;
  }

  readonly get = (): Value => this.#value;

  /** Calls back after each change. Returns a function that unsubscribes. */
  readonly subscribe = (listener: (value: Value) => void): (() => void) => this.#listeners.add(listener);

  set(value: Value): void {
    if (value === this.#value) return;
    this.#value = value;
    this.#listeners.emit(value);
  }
}

/** The value of a store; re-renders when it changes. */
export function useStore<Value>(store: Pick<Store<Value>, "get" | "subscribe">): Value {
  return useSyncExternalStore(store.subscribe, store.get);
}
