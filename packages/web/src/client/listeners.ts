type Listener<Event> = (event: Event) => void;

/** A set of callbacks for one kind of event. */
export class Listeners<Event = void> {
  readonly #listeners = new Set<Listener<Event>>();

  /** Returns a function that unsubscribes. */
  readonly add = (listener: Listener<Event>): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly emit = (event: Event): void => {
    this.#listeners.forEach((listener) => listener(event));
  };
}
