import { randomFillSync } from "node:crypto";
import { v7, validate } from "uuid";

const BYTES_PER_ID = 16;
/** Asking the system for randomness takes longer than all else about an id, so it is asked for many at once. */
const IDS_PER_FILL = 256;
const MAX_SEQUENCE = 0xffff_ffff;

/** Makes a new identifier: a UUID version 7, later ones sorting after earlier ones of the same process. */
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
    // Within a millisecond, and while the clock goes backwards, the sequence goes on.
    const isLater = now > msecs || seq === MAX_SEQUENCE;
    msecs = isLater ? Math.max(now, msecs + 1) : msecs;
    // It begins in the lower half, so that it is long before it is used up.
    seq = isLater ? random.readUInt32BE(6) >>> 1 : seq + 1;
    return v7({ random, msecs, seq });
  };
}

/** Whether a value can be an identifier at all; what is not one names nothing, so look-ups answer "not found". */
export function isUuid(value: string): boolean {
  return validate(value);
}
