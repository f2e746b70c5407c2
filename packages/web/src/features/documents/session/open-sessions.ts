import { createKeepaliveApi } from "../../../api/keepalive-api.ts";
import type { Api } from "../../../api/api.ts";
import { toRequestError } from "../../../api/request-error.ts";
import { nameAtBase } from "../../../browser/base-path.ts";
import { drafts as keptDrafts } from "../../../drafts/draft.ts";
import { openPages } from "../../../drafts/open-pages.ts";
import { clientPart } from "../../../client/client-part.ts";
import type { Client } from "../../../client/client.ts";
import { documentCollection, documentQuery } from "../document-collection.ts";
import { DocumentSession } from "./document-session.ts";
import { lineEndingOf, withLineEnding, normalizeLineBreaks } from "../document-text.ts";
import type { OpenDocument } from "../document.ts";
import { documentDrafts, type DocumentDraft, type DraftInUse } from "./draft-store.ts";
import { recordSavedVersion, savedVersionOf } from "./saved-versions.ts";
import type { SavedText, SaveResult, SessionDeps } from "./session-state.ts";
import { hasEdits } from "./text-version.ts";
import { unmergedTexts } from "./unmerged-texts.ts";

const CHANNEL = nameAtBase("workspace.texts");
const PRECONDITION_FAILED = 412;
/** How often a text is merged with that of others and saved in one go, while they go on changing it. */
const MAX_SAVES = 5;

/** What one page sends to the others of its browser when a text is edited or saved. */
interface TextMessage extends DraftInUse {
  readonly id: string;
  /** The user whose draft it is. */
  readonly owner: string;
}

/** Texts being edited. A session outlives its page until its text is saved. */
export const openSessions = clientPart((client) => new OpenSessions(client));

/** The text of a document in the form that sessions use. */
export function toSavedText({ document, body }: OpenDocument): SavedText {
  return { text: normalizeLineBreaks(body), hash: document.contentHash };
}

class OpenSessions {
  readonly #client: Client;
  readonly #keepaliveApi: Api;
  readonly #sessions = new Map<string, Promise<DocumentSession>>();
  readonly #inUse = new Map<string, number>();
  /** The hash of each document's saved text that is recorded with its version. */
  readonly #recorded = new Map<string, string>();
  #opened = 0;
  readonly #channel = new BroadcastChannel(CHANNEL);

  constructor(client: Client) {
    this.#client = client;
    this.#keepaliveApi = createKeepaliveApi(client.fetch);
    client.onForget(() => this.#closeAll());
    this.#channel.addEventListener("message", ({ data }: MessageEvent<TextMessage>) => {
      if (data.owner === keptDrafts(client).owner) void this.#sessions.get(data.id)?.then((open) => open.take(data));
    });
    this.#saveOnUnload();
  }

  /** Whether a document has a session, which may hold unsaved text. */
  has(id: string): boolean {
    return this.#sessions.has(id);
  }

  /** The text of a document that has a session. */
  async textOf(id: string): Promise<string | undefined> {
    return (await this.#sessions.get(id))?.getSnapshot().text.toString();
  }

  /** Ends the session of a document that is gone, without saving its text. */
  drop(id: string): void {
    void this.#sessions.get(id)?.then((session) => session.close());
    this.#sessions.delete(id);
  }

  /** Gives up the unsaved text of a document that has a session, which stays open. */
  async discard(id: string): Promise<void> {
    await (await this.#sessions.get(id))?.discard();
  }

  /** Opens a document for editing, with the drafts of earlier visits if there are any. */
  open(opened: OpenDocument): Promise<DocumentSession> {
    const { id } = opened.document;
    const known = this.#sessions.get(id);
    if (known !== undefined) return known;
    const session = this.#start(opened);
    this.#sessions.set(id, session);
    return session;
  }

  /** Keeps a session open while it is in use. Returns a function that releases it, which saves its text. */
  acquire(id: string, session: DocumentSession): () => void {
    this.#inUse.set(id, (this.#inUse.get(id) ?? 0) + 1);
    return () => {
      this.#inUse.set(id, (this.#inUse.get(id) ?? 1) - 1);
      void session.flush().then(() => this.#closeIfSaved(id, session));
    };
  }

  /**
   * Saves the unsaved text of a document that has a session, also if another page was to save it, with what others have changed of it; not
   * if these are the same lines.
   */
  async save(id: string): Promise<void> {
    const session = await this.#sessions.get(id);
    for (let tries = 0; tries < MAX_SAVES; tries += 1) {
      await session?.saveNow();
      // What has just been merged is still to be saved.
      if (session?.getSnapshot().saving.kind !== "waiting") return;
    }
  }

  /** Saves all unsaved text. */
  async flush(): Promise<void> {
    const open = await Promise.all(this.#sessions.values());
    await Promise.all(open.map((session) => session.flush()));
  }

  /** Stores the result of a write everywhere it is shown. */
  publish(opened: OpenDocument): void {
    const { document } = opened;
    documentCollection(this.#client).put([document]);
    this.#client.queries.setQueryData(documentQuery(this.#client, document.id).queryKey, opened);
    void this.#sessions.get(document.id)?.then((session) => session.receive(toSavedText(opened), Date.now()));
  }

  async #start(opened: OpenDocument): Promise<DocumentSession> {
    const { id } = opened.document;
    const ending = lineEndingOf(opened.body);
    const drafts = documentDrafts(this.#client);
    const pages = openPages(this.#client);
    const saved = toSavedText(opened);
    const deps: SessionDeps = {
      page: pages.ownId,
      writer: `${pages.ownId}.${(this.#opened += 1)}`,
      isOpen: async (page) => (await pages.all()).has(page),
      save: (text, expectedHash, isUnloading) => {
        const api = isUnloading ? this.#keepaliveApi : this.#client.api;
        return this.#save({ id, body: withLineEnding(text, ending), expectedHash }, api);
      },
      read: () => this.#read(id).catch(() => null),
      storeDraft: (draft) => {
        this.#announce(id, draft);
        return drafts.store(id, draft);
      },
      removeDraft: (draft) => {
        drafts.remove(id);
        if (draft.version === undefined || !hasEdits(draft.version)) return;
        this.#announce(id, draft);
        void drafts.discardIncluded(id, draft.version).catch(() => undefined);
      },
    };
    const abandoned = await drafts.findAbandoned(id);
    // What was opened may be from before what a draft is based on.
    const isCurrent = abandoned.every(({ draft }) => draft.baseHash === saved.hash);
    const current = isCurrent ? saved : await this.#read(id).catch(() => saved);
    const session = new DocumentSession(current, abandoned, deps, savedVersionOf(id, current.hash));
    for (const draft of await drafts.findInUse(id)) session.take(draft);
    // A session no longer in use is closed once its text is saved, unless it continues with another draft.
    session.subscribe(() => queueMicrotask(() => this.#closeIfSaved(id, session)));
    return session;
  }

  /** Lets the other pages of this browser show what was written here, and know what is saved. */
  #announce(id: string, draft: DocumentDraft): void {
    const { baseHash, baseVersion = {} } = draft;
    // Not at every keystroke.
    if (hasEdits(baseVersion) && this.#recorded.get(id) !== baseHash) {
      this.#recorded.set(id, baseHash);
      recordSavedVersion(id, baseHash, baseVersion);
    }
    const message: TextMessage = {
      id,
      page: openPages(this.#client).ownId,
      owner: keptDrafts(this.#client).owner,
      draft,
    };
    this.#channel.postMessage(message);
  }

  async #save(input: { id: string; body: string; expectedHash: string }, api: Api): Promise<SaveResult> {
    try {
      const { data } = await api.documents.update.mutate(input);
      this.publish(data);
      return { kind: "saved", hash: data.document.contentHash };
    } catch (error) {
      const failure = toRequestError(error);
      if (failure.status !== PRECONDITION_FAILED) return { kind: "failed", message: failure.message };
    }
    try {
      return { kind: "changed", theirs: await this.#read(input.id) };
    } catch (error) {
      return { kind: "failed", message: toRequestError(error).message };
    }
  }

  async #read(id: string): Promise<SavedText> {
    const { data } = await this.#client.api.documents.get.query({ id });
    documentCollection(this.#client).put([data.document]);
    return toSavedText(data);
  }

  /** A session no longer in use stays open only while it has unsaved text. */
  #closeIfSaved(id: string, session: DocumentSession): void {
    if ((this.#inUse.get(id) ?? 0) > 0) return;
    const { kind } = session.getSnapshot().saving;
    if (kind !== "saved" && kind !== "conflict" && !session.isSavedElsewhere) return;
    if (kind === "conflict") unmergedTexts(this.#client).add(id);
    session.close();
    this.#sessions.delete(id);
  }

  #closeAll(): void {
    for (const session of this.#sessions.values()) void session.then((open) => open.close());
    this.#sessions.clear();
    this.#inUse.clear();
    this.#recorded.clear();
  }

  /**
   * Sends unsaved text when the page is about to unload or the server is reachable again. A phone may kill a hidden page
   * without any further event.
   */
  #saveOnUnload(): void {
    const disposed = new AbortController();
    const { signal } = disposed;
    const flushAllOnUnload = () => {
      for (const session of this.#sessions.values()) void session.then((open) => open.flushOnUnload());
    };
    document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && flushAllOnUnload(), {
      signal,
    });
    window.addEventListener("pagehide", flushAllOnUnload, { signal });
    this.#client.connection.subscribe((state) => {
      if (state === "online") void this.flush();
    });
    this.#client.onDispose(() => {
      disposed.abort();
      this.#channel.close();
      this.#closeAll();
    });
  }
}
