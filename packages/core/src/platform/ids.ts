import { randomFillSync } from "node:crypto";
import { v7, validate } from "uuid";

const BYTES_PER_ID = 16;
/** Reading randomness from the system is the most expensive part of an id, so it is read for many at once. */
const IDS_PER_FILL = 256;
const MAX_SEQUENCE = 0xffff_ffff;

/** Generates an identifier: a UUID version 7. Within a process, later ids sort after earlier ones. */
export type IdGenerator = () => string;

export const uuidV7: IdGenerator = createUuidV7();

function createUuidV7(): IdGenerator {
  const randomness = Buffer.alloc(BYTES_PER_ID * IDS_PER_FILL);
  let used = randomness.length;
  let msecs = 0;
  let seq = 0;

  const nextRandom = (): Buffer => {
    if (used === randomness.length) {
      randomFillSync(randomness);
      used = 0;
    }
    used += BYTES_PER_ID;
    return randomness.subarray(used - BYTES_PER_ID, used);
  };

  return () => {
    const random = nextRandom();
    const now = Date.now();
    // Within one millisecond, or after the clock has been set back, only the sequence advances.
    const isLater = now > msecs || seq === MAX_SEQUENCE;
    msecs = isLater ? Math.max(now, msecs + 1) : msecs;
    // Starts in the lower half, to leave room for many ids.
    seq = isLater ? random.readUInt32BE(6) >>> 1 : seq + 1;
    return v7({ random, msecs, seq });
  };
}

/** Whether a value is a well-formed identifier; lookups by anything else result in "not found". */
export function isUuid(value: string): boolean {
  return validate(value);
}
