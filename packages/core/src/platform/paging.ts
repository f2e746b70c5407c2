import * as z from "zod";
import { InvalidInputError } from "./errors.ts";

/** Optional paging of a list that answers everything unless asked otherwise. */
export const pagingInput = {
  limit: z.number().int().min(1).max(1000).optional(),
  cursor: z.string().optional(),
};

/** A part of a list; `nextCursor` is there when more follows. */
export interface Page<Item> {
  items: Item[];
  nextCursor?: string;
}

/** A place in a list: the values of its sort columns at the last item of a page. */
export type CursorValues = readonly (string | number)[];

export function encodeCursor(values: CursorValues): string {
  return Buffer.from(JSON.stringify(values)).toString("base64url");
}

/** Reads a cursor back. Throws {@link InvalidInputError} for anything but one that `schema` describes. */
export function decodeCursor<Values extends CursorValues>(cursor: string, schema: z.ZodType<Values>): Values {
  const parsed = schema.safeParse(parseJson(Buffer.from(cursor, "base64url").toString()));
  if (!parsed.success) throw InvalidInputError.at("cursor", "expected the nextCursor of an earlier page");
  return parsed.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Cuts a page out of rows that were read with one row more than `limit`. */
export function toPage<Item>(
  rows: Item[],
  limit: number | undefined,
  cursorOf: (last: Item) => CursorValues,
): Page<Item> {
  if (limit === undefined || rows.length <= limit) return { items: rows };
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return last === undefined ? { items } : { items, nextCursor: encodeCursor(cursorOf(last)) };
}
