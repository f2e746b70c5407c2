import * as z from "zod";
import { InvalidInputError } from "./errors.ts";
import { isStorableInstant } from "./instant.ts";
import { createShortHash } from "./short-hash.ts";

/** The `nextCursor` of the previous page. */
export const cursorInput = z
  .string()
  .max(10_000, "must be at most 10,000 characters")
  .optional()
  .meta({ description: "The `nextCursor` of the previous page" });

/** Optional paging of a list that returns everything by default. */
export const pagingInput = {
  limit: z.number().int().min(1).max(1000).optional().meta({ description: "The page size; everything if omitted" }),
  cursor: cursorInput,
};

/** The input of a list that takes no other parameters. */
export const listInput = z.object(pagingInput);
export type Paging = z.infer<typeof listInput>;

/** One page of a list; `nextCursor` is present if there are more. */
export interface Page<Item> {
  items: Item[];
  nextCursor?: string;
}

/** Which rows to read for a page. */
export interface PageRange<Position> {
  /** One more than the page has, to find out whether there are more; undefined for all. */
  readonly limit: number | undefined;
  /** The position after which the page begins; undefined for the first one. */
  readonly after: Position | undefined;
}

/** A position in a list: the sort key of the last item of a page. */
export type CursorValues = readonly (string | number)[];

/** Encodes and decodes the cursors of one list. `filter` holds the parameters of the list other than paging. */
export interface Cursors<Values extends CursorValues> {
  /**
   * The position after which the page begins; undefined without a cursor. Throws {@link InvalidInputError} for anything but
   * a cursor of this list with this filter.
   */
  read(cursor: string | undefined, filter?: object): Values | undefined;
  write(values: Values, filter?: object): string;
}

const shortHash = createShortHash(8);

/** A time in a cursor. */
export const cursorInstant = z.iso.datetime().refine(isStorableInstant);
/** Text in a cursor, restricted to what the database can store and compare. */
export const cursorText = z.string().refine((text) => !text.includes("\0") && text.isWellFormed());
/** The position in a list that is ordered by time, then id. */
export const timeAndId = z.tuple([cursorInstant, z.uuid()]);
export type TimeAndId = z.infer<typeof timeAndId>;

/**
 * Creates the codec for the cursors of the named list; `values` is the schema of its positions. A cursor includes a hash of
 * the list's name and filter, because a position in one list means nothing in another, even if it has the same form.
 */
export function createCursors<Values extends CursorValues>(list: string, values: z.ZodType<Values>): Cursors<Values> {
  const encode = (position: CursorValues, filter: object) =>
    Buffer.from(JSON.stringify([hashOf(list, filter), ...position])).toString("base64url");

  return {
    read(cursor, filter = {}) {
      if (cursor === undefined) return undefined;
      const decoded = parseJson(Buffer.from(cursor, "base64url").toString());
      const parsed = values.safeParse(Array.isArray(decoded) ? decoded.slice(1) : undefined);
      // Encoding it again proves that it belongs to this list and that nothing was cut off or added.
      if (!parsed.success || encode(parsed.data, filter) !== cursor) throw invalidCursor();
      return parsed.data;
    },
    write: (position, filter = {}) => encode(position, filter),
  };
}

/**
 * Returns the function that reads the pages of the named list. `positionOf` returns the position of a row, of which `values` is
 * the schema. The function throws {@link InvalidInputError} like {@link Cursors.read}. (`[]` makes TypeScript infer tuples.)
 */
export function createPager<Values extends [] | CursorValues, Item>(
  list: string,
  values: z.ZodType<Values>,
  positionOf: (last: Item) => Values,
) {
  const cursors = createCursors(list, values);
  return async (
    { limit, cursor, filter }: Paging & { readonly filter?: object },
    readRows: (range: PageRange<Values>) => Promise<Item[]>,
  ): Promise<Page<Item>> => {
    const after = cursors.read(cursor, filter);
    const rows = await readRows({ limit: limit === undefined ? undefined : limit + 1, after });
    return toPage(rows, limit, (last) => cursors.write(positionOf(last), filter));
  };
}

export function invalidCursor(): InvalidInputError {
  return InvalidInputError.at("cursor", "expected the nextCursor of an earlier page of this list");
}

function hashOf(list: string, filter: object): string {
  return shortHash(list + JSON.stringify(filter));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The limit on the total text of a page, so that serializing and parsing a response never blocks for long. A page that
 * would exceed it ends early, but has at least one item.
 */
export const MAX_PAGE_CHARACTERS = 4 * 1024 * 1024;

/** This many rows cannot exceed the limit by much, so their text is not counted. */
const SHORT_PAGE = 50;

/** Turns the rows of a {@link PageRange} into a page. */
export function toPage<Item>(rows: Item[], limit: number | undefined, cursorOf: (last: Item) => string): Page<Item> {
  if (limit === undefined) return { items: rows };
  const count = Math.min(limit, countWithinPage(rows));
  if (rows.length <= count) return { items: rows };
  const items = rows.slice(0, count);
  const last = items.at(-1);
  return last === undefined ? { items } : { items, nextCursor: cursorOf(last) };
}

/** How many of the rows fit into one page by the length of their text. */
function countWithinPage(rows: readonly unknown[]): number {
  if (rows.length <= SHORT_PAGE + 1) return rows.length;
  let characters = 0;
  for (const [index, row] of rows.entries()) {
    characters += countCharacters(row);
    if (characters > MAX_PAGE_CHARACTERS) return Math.max(index, 1);
  }
  return rows.length;
}

function countCharacters(row: unknown): number {
  if (typeof row === "string") return row.length;
  if (typeof row !== "object" || row === null) return 0;
  return Object.values(row).reduce((sum: number, field: unknown) => {
    return typeof field === "string" ? sum + field.length : sum;
  }, 0);
}
