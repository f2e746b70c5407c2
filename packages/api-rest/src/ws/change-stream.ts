import type { ChangeEvent, ChangeLog } from "@workspace/core";
import { encodeFrame, type ClientSocket } from "./client-socket.ts";

/** A change as it goes to every client. */
export interface EncodedChange {
  readonly seq: number;
  readonly frame: Buffer;
}

export function encodeChange(change: ChangeEvent): EncodedChange {
  return { seq: change.seq, frame: encodeFrame({ type: "resource_change", ...change }) };
}

/** The changes on their way to one client, each once and in order. */
export interface ChangeStream {
  /** Greets the client, and tells what it has missed since `afterSeq`; null where it knows nothing yet. */
  start(userId: string, afterSeq: number | null): Promise<void>;
  send(changes: readonly EncodedChange[]): void;
  /** Changes up to this number were not told one by one. */
  sendGap(lastSeq: number): void;
}

export function createChangeStream(socket: ClientSocket, changes: ChangeLog): ChangeStream {
  /** What happens while the past is read; null once the client is caught up. */
  let waiting: (() => void)[] | null = [];
  let toldSeq = 0;

  const inOrder = (send: () => void): void => {
    if (waiting === null) send();
    else waiting.push(send);
  };
  const sendAll = (encoded: readonly EncodedChange[]): void => {
    for (const { seq, frame } of encoded) {
      if (seq <= toldSeq) continue;
      socket.sendEncoded(frame);
      toldSeq = seq;
    }
  };
  const sendResync = (lastSeq: number): void => {
    socket.send({ type: "resync", lastSeq });
    toldSeq = lastSeq;
  };

  return {
    async start(userId, afterSeq) {
      // Everything later than this arrives through `send`.
      const { lastSeq } = changes;
      const missed = afterSeq === null ? [] : await changes.replay(afterSeq);
      toldSeq = afterSeq === null || missed === null ? lastSeq : afterSeq;
      socket.send({ type: "connected", userId, lastSeq: toldSeq });
      if (missed === null) sendResync(lastSeq);
      else sendAll(missed.map(encodeChange));
      const held = waiting ?? [];
      waiting = null;
      for (const send of held) send();
    },
    send: (encoded) => inOrder(() => sendAll(encoded)),
    sendGap: (lastSeq) => inOrder(() => lastSeq > toldSeq && sendResync(lastSeq)),
  };
}
