import { QueryObserver } from "@tanstack/react-query";
import { toRequestError } from "../../../api/request-error.ts";
import { nameAtBase } from "../../../browser/base-path.ts";
import { clientPart } from "../../../client/client-part.ts";
import type { Client } from "../../../client/client.ts";
import type { KeptText } from "../../../local-copy/copy-database.ts";
import { localCopy, type KeptTexts } from "../../../local-copy/local-copy.ts";
import { keepTemplates } from "../daily/kept-templates.ts";
import { documentCollection, documentProgress, documentQuery, documentsQuery } from "../document-collection.ts";
import type { Document, OpenDocument } from "../document.ts";
import { projectsQuery } from "../../projects/project-collection.ts";
import { tasksQuery } from "../../tasks/task-collection.ts";
import { foldersQuery } from "../vault/vault-store.ts";
import { chooseTexts, inBatches, maxBytesOf } from "./chosen-texts.ts";
import { IdleTimes, sleep } from "./idle-times.ts";
import { openedIdOf, openedKeys } from "./opened-documents.ts";

/** Only one tab of a browser reads. */
const LOCK = nameAtBase("workspace.kept-texts");
/** As much as is parsed and stored within a frame, and as few as fit into one request. */
const BATCH = { maxBytes: 128 * 1024, maxCount: 30 };
/** Between two batches, the browser and the server have at least as much time for everything else. */
const MIN_PAUSE_MS = 50;
/** Documents that are being edited change again soon. */
const AFTER_CHANGE_MS = 1_500;
const RETRY_MS = 30_000;

/**
 * Keeps the texts of all documents in the local copy, also of those that were never opened, and the projects and tasks, whatever
 * page is open.
 */
export const textKeeper = clientPart((client) => {
  let running: AbortController | undefined;
  const stop = () => {
    running?.abort();
    running = undefined;
  };
  client.onForget(stop);
  client.onDispose(stop);
  return {
    /** Starts, unless it has, for as long as the session lasts. */
    start: (): void => {
      if (running !== undefined) return;
      running = new AbortController();
      // They are few, so no pause is needed.
      const stopProjects = new QueryObserver(client.queries, projectsQuery(client)).subscribe(() => undefined);
      running.signal.addEventListener("abort", stopProjects);
      void keepWhileVisible(client, running.signal).catch(() => undefined);
    },
  };
});

/** A tab that is hidden leaves it to one that is not. */
async function keepWhileVisible(client: Client, ended: AbortSignal): Promise<void> {
  const idleTimes = new IdleTimes(client, ended);
  while (!ended.aborted) {
    await becomesVisible(document, ended);
    const leaving = new AbortController();
    const leave = () => document.visibilityState === "hidden" && leaving.abort();
    document.addEventListener("visibilitychange", leave, { signal: leaving.signal });
    const end = () => leaving.abort();
    ended.addEventListener("abort", end);
    const keeping = new TextKeeping(client, idleTimes, leaving.signal);
    // What fails is tried again.
    await alone(leaving.signal, () => keeping.run()).catch(() => undefined);
    const hasLeft = leaving.signal.aborted;
    ended.removeEventListener("abort", end);
    leaving.abort();
    if (keeping.hasNoRoom) return;
    if (!hasLeft) await sleep(RETRY_MS, ended);
  }
}

/** Rejects if it was another tab's turn until the signal was aborted. */
async function alone(signal: AbortSignal, keep: () => Promise<void>): Promise<void> {
  // Browsers have locks on secure origins only.
  await ("locks" in navigator ? navigator.locks.request(LOCK, { signal }, keep) : keep());
}

/** Resolves once the page is visible, or the signal is aborted. */
function becomesVisible(page: globalThis.Document, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (page.visibilityState !== "visible" && !signal.aborted) return;
      page.removeEventListener("visibilitychange", check);
      signal.removeEventListener("abort", check);
      resolve();
    };
    page.addEventListener("visibilitychange", check);
    signal.addEventListener("abort", check);
    check();
  });
}

interface ReadText extends KeptText {
  readonly data: OpenDocument;
}

/** What one tab does while it is visible. */
class TextKeeping {
  readonly #client: Client;
  readonly #idleTimes: IdleTimes;
  readonly #signal: AbortSignal;
  /** The hashes of contents that cannot be read as texts, such as those above the server's limit. */
  readonly #unreadable = new Set<string>();
  /** Whether the browser has refused to store something, which it would do again. */
  hasNoRoom = false;

  constructor(client: Client, idleTimes: IdleTimes, signal: AbortSignal) {
    this.#client = client;
    this.#idleTimes = idleTimes;
    this.#signal = signal;
  }

  /** Brings the texts up to date whenever documents have changed. Resolves when the signal is aborted, or if the browser keeps nothing. */
  async run(): Promise<void> {
    if (!(await this.#idleTimes.next(this.#signal))) return;
    const copy = await localCopy(this.#client).open();
    if (copy === null) return;
    const { queries } = this.#client;
    const changed = new Signal();
    const stops = [
      new QueryObserver(queries, documentsQuery(this.#client)).subscribe(() => undefined),
      new QueryObserver(queries, tasksQuery(this.#client)).subscribe(() => undefined),
      documentCollection(this.#client).subscribe(changed.emit),
      documentProgress(this.#client).onReached(changed.emit),
    ];
    this.#signal.addEventListener("abort", changed.emit);
    try {
      // Without the folders and templates, the page of the documents shows little.
      await queries.prefetchQuery(foldersQuery(this.#client));
      const hashes = await copy.texts.textHashes();
      while (await this.#idleTimes.next(this.#signal)) {
        changed.reset();
        const result = await this.#update(copy.texts, hashes);
        if (result === "no-room") {
          this.hasNoRoom = true;
          return;
        }
        if (result === "later") await sleep(RETRY_MS, this.#signal);
        else await changed.wait();
        await sleep(AFTER_CHANGE_MS, this.#signal);
      }
    } finally {
      stops.forEach((stop) => stop());
      this.#signal.removeEventListener("abort", changed.emit);
    }
  }

  /** `later`: some could not be read, which may pass. `no-room`: the browser does not store what it has said it has room for. */
  async #update(texts: KeptTexts, hashes: Map<string, string>): Promise<"done" | "later" | "no-room"> {
    if (documentProgress(this.#client).position === undefined) return "done";
    const documents = documentCollection(this.#client).stored;
    const chosen = chooseTexts(documents.values(), await this.#maxBytes(hashes));
    await this.#dropOthers(texts, hashes, chosen);
    await keepTemplates(this.#client, chosen).catch(() => undefined);
    const missing = chosen.filter(
      ({ id, contentHash }) => hashes.get(id) !== contentHash && !this.#unreadable.has(contentHash),
    );
    for (const batch of inBatches(missing, BATCH)) {
      if (!(await this.#idleTimes.next(this.#signal))) return "done";
      const startedAt = performance.now();
      const { read, isComplete } = await this.#read(batch);
      if (this.#signal.aborted) return "done";
      try {
        await texts.writeTexts(read);
      } catch {
        // The rows need the room more.
        await texts.dropTexts([...hashes.keys()], []).catch(() => undefined);
        return "no-room";
      }
      for (const { id, hash } of read) hashes.set(id, hash);
      if (!isComplete) return "later";
      await sleep(Math.max(performance.now() - startedAt, MIN_PAUSE_MS), this.#signal);
    }
    return "done";
  }

  async #maxBytes(hashes: ReadonlyMap<string, string>): Promise<number> {
    const documents = documentCollection(this.#client).stored;
    const kept = [...hashes.keys()].reduce((sum, id) => sum + (documents.get(id)?.size ?? 0), 0);
    // Browsers say it on secure origins only.
    const storage = "storage" in navigator ? await navigator.storage.estimate() : {};
    return maxBytesOf(storage, kept);
  }

  /** Removes the texts of documents that are gone or for which there is no room, also where they were kept because they were opened. */
  async #dropOthers(texts: KeptTexts, hashes: Map<string, string>, chosen: readonly Document[]): Promise<void> {
    const chosenIds = new Set(chosen.map(({ id }) => id));
    const dropped = [...hashes.keys()].filter((id) => !chosenIds.has(id));
    const documents = documentCollection(this.#client).stored;
    const opened = await openedKeys(texts);
    const gone = opened.filter((key) => {
      const document = documents.get(openedIdOf(key));
      return document === undefined || document.deletedAt !== null;
    });
    if (dropped.length + gone.length === 0) return;
    await texts.dropTexts(dropped, gone);
    for (const id of dropped) hashes.delete(id);
  }

  /** Reads documents, those that are open from this page. */
  async #read(batch: readonly Document[]): Promise<{ read: ReadText[]; isComplete: boolean }> {
    const ticket = documentCollection(this.#client).startRead();
    const results = await Promise.allSettled(batch.map((document) => this.#readOne(document)));
    const read: ReadText[] = [];
    let isComplete = true;
    for (const [index, result] of results.entries()) {
      if (result.status === "fulfilled") read.push(result.value);
      else if (["missing", "refused"].includes(toRequestError(result.reason).kind))
        this.#unreadable.add(batch[index]?.contentHash ?? "");
      else isComplete = false;
    }
    const rows = read.map(({ data }) => data.document);
    documentCollection(this.#client).merge(rows, ticket);
    return { read, isComplete };
  }

  async #readOne({ id, contentHash }: Document): Promise<ReadText> {
    const state = this.#client.queries.getQueryState(documentQuery(this.#client, id).queryKey);
    if (state?.data?.document.contentHash === contentHash)
      return { id, hash: contentHash, readAt: state.dataUpdatedAt, data: state.data };
    const { data } = await this.#client.api.documents.get.query({ id }, { signal: this.#signal });
    return { id, hash: data.document.contentHash, readAt: Date.now(), data };
  }
}

/** Something that has happened, or is waited for. */
class Signal {
  #hasHappened = false;
  #resolve: (() => void) | undefined;

  readonly emit = (): void => {
    this.#hasHappened = true;
    this.#resolve?.();
  };

  reset(): void {
    this.#hasHappened = false;
  }

  async wait(): Promise<void> {
    if (this.#hasHappened) return;
    await new Promise<void>((resolve) => (this.#resolve = resolve));
  }
}
