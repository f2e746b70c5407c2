import type * as z from "zod";
import { inTurns } from "../in-slices.ts";

/** Shaping this many items takes a few milliseconds. */
const CHUNK_ITEMS = 500;

type List = { readonly data: readonly unknown[] };
type Parent = { children: readonly unknown[] };

/**
 * Shapes a procedure's output by its schema, a long list in chunks, between which other requests are served. In a tree, the
 * `children` of an item must be items of the same kind.
 */
export async function shapeOutput(schema: z.ZodType, output: unknown): Promise<unknown> {
  if (!isList(output) || (output.data.length <= CHUNK_ITEMS && !output.data.some(isParent)))
    return schema.parse(output);
  const items: unknown[] = [];
  let shaped: unknown;
  for await (const chunk of inTurns(chunksOf(output.data))) {
    shaped = schema.parse({
      ...output,
      data: chunk.map((item) => (isParent(item) ? { ...item, children: [] } : item)),
    });
    if (isList(shaped)) items.push(...shaped.data);
  }
  for await (const [index, item] of inTurns(output.data.entries())) {
    const shapedItem = items[index];
    if (!isParent(item) || !isParent(shapedItem)) continue;
    const children = await shapeOutput(schema, { ...output, data: item.children });
    if (isList(children)) shapedItem.children = children.data;
  }
  return Object.assign({}, shaped, { data: items });
}

function* chunksOf(items: readonly unknown[]): Generator<readonly unknown[]> {
  for (let start = 0; start < items.length; start += CHUNK_ITEMS) yield items.slice(start, start + CHUNK_ITEMS);
}

function isList(value: unknown): value is List {
  return typeof value === "object" && value !== null && "data" in value && Array.isArray(value.data);
}

function isParent(value: unknown): value is Parent {
  return typeof value === "object" && value !== null && "children" in value && Array.isArray(value.children);
}
