import { hashKey } from "@tanstack/react-query";
import type { Row } from "../api/collection.ts";
import { sessionQuery, type SessionUser } from "../api/session.ts";
import { nameAtBase } from "../browser/base-path.ts";
import { clearSessionValues } from "../browser/session-values.ts";
import { writeStored } from "../browser/stored-value.ts";
import type { Client } from "../client/client.ts";
import { CopyDatabase, type KeptAnswer } from "./copy-database.ts";
import { KeptQueries } from "./kept-queries.ts";
import { KeptRows } from "./kept-rows.ts";
import { COPY_KEY, type KeptKind, type KeptTexts, type LocalCopy } from "./local-copy.ts";

const CHANNEL = nameAtBase("workspace.copy");

/**
 * Opens the copy of the user who is signed in or, before that is known, the one of an earlier visit, whose user then counts as signed
 * in until the server says otherwise. Null if there is none, and if nobody is signed in, whose copy is cleared.
 */
export async function openCopy(client: Client, onEnd: (isPossible: boolean) => void): Promise<LocalCopy | null> {
  const { queryKey } = sessionQuery(client);
  const known = client.queries.getQueryData(queryKey);
  const db = await CopyDatabase.open({ shape: shapeOf(document), user: known });
  if (db === null) {
    writeStored(COPY_KEY, null);
    if (known === null) clearSessionValues();
    onEnd(true);
    return null;
  }
  writeStored(COPY_KEY, db.user.id);
  return new OpenCopy(client, db, onEnd);
}

/** Names the version of the dashboard: its first file is named after all of its code. */
function shapeOf(page: Document): string {
  return page.querySelector<HTMLScriptElement>("script[type=module]")?.src ?? "";
}

class OpenCopy implements LocalCopy {
  readonly user: SessionUser;
  readonly texts: KeptTexts;
  readonly #client: Client;
  readonly #db: CopyDatabase;
  readonly #queries: KeptQueries;
  readonly #kinds = new Map<string, { readonly restored: Promise<void>; stop(): void }>();
  readonly #channel: BroadcastChannel;
  readonly #stopFollowing: () => void;
  readonly #onEnd: (isPossible: boolean) => void;
  #isClosed = false;

  constructor(client: Client, db: CopyDatabase, onEnd: (isPossible: boolean) => void) {
    this.#client = client;
    this.#db = db;
    this.#onEnd = onEnd;
    this.user = db.user;
    this.texts = db;
    this.#queries = new KeptQueries(client.queries, db, () => this.#giveUp());
    void this.#queries.start();
    this.#channel = new BroadcastChannel(CHANNEL);
    this.#channel.addEventListener("message", () => this.#endSession());
    this.#stopFollowing = this.#followSession();
    client.onDispose(() => this.#close());
  }

  async keep<R extends Row, Details>(kind: KeptKind<R, Details>): Promise<void> {
    const known = this.#kinds.get(kind.name);
    if (known !== undefined) return known.restored;
    const rows = new KeptRows(this.#db, kind, () => this.#giveUp());
    const restored = rows.restore().catch(() => this.#giveUp());
    this.#kinds.set(kind.name, { restored, stop: () => rows.stop() });
    await restored;
    if (!this.#isClosed) rows.follow();
  }

  answer(queryKey: readonly unknown[]): Promise<KeptAnswer | undefined> {
    return this.#db.readAnswer(hashKey(queryKey));
  }

  async clear(): Promise<void> {
    if (this.#isClosed) return;
    writeStored(COPY_KEY, null);
    clearSessionValues();
    this.#channel.postMessage("cleared");
    const clearing = this.#db.clear();
    // The database is closed once that is done.
    this.#close();
    await clearing.catch(() => undefined);
  }

  /** The user of the copy counts as signed in until the server says that somebody else is, or nobody. */
  #followSession(): () => void {
    const { queries } = this.#client;
    const { queryKey } = sessionQuery(this.#client);
    if (queries.getQueryData(queryKey) === undefined) queries.setQueryData(queryKey, this.user);
    return queries.getQueryCache().subscribe(() => {
      const user = queries.getQueryData(queryKey);
      if (user === undefined || user?.id === this.user.id) return;
      void this.clear().then(() => {
        // Nothing of the former user is shown to another one.
        if (user !== null) window.location.reload();
      });
    });
  }

  /** The browser has no room, or keeps nothing: a copy that is not whole would be worse than none. */
  #giveUp(): void {
    if (this.#isClosed) return;
    writeStored(COPY_KEY, null);
    void this.#db.clear().catch(() => undefined);
    this.#close(false);
  }

  /** Another tab has ended the session. */
  #endSession(): void {
    this.#close();
    const { queryKey } = sessionQuery(this.#client);
    this.#client.forget();
    this.#client.queries.setQueryData(queryKey, null);
  }

  #close(isPossible = true): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#onEnd(isPossible);
    this.#stopFollowing();
    this.#queries.stop();
    this.#kinds.forEach((kind) => kind.stop());
    this.#channel.close();
    this.#db.close();
  }
}
