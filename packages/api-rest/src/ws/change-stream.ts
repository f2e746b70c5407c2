import type { ChangeEvent, ChangeLog } from "@workspace/core";
import { encodeFrame, type ClientSocket } from "./client-socket.ts";

/** A change as it is sent to every client. */
export interface EncodedChange {
  readonly seq: number;
  readonly frame: Buffer;
}

export function encodeChange(change: ChangeEvent): EncodedChange {
  return { seq: change.seq, frame: encodeFrame({ type: "resource_change", ...change }) };
}

/** Sends changes to one client, each once and in order. */
export interface ChangeStream {
  /** Sends `connected` and the changes missed since `afterSeq`, which is null if the client has no data yet. */
  start(userId: string, afterSeq: number | null): Promise<void>;
  send(changes: readonly EncodedChange[]): void;
  /** Reports that changes up to this number are not sent individually. */
  sendGap(lastSeq: number): void;
}

export function createChangeStream(socket: ClientSocket, changes: ChangeLog): ChangeStream {
  /** What is to be sent once the missed changes have been read; null after that. */
  let pending: (() => void)[] | null = [];
  let sentSeq = 0;

  const inOrder = (send: () => void): void => {
    if (pending === null) send();
    else pending.push(send);
  };
  const sendAll = (encoded: readonly EncodedChange[]): void => {
    for (const { seq, frame } of encoded) {
      if (seq <= sentSeq) continue;
      socket.sendEncoded(frame);
      sentSeq = seq;
    }
  };
  const sendResync = (lastSeq: number): void => {
    socket.send({ type: "resync", lastSeq });
    sentSeq = lastSeq;
  };

  return {
    async start(userId, afterSeq) {
      // Everything later than this arrives through `send`.
      const { lastSeq } = changes;
      const missed = afterSeq === null ? [] : await changes.replay(afterSeq);
      sentSeq = afterSeq === null || missed === null ? lastSeq : afterSeq;
      socket.send({ type: "connected", userId, lastSeq: sentSeq });
      if (missed === null) sendResync(lastSeq);
      else sendAll(missed.map(encodeChange));
      const sends = pending ?? [];
      pending = null;
      for (const send of sends) send();
    },
    send: (encoded) => inOrder(() => sendAll(encoded)),
    sendGap: (lastSeq) => inOrder(() => lastSeq > sentSeq && sendResync(lastSeq)),
  };
}
