import { QueryClient } from "@tanstack/react-query";
import { describe, expect, it } from "vitest";
import { collectionQuery, newestDeletionFirst, readPages } from "./collection-query.ts";
import { Collection } from "./collection.ts";

interface Item {
  readonly id: string;
  readonly deletedAt: string | null;
}

const active = (id: string): Item => ({ id, deletedAt: null });
const deleted = (id: string, deletedAt = "2026-11-20T12:00:00.000Z"): Item => ({ id, deletedAt });
const items = () => new Collection<Item>((a, b) => a.deletedAt === b.deletedAt);
const idsIn = (collection: Collection<Item>) => [...collection.getSnapshot().keys()];

async function read(collection: Collection<Item>, pages: readonly (readonly Item[])[]): Promise<unknown> {
  return new QueryClient().fetchQuery(
    collectionQuery(collection, {
      queryKey: ["items"],
      read: async function* () {
        yield* pages;
      },
      belongs: (item) => item.deletedAt === null,
    }),
  );
}

describe("reading all rows of a kind", () => {
  it("merges every page, and removes rows that the server no longer has", async () => {
    const collection = items();
    collection.put([active("gone")]);
    expect(await read(collection, [[active("a"), active("b")], [active("c")]])).toEqual({ count: 3 });
    expect(idsIn(collection)).toEqual(["a", "b", "c"]);
  });

  it("leaves rows outside its scope alone", async () => {
    const collection = items();
    collection.put([deleted("old")]);
    await read(collection, [[active("a"), deleted("other")]]);
    expect(idsIn(collection)).toEqual(["old", "a"]);
  });
});

it("pages are read one after the other, the first of them small", async () => {
  const requests: unknown[] = [];
  const readPage = async (part: { limit: number; cursor: string | undefined }) => {
    requests.push(part);
    return part.cursor === undefined ? { data: ["a"], nextCursor: "1" } : { data: ["b"] };
  };
  const rows: string[] = [];
  for await (const page of readPages(readPage, { first: 1, next: 10 })) rows.push(...page);
  expect(rows).toEqual(["a", "b"]);
  expect(requests).toEqual([
    { limit: 1, cursor: undefined },
    { limit: 10, cursor: "1" },
  ]);
});

it("deleted rows are sorted by deletion time, newest first", () => {
  const rows = [active("a"), deleted("old", "2026-11-18T00:00:00.000Z"), deleted("new", "2026-11-19T00:00:00.000Z")];
  expect(newestDeletionFirst(rows).map(({ id }) => id)).toEqual(["new", "old"]);
});
