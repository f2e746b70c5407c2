import { newLocalId } from "../../api/local-id.ts";
import { clientPart } from "../../client/client-part.ts";
import type { Client } from "../../client/client.ts";
import { Store, useStore } from "../../client/store.ts";
import { useClient } from "../../client/use-client.ts";

import type { ModelChoice } from "./conversation-log.ts";

/** A message that the server has not accepted yet. */
export interface Outgoing {
  readonly requestId: string;
  readonly text: string;
  /** Null for a message that starts a conversation, until that exists. */
  readonly conversationId: string | null;
  /** The last message before it, as far as was known when it was sent. */
  readonly afterMessageId: string | null;
  /** The message that it follows; null to begin once more, and undefined for the last one. */
  readonly parentId: string | null | undefined;
  /** The model for a conversation that it starts; null for that of the settings. */
  readonly model: ModelChoice | null;
  /** Why the server refused it; null while it is being sent. */
  readonly error: string | null;
}

/** The messages that the server has not accepted yet. */
export const outbox = clientPart((client) => new Outbox(client));

export function useOutgoing(): readonly Outgoing[] {
  return useStore(outbox(useClient()).messages);
}

class Outbox {
  readonly messages = new Store<readonly Outgoing[]>([]);
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
    client.socket.onOpen(() =>
      this.messages
        .get()
        .filter(({ error }) => error === null)
        .forEach((message) => this.#transmit(message)),
    );
    client.socket.onFrame((frame) => {
      if (frame.type === "chat:session_created")
        this.#update(frame.requestId, { conversationId: frame.conversationId });
      if (frame.type === "chat:error" && frame.seq === null) this.#update(frame.requestId, { error: frame.message });
    });
    client.onForget(() => this.messages.set([]));
  }

  /**
   * Sends a message. It waits while there is no connection. A message whose acknowledgement was lost is sent again, and the
   * server recognises it by its id.
   */
  send(sent: Pick<Outgoing, "text" | "conversationId" | "afterMessageId" | "parentId" | "model">): void {
    const message: Outgoing = { ...sent, requestId: newLocalId(), error: null };
    this.messages.set([...this.messages.get(), message]);
    this.#transmit(message);
  }

  /** The message has arrived or was discarded. */
  remove(requestId: string): void {
    this.messages.set(this.messages.get().filter((message) => message.requestId !== requestId));
  }

  #transmit({ requestId, text, conversationId, parentId, model }: Outgoing): void {
    const branch = parentId === undefined ? {} : { afterMessageId: parentId };
    this.#client.socket.send({ type: "chat:send", message: text, conversationId, requestId, model, ...branch });
  }

  #update(requestId: string | undefined, change: Partial<Outgoing>): void {
    const messages = this.messages.get();
    if (!messages.some((message) => message.requestId === requestId)) return;
    this.messages.set(
      messages.map((message) => (message.requestId === requestId ? { ...message, ...change } : message)),
    );
  }
}
