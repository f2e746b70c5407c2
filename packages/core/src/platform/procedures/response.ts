import * as z from "zod";
import type { Page } from "../paging.ts";

/** The contract's envelope, `{data: …}`. A procedure's output is the whole response body. */
export function dataOf<Schema extends z.ZodType>(schema: Schema) {
  return z.object({ data: schema });
}

/** The envelope of a paged list. */
export function pageOf<Schema extends z.ZodType>(schema: Schema) {
  return z.object({ data: z.array(schema), nextCursor: z.string().optional() });
}

export async function asData<Value>(value: Promise<Value>): Promise<{ data: Value }> {
  return { data: await value };
}

export async function asPage<Item>(page: Promise<Page<Item>>): Promise<{ data: Item[]; nextCursor?: string }> {
  const { items, ...rest } = await page;
  return { data: items, ...rest };
}

/** ISO 8601, UTC, milliseconds. */
export const timestamp = z.string().meta({ format: "date-time", example: "2026-01-31T08:30:00.000Z" });
