/** Sends writes to the same row one after the other; writes to different rows do not wait for each other. */
export class WriteQueue {
  readonly #last = new Map<string, Promise<unknown>>();

  /**
   * Sends a write once all earlier ones to any of these rows have settled; failures are reported to their own callers. Later
   * writes to the rows wait for it.
   */
  async add<Result>(rowIds: readonly string[], write: () => Promise<Result>): Promise<Result> {
    const earlier = rowIds.flatMap((rowId) => this.#last.get(rowId) ?? []);
    const current = earlier.length === 0 ? write() : Promise.allSettled(earlier).then(write);
    for (const rowId of rowIds) this.#last.set(rowId, current);
    try {
      return await current;
    } finally {
      for (const rowId of rowIds) if (this.#last.get(rowId) === current) this.#last.delete(rowId);
    }
  }
}
