import type { IncomingMessage, ServerResponse } from "node:http";
import { OverloadedError, type HasRoom } from "@workspace/core";

export interface LargeAnswerLimits {
  /** How many bytes of large answers may be in memory at a time. A single one is sent whatever its length. */
  readonly maxBytes: number;
  /** How many of them for one address; again, a single one is sent. */
  readonly maxBytesPerAddress: number;
  /** By what a client is told from others; null for one that may take all of it. */
  readonly addressOf: (req: IncomingMessage) => string | null;
}

/** What is shorter counts for nothing: an answer, or a part of one that is written at once. */
export const SMALLEST_LARGE_ANSWER = 64 * 1024;

/** Accounts for the large answers that are in memory until their clients have read them. */
export interface LargeAnswers {
  readonly hasRoom: HasRoom;
  /**
   * Counts an answer of so many bytes until its response is closed; a second call for the same response replaces the first
   * one's count. Answers whether the client is still there. Throws {@link OverloadedError} where there is no room.
   */
  hold(res: ServerResponse, bytes: number): boolean;
}

interface Held {
  readonly address: string | null;
  bytes: number;
}

export function createLargeAnswers({ maxBytes, maxBytesPerAddress, addressOf }: LargeAnswerLimits): LargeAnswers {
  const held = new Map<ServerResponse, Held>();
  const perAddress = new Map<string, number>();
  let total = 0;

  function add(answer: Held, bytes: number): void {
    total += bytes;
    answer.bytes += bytes;
    if (answer.address === null) return;
    const sum = (perAddress.get(answer.address) ?? 0) + bytes;
    if (sum === 0) perAddress.delete(answer.address);
    else perAddress.set(answer.address, sum);
  }

  function start(res: ServerResponse): Held {
    const answer = { address: addressOf(res.req), bytes: 0 };
    held.set(res, answer);
    res.once("close", () => {
      add(answer, -answer.bytes);
      held.delete(res);
    });
    return answer;
  }

  return {
    hasRoom: (bytes) => isRoom(total, bytes, maxBytes),

    hold(res, bytes) {
      if (res.closed) return false;
      const answer = held.get(res) ?? start(res);
      const ofAddress = answer.address === null ? 0 : (perAddress.get(answer.address) ?? 0) - answer.bytes;
      if (!isRoom(total - answer.bytes, bytes, maxBytes) || !isRoom(ofAddress, bytes, maxBytesPerAddress)) {
        add(answer, -answer.bytes);
        throw new OverloadedError("Too many large answers wait to be read. Try again in a moment.");
      }
      add(answer, bytes - answer.bytes);
      return true;
    },
  };
}

function isRoom(used: number, bytes: number, max: number): boolean {
  return used === 0 || used + bytes <= max;
}
