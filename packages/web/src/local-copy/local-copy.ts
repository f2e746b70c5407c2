import type { Collection, Row } from "../api/collection.ts";
import { toRequestError } from "../api/request-error.ts";
import type { SessionUser } from "../api/session.ts";
import { readStored } from "../browser/stored-value.ts";
import { clientPart } from "../client/client-part.ts";
import type { Client } from "../client/client.ts";
import { loadLater } from "../client/code-parts.ts";
import type { ReadProgress } from "../realtime/read-progress.ts";
import type { CopyDatabase } from "./copy-database.ts";

/** Says that this browser has a copy, so that only then it is looked for before the first request. */
export const COPY_KEY = "copy";

/** When data counts as read that is shown until it is read: longer ago than anything that a page has read. It is not kept. */
export const RESTORED = 1;

/** Rows of one kind that the browser keeps. */
export interface KeptKind<R extends Row, Details> {
  readonly name: string;
  readonly collection: Collection<R>;
  readonly progress: ReadProgress<Details>;
  /** Which rows are kept. */
  readonly belongs: (row: R) => boolean;
}

/** The texts of documents that the browser keeps, whether or not they were opened. */
export type KeptTexts = Pick<
  CopyDatabase,
  "textHashes" | "readText" | "readTexts" | "writeTexts" | "dropTexts" | "answerKeys"
>;

/** What the browser keeps of the server's data. */
export interface LocalCopy {
  /** Whose it is. */
  readonly user: SessionUser;
  /** Puts the rows that are kept into their collection, and keeps it from then on. */
  keep<R extends Row, Details>(kind: KeptKind<R, Details>): Promise<void>;
  /** What a query has read last, and when; undefined if that is not kept. */
  answer(queryKey: readonly unknown[]): Promise<{ readonly data: unknown; readonly readAt: number } | undefined>;
  readonly texts: KeptTexts;
  clear(): Promise<void>;
}

const load = () => import("./open-copy.ts");
loadLater(load);

/** The copy that this browser keeps, so that the next visit begins with it and the page works while the server is away. */
export const localCopy = clientPart((client) => {
  let opening: Promise<LocalCopy | null> | undefined;
  const open = (): Promise<LocalCopy | null> =>
    (opening ??= load()
      .then(({ openCopy }) => openCopy(client, onEnd))
      // Where the browser keeps nothing, for example in a private window, the page works without.
      .catch(() => null));
  // The next session has a copy of its own, unless the browser has no room for one.
  const onEnd = (isPossible: boolean): void => {
    opening = isPossible ? undefined : Promise.resolve(null);
  };
  client.onForget(() => void opening?.then((copy) => copy?.clear()));
  return {
    open,
    /** The copy of an earlier visit; null if there is none. */
    earlier: async (): Promise<LocalCopy | null> => (readStored(COPY_KEY) === null ? null : open()),
  };
});

/** Restores rows from the copy if there is one, and has them kept. */
export async function keepRows<R extends Row, Details>(client: Client, kind: KeptKind<R, Details>): Promise<void> {
  const copy = await localCopy(client).earlier();
  if (copy !== null) await copy.keep(kind);
  else
    void localCopy(client)
      .open()
      .then((opened) => opened?.keep(kind));
}

/**
 * Reads for a query. While the server does not respond, the query gets what it read in an earlier visit instead, as old as that is, and
 * the error.
 */
export async function readOrShowKept<Data>(
  client: Client,
  queryKey: readonly unknown[],
  read: () => Promise<Data>,
): Promise<Data> {
  try {
    return await read();
  } catch (error) {
    if (toRequestError(error).kind === "no-response" && client.queries.getQueryData(queryKey) === undefined) {
      const kept = await (await localCopy(client).earlier())?.answer(queryKey);
      if (kept !== undefined) client.queries.setQueryData(queryKey, kept.data, { updatedAt: kept.readAt });
    }
    throw error;
  }
}
