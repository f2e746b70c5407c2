import type { ServerResponse } from "node:http";
import { OverloadedError } from "@workspace/core";

export interface LargeBodyLimits {
  /** How many bytes of large bodies may be in memory at a time. A single one is read whatever its size. */
  readonly maxBytes: number;
  /** For how long a request may wait for memory that others are using. */
  readonly maxWaitMs: number;
}

/** Accounts for the large bodies that are in memory, from before they are read until their requests have been answered. */
export interface LargeBodies {
  /**
   * Waits, behind those that came before, until there is room for the body of this response's request. Throws
   * {@link OverloadedError} after the longest wait, with nothing read. A second call for the same response tells how large
   * the body turned out to be, and waits for nothing.
   */
  hold(res: ServerResponse, bytes: number): Promise<void>;
}

/** Smaller bodies are read at once, and not counted. */
export const SMALLEST_LARGE_BODY = 1024 * 1024;

interface Waiting {
  readonly res: ServerResponse;
  readonly bytes: number;
  readonly admit: () => void;
}

export function createLargeBodies({ maxBytes, maxWaitMs }: LargeBodyLimits): LargeBodies {
  const queue = new Set<Waiting>();
  const held = new Map<ServerResponse, number>();
  let total = 0;

  function hasRoom(bytes: number): boolean {
    return total === 0 || total + bytes <= maxBytes;
  }

  function count(res: ServerResponse, bytes: number): void {
    total += bytes - (held.get(res) ?? 0);
    held.set(res, bytes);
  }

  function take(res: ServerResponse, bytes: number): void {
    // Reading the body of a request whose client has gone fails by itself.
    if (res.closed) return;
    count(res, bytes);
    res.once("close", () => {
      count(res, 0);
      held.delete(res);
      admitNext();
    });
  }

  function admitNext(): void {
    for (const waiting of queue) {
      if (!hasRoom(waiting.bytes)) return;
      queue.delete(waiting);
      take(waiting.res, waiting.bytes);
      waiting.admit();
    }
  }

  function wait(res: ServerResponse, bytes: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting = { res, bytes, admit: () => (clearTimeout(timer), resolve()) };
      const timer = setTimeout(() => {
        queue.delete(waiting);
        reject(new OverloadedError("Too many large requests are being handled. Try again in a moment."));
        // Those behind may need less.
        admitNext();
      }, maxWaitMs);
      queue.add(waiting);
    });
  }

  return {
    async hold(res, bytes) {
      if (held.has(res)) {
        count(res, bytes);
        admitNext();
      } else if (bytes < SMALLEST_LARGE_BODY) return;
      else if (queue.size > 0 || !hasRoom(bytes)) await wait(res, bytes);
      else take(res, bytes);
    },
  };
}
