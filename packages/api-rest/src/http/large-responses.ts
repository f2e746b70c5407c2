import type { IncomingMessage, ServerResponse } from "node:http";
import { OverloadedError, type HasRoom } from "@workspace/core";

export interface LargeResponseLimits {
  /** How many bytes of large responses may be in memory at a time. A single one is sent whatever its size. */
  readonly maxBytes: number;
  /** How many of them for one address; again, a single one is sent. */
  readonly maxBytesPerAddress: number;
  /** The key by which a client is counted; null for one that may use all of the memory. */
  readonly addressOf: (req: IncomingMessage) => string | null;
}

/** Smaller responses, and smaller pieces written at once, are not counted. */
export const SMALLEST_LARGE_RESPONSE = 64 * 1024;

/** Accounts for the large responses that are in memory until their clients have read them. */
export interface LargeResponses {
  readonly hasRoom: HasRoom;
  /**
   * Counts a response of this size until it is closed; a second call for the same response replaces the first count.
   * Returns whether the client is still connected. Throws {@link OverloadedError} if there is no room.
   */
  hold(res: ServerResponse, bytes: number): boolean;
}

interface Held {
  readonly address: string | null;
  bytes: number;
}

export function createLargeResponses({ maxBytes, maxBytesPerAddress, addressOf }: LargeResponseLimits): LargeResponses {
  const held = new Map<ServerResponse, Held>();
  const perAddress = new Map<string, number>();
  let total = 0;

  function add(entry: Held, bytes: number): void {
    total += bytes;
    entry.bytes += bytes;
    if (entry.address === null) return;
    const sum = (perAddress.get(entry.address) ?? 0) + bytes;
    if (sum === 0) perAddress.delete(entry.address);
    else perAddress.set(entry.address, sum);
  }

  function start(res: ServerResponse): Held {
    const entry = { address: addressOf(res.req), bytes: 0 };
    held.set(res, entry);
    res.once("close", () => {
      add(entry, -entry.bytes);
      held.delete(res);
    });
    return entry;
  }

  return {
    hasRoom: (bytes) => isRoom(total, bytes, maxBytes),

    hold(res, bytes) {
      if (res.closed) return false;
      const entry = held.get(res) ?? start(res);
      const ofAddress = entry.address === null ? 0 : (perAddress.get(entry.address) ?? 0) - entry.bytes;
      if (!isRoom(total - entry.bytes, bytes, maxBytes) || !isRoom(ofAddress, bytes, maxBytesPerAddress)) {
        add(entry, -entry.bytes);
        throw new OverloadedError("Too many large responses are waiting to be read. Try again in a moment.");
      }
      add(entry, bytes - entry.bytes);
      return true;
    },
  };
}

function isRoom(used: number, bytes: number, max: number): boolean {
  return used === 0 || used + bytes <= max;
}
