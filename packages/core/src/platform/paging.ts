import { createHash } from "node:crypto";
import * as z from "zod";
import { InvalidInputError } from "./errors.ts";
import { isStorableInstant } from "./instant.ts";

/** The `nextCursor` of an earlier page. */
export const cursorInput = z.string().max(10_000, "must be at most 10,000 characters").optional();

/** Optional paging of a list that answers everything unless asked otherwise. */
export const pagingInput = {
  limit: z.number().int().min(1).max(1000).optional(),
  cursor: cursorInput,
};

/** For a list that takes nothing else. */
export const listInput = z.object(pagingInput);
export type Paging = z.infer<typeof listInput>;

/** A part of a list; `nextCursor` is there when more follows. */
export interface Page<Item> {
  items: Item[];
  nextCursor?: string;
}

/** A place in a list: the values of its sort columns at the last item of a page. */
export type CursorValues = readonly (string | number)[];

/** Writes and reads the cursors of one list. `filter` is what the list was asked for beside its page. */
export interface Cursors<Values extends CursorValues> {
  /**
   * The place after which a page begins; undefined without a cursor. Throws {@link InvalidInputError} for anything but a cursor
   * of this list with this filter.
   */
  read(cursor: string | undefined, filter?: object): Values | undefined;
  write(values: Values, filter?: object): string;
}

const HASH_LENGTH = 8;

/** A time in a cursor. */
export const cursorInstant = z.iso.datetime().refine(isStorableInstant);
/** Text in a cursor that the database can compare with. */
export const cursorText = z.string().refine((text) => !text.includes("\0") && text.isWellFormed());
/** The place in a list that is ordered by time and, where times are equal, by id. */
export const timeAndId = z.tuple([cursorInstant, z.uuid()]);

/**
 * Makes the cursors of the list of this name, whose places `values` describes. A cursor holds a hash of the list's name and
 * its filter, because a place in one list means nothing in another, although it may well have the same form.
 */
export function createCursors<Values extends CursorValues>(list: string, values: z.ZodType<Values>): Cursors<Values> {
  const encode = (place: CursorValues, filter: object) =>
    Buffer.from(JSON.stringify([hashOf(list, filter), ...place])).toString("base64url");

  return {
    read(cursor, filter = {}) {
      if (cursor === undefined) return undefined;
      const decoded = parseJson(Buffer.from(cursor, "base64url").toString());
      const parsed = values.safeParse(Array.isArray(decoded) ? decoded.slice(1) : undefined);
      // Written once more, it shows whether it is of this list, and that nothing was cut off or added.
      if (!parsed.success || encode(parsed.data, filter) !== cursor) throw foreignCursor();
      return parsed.data;
    },
    write: (place, filter = {}) => encode(place, filter),
  };
}

export function foreignCursor(): InvalidInputError {
  return InvalidInputError.at("cursor", "expected the nextCursor of an earlier page of this very list");
}

function hashOf(list: string, filter: object): string {
  return createHash("sha1").update(list).update(JSON.stringify(filter)).digest("base64url").slice(0, HASH_LENGTH);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Cuts a page out of rows that were read with one row more than `limit`. */
export function toPage<Item>(rows: Item[], limit: number | undefined, cursorOf: (last: Item) => string): Page<Item> {
  if (limit === undefined || rows.length <= limit) return { items: rows };
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return last === undefined ? { items } : { items, nextCursor: cursorOf(last) };
}

/** How many rows to read for a page: one more, which tells whether more follow. */
export function rowsFor(limit: number | undefined): number | undefined {
  return limit === undefined ? undefined : limit + 1;
}
