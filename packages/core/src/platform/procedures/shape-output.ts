import { setImmediate as nextTurn } from "node:timers/promises";
import type * as z from "zod";

/** Shaping this many items takes a few milliseconds. */
const CHUNK_ITEMS = 500;

/** Shapes a procedure's output by its schema; a long list chunk by chunk, yielding to the event loop in between. */
export async function shapeOutput(schema: z.ZodType, output: unknown): Promise<unknown> {
  if (!isList(output) || output.data.length <= CHUNK_ITEMS) return schema.parse(output);
  const items: unknown[] = [];
  let shaped: unknown;
  for (let start = 0; start < output.data.length; start += CHUNK_ITEMS) {
    shaped = schema.parse({ ...output, data: output.data.slice(start, start + CHUNK_ITEMS) });
    if (isList(shaped)) items.push(...shaped.data);
    await nextTurn();
  }
  return Object.assign({}, shaped, { data: items });
}

function isList(value: unknown): value is { readonly data: readonly unknown[] } {
  return typeof value === "object" && value !== null && "data" in value && Array.isArray(value.data);
}
