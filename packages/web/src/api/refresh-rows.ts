import type { Client } from "../client/client.ts";
import { toRequestError } from "./request-error.ts";
import { BULK_ID } from "../realtime/resource-changes.ts";
import type { ReadProgress } from "../realtime/read-progress.ts";
import type { Resource } from "../resources/resource-change.ts";

/** Rows that are read as a whole once, and then only so far as they have changed. */
interface RefreshedRows<Details> {
  readonly progress: ReadProgress<Details>;
  readonly resource: Resource;
  /** If one of these has changed, the rows show parts of it, and all are read. */
  readonly shown: readonly Resource[];
  /** With more changed rows than this, all are read instead. */
  readonly maxChanged: number;
  readAll(): Promise<Details>;
  /** Reads the current state of rows, of which some may be gone. */
  readSome(ids: readonly string[]): Promise<void>;
}

/** Brings rows up to date. */
export async function refreshRows<Details>(client: Client, rows: RefreshedRows<Details>): Promise<Details> {
  const { progress } = rows;
  const { details } = progress;
  if (details !== undefined && (await catchUp(client, rows))) return details;
  let seq = Infinity;
  // What a response includes may be less than what the next one does.
  const stop = client.socket.onData((lastSeq) => (seq = Math.min(seq, lastSeq)));
  const read = await rows.readAll().finally(stop);
  if (Number.isFinite(seq)) {
    progress.begin(String(seq), read);
    // If that fails, it is asked for with the next changes.
    await catchUp(client, rows).catch(() => false);
  }
  return read;
}

function isAway(error: unknown): boolean {
  return ["no-response", "signed-out"].includes(toRequestError(error).kind);
}

/** Returns false if the changes are not known, or too many to read one by one. */
async function catchUp<Details>(
  client: Client,
  { progress, resource, shown, maxChanged, readSome }: RefreshedRows<Details>,
): Promise<boolean> {
  const after = progress.position;
  if (after === undefined) return false;
  const { data } = await client.api.changes.since.query({ after, resources: [resource, ...shown] });
  const { changed, position } = data;
  if (changed === null || changed.length > maxChanged) return false;
  if (changed.some((change) => change.resource !== resource || change.resourceId === BULK_ID)) return false;
  try {
    await readSome(changed.map(({ resourceId }) => resourceId));
  } catch (error) {
    if (isAway(error)) throw error;
    // One that cannot be read by itself is read with all others.
    return false;
  }
  progress.reach(position);
  return true;
}
