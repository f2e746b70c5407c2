/** A place in the change log. */
export interface ChangePosition {
  readonly seq: number;
  /** When that change was made, in milliseconds; undefined if only its number is known. */
  readonly atMs?: number;
}

/**
 * The position after a change, as clients keep it. It names the change's time, too: a log that was replaced, for example by restoring
 * a backup, may have come to the same number by another way.
 */
export function formatPosition({ seq, atMs }: ChangePosition): string {
  return atMs === undefined ? String(seq) : `${seq}-${atMs}`;
}

/** Expects what the schema of positions accepts. */
export function parsePosition(text: string): ChangePosition {
  const [seq = "", atMs] = text.split("-");
  return { seq: Number(seq), ...(atMs !== undefined && { atMs: Number(atMs) }) };
}
