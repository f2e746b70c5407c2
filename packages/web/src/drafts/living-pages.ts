import { newLocalId } from "../api/local-id.ts";

/** Names this page among all that are open in this browser; every load of the page is another one. */
export const PAGE_ID = newLocalId();

const PREFIX = "workspace.page.";
const CHANNEL = "workspace.pages";
const ANSWERS_WITHIN_MS = 300;

/** The pages that are open in this browser, this one included: what they have in hand is theirs. */
export async function livingPages(): Promise<ReadonlySet<string>> {
  const others = canLock() ? await pagesByLocks() : await pagesByAnswers();
  return new Set([PAGE_ID, ...others]);
}

/** Browsers offer locks on secure origins only; the service may be opened by plain http in a home network. */
function canLock(): boolean {
  return "locks" in navigator;
}

async function pagesByLocks(): Promise<string[]> {
  const { held = [] } = await navigator.locks.query();
  return held.flatMap(({ name = "" }) => (name.startsWith(PREFIX) ? [name.slice(PREFIX.length)] : []));
}

/** Asks the other pages. One that is frozen does not answer. */
function pagesByAnswers(): Promise<string[]> {
  const pages: string[] = [];
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    if (typeof data === "string") pages.push(data);
  });
  // Only pages of the same origin hear what is said on a channel.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  channel.postMessage(null);
  return new Promise((resolve) => {
    setTimeout(() => {
      channel.close();
      resolve(pages);
    }, ANSWERS_WITHIN_MS);
  });
}

function answerPages(): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    if (data === null) channel.postMessage(PAGE_ID);
  });
}

/** Holds a lock until the page is left, so that the page that comes in its place finds it gone. */
function holdLock(): void {
  const left = new Promise<void>((resolve) => {
    window.addEventListener("pagehide", () => resolve(), { once: true });
  });
  void navigator.locks.request(PREFIX + PAGE_ID, () => left);
}

if (canLock()) {
  holdLock();
  window.addEventListener("pageshow", ({ persisted }) => {
    if (persisted) holdLock();
  });
} else {
  answerPages();
}
