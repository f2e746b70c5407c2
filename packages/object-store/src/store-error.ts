/** A store cannot be reached, or has refused a request. The message is a sentence for people. */
export class StoreError extends Error {
  override readonly name = "StoreError";
  /** What the store has responded; null if it has not. */
  readonly status: number | null;

  constructor(message: string, { status = null, cause }: { status?: number | null; cause?: unknown } = {}) {
    super(message, { cause });
    this.status = status;
  }
}
