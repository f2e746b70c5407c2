import { clientPart } from "../client/client-part.ts";
import type { Client } from "../client/client.ts";
import { Listeners } from "../client/listeners.ts";

/** Defines the progress of one kind of rows, which a client keeps until the session ends. */
export function progressPart<Details>(): (client: Client) => ReadProgress<Details> {
  return clientPart((client) => {
    const progress = new ReadProgress<Details>();
    client.onForget(() => progress.forget());
    return progress;
  });
}

/** Up to which change the loaded rows of a kind are known, and so from which on changes are to be asked for. */
export class ReadProgress<Details> {
  readonly #reached = new Listeners();
  #position: string | undefined;
  #details: Details | undefined;
  #readAt = 0;
  #inFlight = 0;
  #isBroken = false;

  /** Calls back when more is known. Returns a function that unsubscribes. */
  readonly onReached = this.#reached.add;

  /** A position in the server's log of changes; undefined until all rows have been read. */
  get position(): string | undefined {
    return this.#position;
  }

  /** What else is known of the rows. */
  get details(): Details | undefined {
    return this.#details;
  }

  /** When the server last said that the rows are current. */
  get readAt(): number {
    return this.#readAt;
  }

  /** Whether the rows are as of the position, apart from what is newer. */
  get isSettled(): boolean {
    return this.#position !== undefined && this.#inFlight === 0 && !this.#isBroken;
  }

  /** All rows have been read, or restored. */
  begin(position: string, details: Details, readAt = Date.now()): void {
    this.#position = position;
    this.#details = details;
    this.#readAt = readAt;
    this.#isBroken = false;
    this.#reached.emit();
  }

  /** All that has changed up to this position has been read. */
  reach(position: string): void {
    if (this.#position === undefined) return;
    if (numberOf(position) >= numberOf(this.#position)) this.#position = position;
    this.#readAt = Date.now();
    this.#isBroken = false;
    this.#reached.emit();
  }

  /** Reads what announced changes concern, of which the last is at this position. If that fails, it is read with the next request. */
  async follow(position: string, read: () => Promise<void>): Promise<void> {
    this.#inFlight += 1;
    try {
      await read();
    } catch {
      this.#isBroken = true;
    }
    this.#inFlight -= 1;
    if (this.isSettled) this.reach(position);
  }

  forget(): void {
    this.#position = undefined;
    this.#details = undefined;
    this.#readAt = 0;
  }
}

/** The position of a change, in the form that the server uses. */
export function positionOf({ seq, timestamp }: { readonly seq: number; readonly timestamp: string }): string {
  return `${seq}-${Date.parse(timestamp)}`;
}

function numberOf(position: string): number {
  return Number.parseInt(position, 10);
}
