import { toRequestError } from "../../api/request-error.ts";
import { sessionQuery } from "../../api/session.ts";
import { nameAtBase } from "../../browser/base-path.ts";
import { clientPart } from "../../client/client-part.ts";
import type { Client } from "../../client/client.ts";
import { Store, useStore } from "../../client/store.ts";
import { useClient } from "../../client/use-client.ts";
import {
  isOfDocument,
  isSame,
  isTakenBack,
  rowsOf,
  serverIdOf,
  type KeptChange,
  type NewKeptChange,
} from "./kept-change.ts";
import { OutboxDatabase, type Stored } from "./outbox-database.ts";
import { forgetNote, sendChange } from "./send-change.ts";
import type { SendResult } from "./send-result.ts";
import { readChanged, showChange } from "./show-change.ts";
import type { ShownChange } from "./shown-change.ts";

const CHANNEL = nameAtBase("workspace.outbox");
/** Only one page of a browser sends; where there are no locks, the server and the checks before each change keep it from being made twice. */
const LOCK = nameAtBase("workspace.outbox");
const RETRY_MS = 5_000;
/** Of a change that is not to be made any more. */
const NOTHING_SENT: SendResult = { kind: "sent", row: {} };

/** The changes of tasks, projects and notes that are kept until the server has them. */
export const outbox = clientPart((client) => new Outbox(client));

/** The changes of tasks, projects and notes that the server does not have yet. */
export function useKeptChanges(): readonly KeptChange[] {
  return useStore(outbox(useClient()).changes);
}

type Kept<Kind extends KeptChange["change"]["kind"]> = KeptChange & {
  readonly change: Extract<KeptChange["change"], { readonly kind: Kind }>;
};

/** The changes of one kind of a task that the server does not have yet. */
export function useKeptOf<Kind extends KeptChange["change"]["kind"]>(taskId: string, kind: Kind): Kept<Kind>[] {
  const isOfKind = (kept: KeptChange): kept is Kept<Kind> => kept.change.kind === kind;
  return useKeptChanges()
    .filter(isOfKind)
    .filter(({ rowId }) => serverIdOf(rowId) === serverIdOf(taskId));
}

class Outbox {
  /** In their order. */
  readonly changes = new Store<readonly KeptChange[]>([]);
  readonly #client: Client;
  readonly #shown = new Map<number, ShownChange>();
  readonly #channel = new BroadcastChannel(CHANNEL);
  #opening: Promise<OutboxDatabase> | undefined;
  #loading: Promise<void> = Promise.resolve();
  #sending: Promise<void> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(client: Client) {
    this.#client = client;
    // Another tab has kept or sent something.
    this.#channel.addEventListener("message", () => void this.#load());
    const stop = client.connection.subscribe((state) => {
      if (state === "online") void this.send();
    });
    client.onForget(() => this.#reset());
    client.onDispose(() => {
      stop();
      clearTimeout(this.#timer);
      this.#channel.close();
      void this.#opening?.then((db) => db.close());
    });
    void this.#load().then(() => this.send());
  }

  /**
   * Whether a change is to be kept without trying to send it, because of those before it or because the server is away. Without a
   * network, a server on the same machine still responds.
   */
  readonly isFirst = (): boolean =>
    this.#client.connection.get() === "unreachable" || this.changes.get().some(({ problem }) => problem === null);

  /** Keeps a change that is already shown; false if the browser keeps nothing. */
  readonly keep = async (change: NewKeptChange, shown: ShownChange): Promise<boolean> => {
    const userId = this.#userId();
    if (userId === undefined) return false;
    // Never while what is kept is read, which would miss it.
    const adding = this.#loading.then(async () => {
      const kept = await (await this.#open()).add(change, userId);
      this.#shown.set(kept.number, shown);
      this.changes.set([...this.changes.get(), kept]);
    });
    this.#loading = adding.catch(() => undefined);
    try {
      await adding;
    } catch {
      return false;
    }
    this.#announce();
    void this.send();
    return true;
  };

  /** Sends what is kept, in order, as long as the server responds. */
  send(): Promise<void> {
    clearTimeout(this.#timer);
    this.#sending ??= this.#sendAlone()
      .catch(() => false)
      .then((isDone) => {
        this.#sending = undefined;
        // Something may have been kept at the last moment.
        if (isDone && this.#next() !== undefined) void this.send();
      });
    return this.#sending;
  }

  /** Tries once more to make a change that was not made; `isMine` makes it although somebody else has changed the same. */
  async retry({ number, change, problem }: KeptChange, { isMine = false } = {}): Promise<void> {
    let again = change;
    if (isMine && change.kind === "checklist") again = { ...change, before: problem?.items ?? [] };
    if (isMine && change.kind === "update-project")
      again = { ...change, before: { ...change.before, ...problem?.project } };
    if (isMine && problem?.instead !== undefined) again = problem.instead.change;
    if (isMine && change.kind === "update") again = { ...change, before: { ...change.before, ...problem?.theirs } };
    await this.amend(number, (stored) => ({ ...stored, change: again }));
    await this.send();
  }

  /** Changes what is kept, and shows it so; false if it was sent by now. What is being sent meanwhile is sent once more. */
  readonly amend = async (number: number, amended: (stored: Stored) => Stored): Promise<boolean> => {
    const isKept = await (await this.#open()).amend(number, amended);
    await this.#load();
    this.#announce();
    void this.send();
    return isKept;
  };

  /** Gives up a change; with a task or a project that was not created, also what was changed of it since. */
  async discard({ number, rowId, change }: KeptChange): Promise<void> {
    await this.#giveUp(
      this.changes
        .get()
        .filter((kept) => kept.number === number || (change.kind.startsWith("create") && kept.rowId === rowId)),
    );
    void this.send();
  }

  /** Gives up all changes of a user who has signed out regardless: what they have changed is neither shown nor read any more. */
  async discardAll(): Promise<void> {
    const changes = this.changes.get();
    if (changes.length === 0) return;
    await (await this.#open()).remove(changes.map(({ number }) => number));
    this.#reset();
    for (const change of changes) if (change.change.kind === "create-note") void forgetNote(this.#client, change);
    this.#announce();
  }

  async #giveUp(changes: readonly KeptChange[]): Promise<void> {
    await (await this.#open()).remove(changes.map(({ number }) => number));
    for (const { number } of changes) {
      this.#shown.get(number)?.rollback();
      this.#shown.delete(number);
    }
    await this.#load();
    for (const change of changes) {
      if (change.change.kind === "checklist") void readChanged(this.#client, change);
      if (change.change.kind === "create-note") void forgetNote(this.#client, change);
    }
    this.#announce();
  }

  /** Returns whether everything that could be sent was sent. */
  async #sendAlone(): Promise<boolean> {
    await this.#loading;
    if (this.#next() === undefined || this.#client.connection.get() === "unreachable") return false;
    if (!("locks" in navigator)) return this.#sendAll();
    return navigator.locks.request(LOCK, () => this.#sendAll());
  }

  async #sendAll(): Promise<boolean> {
    const db = await this.#open();
    if (!(await this.#isSignedIn())) {
      this.#sendLater();
      return false;
    }
    for (;;) {
      await this.#load();
      const next = this.#next();
      if (next === undefined) return true;
      const result = isTakenBack(next, this.changes.get()) ? NOTHING_SENT : await sendChange(this.#client, next);
      if (result.kind === "away") {
        this.#sendLater();
        return false;
      }
      if (result.rebase !== undefined) await this.#rebase(db, next, result.rebase);
      if (result.kind === "problem") await db.settle(next, result.problem, result.left);
      else {
        if (!(await db.settle(next, null))) continue;
        this.#shown.get(next.number)?.confirm(result.row);
        this.#shown.delete(next.number);
      }
      this.#announce();
    }
  }

  /** Asks the server who is signed in, whose changes are sent: somebody else may be by now than the page has assumed. */
  async #isSignedIn(): Promise<boolean> {
    const session = { ...sessionQuery(this.#client), staleTime: 0 };
    return (await this.#client.queries.fetchQuery(session).catch(() => null)) !== null;
  }

  /**
   * The first change that can be made: what was changed of a row waits for what was changed of it before, and of those that it refers to.
   * Deletions of documents come first, since what is moved before changes the links in what is to be deleted as it was seen.
   */
  #next(): KeptChange | undefined {
    let first: KeptChange | undefined;
    const held = new Set<string>();
    const kept = this.changes.get();
    for (const change of kept) {
      if (isTakenBack(change, kept)) return change;
      if (change.problem === null && !rowsOf(change).some((id) => held.has(id))) {
        if (change.change.kind === "delete-document") return change;
        first ??= change;
      }
      held.add(change.rowId);
    }
    return first;
  }

  /** Later changes of the same row were made of what was sent. */
  async #rebase(
    db: OutboxDatabase,
    sent: KeptChange,
    rebased: (later: KeptChange["change"]) => KeptChange["change"],
  ): Promise<void> {
    for (const { number, rowId } of this.changes.get())
      if (number > sent.number && rowId === sent.rowId) await db.rebase(number, rebased);
  }

  #sendLater(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.send(), RETRY_MS);
  }

  /** Reads what is kept, and shows it. */
  #load(): Promise<void> {
    this.#loading = this.#loading.then(async () => {
      const userId = this.#userId();
      const kept =
        userId === undefined
          ? []
          : await this.#open().then(
              (db) => db.all(userId),
              () => [],
            );
      const numbers = new Set(kept.map(({ number }) => number));
      const before = new Map(this.changes.get().map((change) => [change.number, change]));
      for (const change of kept) {
        const shown = this.#shown.get(change.number);
        if (shown !== undefined && !isAmended(before.get(change.number), change)) continue;
        this.#shown.set(change.number, showChange(this.#client, change, kept));
        shown?.rollback();
      }
      const gone = this.changes.get().filter(({ number }) => !numbers.has(number) && this.#shown.has(number));
      this.changes.set(kept);
      for (const change of gone) void this.#unshow(change);
    });
    return this.#loading;
  }

  /** Another tab has sent the change, or it was discarded. */
  async #unshow(change: KeptChange): Promise<void> {
    const pending = this.#shown.get(change.number);
    this.#shown.delete(change.number);
    await readChanged(this.#client, change).catch((error: unknown) => this.#forgetMissing(change, error));
    pending?.rollback();
  }

  /** A note that another tab has dealt with is not there: its text is a part of another note by now, or was discarded. */
  #forgetMissing(change: KeptChange, error: unknown): void {
    if (change.change.kind.endsWith("-note") && toRequestError(error).kind === "missing")
      void forgetNote(this.#client, change);
  }

  #open(): Promise<OutboxDatabase> {
    this.#opening ??= OutboxDatabase.open();
    return this.#opening;
  }

  #announce(): void {
    this.#channel.postMessage("changed");
  }

  #userId(): string | undefined {
    return this.#client.queries.getQueryData(sessionQuery(this.#client).queryKey)?.id;
  }

  #reset(): void {
    clearTimeout(this.#timer);
    this.#shown.clear();
    this.changes.set([]);
  }
}

/** Whether a note or document is to be created or changed otherwise by now than it is shown, or not at all. */
function isAmended(before: KeptChange | undefined, kept: KeptChange): boolean {
  return isOfDocument(kept.change) && before !== undefined && !isSame(before.change, kept.change);
}
