import { newLocalId } from "../api/local-id.ts";
import { nameAtBase } from "../browser/base-path.ts";
import { clientPart } from "../client/client-part.ts";

const PREFIX = nameAtBase("workspace.page.");
const CHANNEL = nameAtBase("workspace.pages");
const REPLY_TIMEOUT_MS = 300;

/** This page among all pages that are open in this browser. */
export const openPages = clientPart((client) => {
  const pages = new OpenPages();
  client.onDispose(() => pages.dispose());
  return pages;
});

/**
 * Tracks which pages are open in this browser, this one included, so that no page takes over a draft still in use in
 * another.
 */
export class OpenPages {
  /** Identifies this page; every load of it gets a new id. */
  readonly ownId = newLocalId();
  readonly #disposed = new AbortController();

  constructor() {
    if (!canLock()) {
      this.#replyToOthers();
      return;
    }
    this.#holdLock();
    window.addEventListener("pageshow", ({ persisted }) => persisted && this.#holdLock(), {
      signal: this.#disposed.signal,
    });
  }

  async all(): Promise<ReadonlySet<string>> {
    const others = canLock() ? await queryPagesByLocks() : await queryPagesByChannel();
    return new Set([this.ownId, ...others]);
  }

  dispose(): void {
    this.#disposed.abort();
  }

  #replyToOthers(): void {
    const channel = new BroadcastChannel(CHANNEL);
    channel.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin
      if (data === null) channel.postMessage(this.ownId);
    });
    this.#disposed.signal.addEventListener("abort", () => channel.close());
  }

  /** Holds a lock until the page unloads, so that the page that replaces it sees it as closed. */
  #holdLock(): void {
    const unloaded = new Promise<void>((resolve) => {
      window.addEventListener("pagehide", () => resolve(), { once: true });
      this.#disposed.signal.addEventListener("abort", () => resolve());
    });
    void navigator.locks.request(PREFIX + this.ownId, () => unloaded);
  }
}

/** Browsers offer locks on secure origins only; the service may be opened over plain http on a home network. */
function canLock(): boolean {
  return "locks" in navigator;
}

async function queryPagesByLocks(): Promise<string[]> {
  const { held = [] } = await navigator.locks.query();
  return held.flatMap(({ name = "" }) => (name.startsWith(PREFIX) ? [name.slice(PREFIX.length)] : []));
}

/** Asks the other pages. One that is frozen does not answer. */
function queryPagesByChannel(): Promise<string[]> {
  const pages: string[] = [];
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    if (typeof data === "string") pages.push(data);
  });
  // Only pages of the same origin receive messages on a channel.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  channel.postMessage(null);
  return new Promise((resolve) => {
    setTimeout(() => {
      channel.close();
      resolve(pages);
    }, REPLY_TIMEOUT_MS);
  });
}
