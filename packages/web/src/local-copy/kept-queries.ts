import { hashKey, type Query, type QueryClient } from "@tanstack/react-query";
import type { CopyDatabase, KeptAnswer } from "./copy-database.ts";
import { FIRST_ROWS } from "./first-rows.ts";
import { RESTORED } from "./local-copy.ts";

const STORE_DELAY_MS = 300;
/** The newest so many are kept, most of which are of notes and tasks that were opened. */
const MAX_ANSWERS = 1_000;
/** Larger ones, of which a person opens few, are read again. */
const MAX_CHARACTERS = 1_000_000;

/** Of home, the navigation and the settings that pages read by: shown at once, until it is read again. */
const SHOWN: readonly (readonly string[])[] = [
  ["news"],
  ["shelf"],
  ["documents", "folders"],
  ["calendar-settings"],
  ["note-settings"],
  ["note-templates"],
];
/**
 * The beginning of the keys of notes, and of what belongs to tasks, that were opened: shown only while the server is away. And of which rows
 * a page shows first.
 */
const OPENED: readonly (readonly string[])[] = [
  ["documents", "one"],
  ["tasks", "details"],
  ["tasks", "activity"],
  [FIRST_ROWS],
];

/** Keeps what queries have read in the copy. */
export class KeptQueries {
  readonly #queries: QueryClient;
  readonly #db: CopyDatabase;
  readonly #onFailure: () => void;
  readonly #changed = new Map<string, KeptAnswer>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stop: () => void = () => undefined;
  #isStopped = false;

  constructor(queries: QueryClient, db: CopyDatabase, onFailure: () => void) {
    this.#queries = queries;
    this.#db = db;
    this.#onFailure = onFailure;
  }

  /** Shows what is kept until it is read, and keeps what is read from then on. */
  async start(): Promise<void> {
    try {
      const answers = await this.#db.readAnswers(SHOWN.map((queryKey) => hashKey(queryKey)));
      for (const [index, queryKey] of SHOWN.entries()) {
        const kept = answers[index];
        if (kept === undefined || this.#queries.getQueryData(queryKey) !== undefined) continue;
        this.#queries.setQueryData(queryKey, kept.data, { updatedAt: RESTORED });
        // However long what is read counts as current, what was kept is read again.
        void this.#queries.invalidateQueries({ queryKey, exact: true });
      }
    } catch {
      this.#onFailure();
      return;
    }
    if (this.#isStopped) return;
    const cache = this.#queries.getQueryCache();
    const stopFollowing = cache.subscribe(({ type, query }) => {
      if (type === "updated") this.#keep(query);
    });
    // What was read while the copy was being opened.
    cache.getAll().forEach((query) => this.#keep(query));
    // The next page begins with what this one shows last.
    const now = () => void this.#store();
    window.addEventListener("pagehide", now);
    this.#stop = () => {
      stopFollowing();
      window.removeEventListener("pagehide", now);
    };
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#stop();
  }

  #keep(query: Query): void {
    const { queryKey, state } = query;
    if (state.status !== "success" || !isKept(query)) return;
    const { data, dataUpdatedAt } = state;
    this.#changed.set(hashKey(queryKey), { queryKey, data, readAt: dataUpdatedAt });
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#store();
    }, STORE_DELAY_MS);
  }

  async #store(): Promise<void> {
    if (this.#changed.size === 0) return;
    const answers = new Map([...this.#changed].filter(([, { data }]) => sizeOf(data) <= MAX_CHARACTERS));
    this.#changed.clear();
    try {
      await this.#db.writeAnswers(answers, MAX_ANSWERS);
    } catch {
      this.#onFailure();
    }
  }
}

function isKept({ queryKey, state }: Query): boolean {
  if (state.dataUpdatedAt === RESTORED) return false;
  return [...SHOWN, ...OPENED].some((start) => start.every((part, index) => queryKey[index] === part));
}

function sizeOf(data: unknown): number {
  return JSON.stringify(data).length;
}
