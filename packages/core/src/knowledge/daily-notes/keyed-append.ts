import { createHash } from "node:crypto";
import type { Deps } from "../../platform/deps.ts";
import { ConflictError } from "../../platform/errors.ts";
import { createKeyedLimit } from "../../platform/keyed-limit.ts";
import { hashContent } from "../vault/content-hash.ts";
import {
  claimAppend,
  deleteAppendsBefore,
  endAppend,
  hasHadContent,
  intendAppend,
  selectAppend,
  type AppendKey,
} from "./daily-note.queries.ts";

const KEPT_MS = 30 * 24 * 60 * 60_000;
/** After this, a call that has not ended counts as dead. */
const CLAIM_MS = 60_000;

/** An addition to a note. `write` must call `beforeWrite` with each content that the note is about to get. */
export interface KeyedAppend<Result> {
  readonly path: string;
  readonly text: string;
  write(beforeWrite: (content: string) => Promise<void>): Promise<Result>;
}

/**
 * Creates the function that makes additions once for each key, however often they are asked for, by several processes at once, and even if
 * one dies in between: the content that the note is about to get is recorded before it is written, and looked for in the note and its
 * versions by the next call. Returns null for a repeated call. Throws {@link ConflictError} if the key was used for another text, or if a
 * call with it has not ended yet.
 */
export function createKeyedAppend({ db, clock }: Deps<"db" | "clock">) {
  const oneAtATime = createKeyedLimit();

  async function refuseOrRepeat(by: AppendKey, textHash: string): Promise<null> {
    const known = await selectAppend(db.pool, by);
    if (known?.textHash !== textHash) throw new ConflictError("This key has been used for another text.");
    if (!known.isDone) throw new ConflictError("A call with this key has not ended yet. Try again in a minute.");
    return null;
  }

  async function append<Result>(by: AppendKey, { path, text, write }: KeyedAppend<Result>): Promise<Result | null> {
    const now = clock.now();
    const until = new Date(now.getTime() + CLAIM_MS);
    const textHash = createHash("sha256").update(text).digest("hex");
    await deleteAppendsBefore(db.pool, new Date(now.getTime() - KEPT_MS));
    const claim = await claimAppend(db.pool, by, { path, textHash, now, until });
    if (claim === null) return refuseOrRepeat(by, textHash);
    let isDone = false;
    try {
      const isWritten = claim.afterHash !== null && (await hasHadContent(db.pool, claim.path, claim.afterHash));
      const result = isWritten ? null : await write((content) => intend(by, { until, path, content }));
      isDone = true;
      return result;
    } finally {
      await endAppend(db.pool, by, { until, now: clock.now(), isDone });
    }
  }

  async function intend(by: AppendKey, { until, path, content }: { until: Date; path: string; content: string }) {
    const afterHash = await hashContent(Buffer.from(content));
    const isMine = await intendAppend(db.pool, by, { until, path, afterHash });
    if (!isMine) throw new ConflictError("Another call with this key has taken over.");
  }

  return <Result>(by: AppendKey, addition: KeyedAppend<Result>): Promise<Result | null> =>
    oneAtATime(`${by.userId} ${by.key}`, () => append(by, addition));
}
