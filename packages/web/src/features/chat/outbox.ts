import { newLocalId } from "../../api/local-id.ts";
import { clientPart } from "../../client/client-part.ts";
import type { Client } from "../../client/client.ts";
import { Store, useStore } from "../../client/store.ts";
import { useClient } from "../../client/use-client.ts";
import { drafts } from "../../drafts/draft.ts";
import type { Attachment } from "./attachments.ts";
import type { ModelChoice } from "./conversation-log.ts";
import type { Mention } from "./mentions.ts";

/** A message that the server has not accepted yet. */
export interface Outgoing {
  readonly requestId: string;
  readonly text: string;
  readonly mentions?: readonly Mention[];
  readonly attachments?: readonly Attachment[];
  /** Null for a message that starts a conversation, until that exists. */
  readonly conversationId: string | null;
  /** The last message before it, as far as was known when it was sent. */
  readonly afterMessageId: string | null;
  /** The message that it follows; null to begin once more, and undefined for the last one. */
  readonly parentId: string | null | undefined;
  /** The model for a conversation that it starts; null for that of the settings. */
  readonly model: ModelChoice | null;
  /** Whether it waits until the answer in progress is complete. */
  readonly isQueued: boolean;
  /** Why the server refused it; null while it is being sent. */
  readonly error: string | null;
}

/** The draft in which the messages are kept, so that a reload loses none, and that nobody else sends them. */
const DRAFT_KEY = "chat.outbox";

/** The messages that the server has not accepted yet. */
export const outbox = clientPart((client) => new Outbox(client));

export function useOutgoing(): readonly Outgoing[] {
  return useStore(outbox(useClient()).messages);
}

class Outbox {
  readonly messages: Store<readonly Outgoing[]>;
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
    this.messages = new Store(readOutgoing(client));
    client.socket.onOpen(() =>
      this.messages
        .get()
        .filter(({ error, isQueued }) => error === null && !isQueued)
        .forEach((message) => this.#transmit(message)),
    );
    client.socket.onFrame((frame) => {
      if (frame.type === "chat:session_created")
        this.#update(frame.requestId, { conversationId: frame.conversationId });
      if (frame.type === "chat:error" && frame.seq === null) this.#update(frame.requestId, { error: frame.message });
      if (frame.type !== "resource_change" || frame.resource !== "conversation") return;
      if (frame.action === "complete") this.#releaseNext(frame.resourceId);
      if (frame.action === "delete")
        this.#set(this.messages.get().filter(({ conversationId }) => conversationId !== frame.resourceId));
    });
  }

  /**
   * Sends a message, or keeps it until the answer in progress is complete. It waits while there is no connection. A message whose
   * acknowledgement was lost is sent again, and the server recognises it by its id.
   */
  send(sent: Omit<Outgoing, "requestId" | "error" | "isQueued">, { isQueued = false } = {}): void {
    const message: Outgoing = { ...sent, requestId: newLocalId(), isQueued, error: null };
    this.#set([...this.messages.get(), message]);
    if (!isQueued) this.#transmit(message);
  }

  /** Sends the first message that waits for an answer in a conversation, unless another one is being sent. */
  release(conversationId: string): void {
    const isSending = this.messages
      .get()
      .some((message) => message.conversationId === conversationId && !message.isQueued && message.error === null);
    if (!isSending) this.#releaseNext(conversationId);
  }

  /** The message has arrived or was discarded. */
  remove(requestId: string): void {
    this.#set(this.messages.get().filter((message) => message.requestId !== requestId));
  }

  #releaseNext(conversationId: string): void {
    const next = this.messages.get().find((message) => message.conversationId === conversationId && message.isQueued);
    if (next === undefined) return;
    this.#update(next.requestId, { isQueued: false });
    this.#transmit(next);
  }

  #set(messages: readonly Outgoing[]): void {
    this.messages.set(messages);
    drafts(this.#client).write(DRAFT_KEY, messages.length === 0 ? null : JSON.stringify(messages));
  }

  #transmit({ requestId, text, mentions = [], attachments = [], conversationId, parentId, model }: Outgoing): void {
    const branch = parentId === undefined ? {} : { afterMessageId: parentId };
    const message = { type: "chat:send", message: text, conversationId, requestId, model, ...branch } as const;
    this.#client.socket.send({
      ...message,
      mentions: mentions.map(({ kind, id }) => ({ kind, id })),
      attachments: attachments.map(({ id }) => id),
    });
  }

  #update(requestId: string | undefined, change: Partial<Outgoing>): void {
    const messages = this.messages.get();
    if (!messages.some((message) => message.requestId === requestId)) return;
    this.#set(messages.map((message) => (message.requestId === requestId ? { ...message, ...change } : message)));
  }
}

/** What an earlier visit has left. Other pages of this browser may send the same messages, with the same ids. */
function readOutgoing(client: Client): readonly Outgoing[] {
  try {
    const stored: unknown = JSON.parse(drafts(client).read(DRAFT_KEY) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isOutgoing) : [];
  } catch {
    return [];
  }
}

function isOutgoing(value: unknown): value is Outgoing {
  if (typeof value !== "object" || value === null) return false;
  const isText = (key: string) => key in value && typeof Reflect.get(value, key) === "string";
  return isText("requestId") && isText("text") && "isQueued" in value && "conversationId" in value;
}
