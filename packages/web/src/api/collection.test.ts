import { describe, expect, it } from "vitest";
import { Collection } from "./collection.ts";
import { writeOptimistically } from "./optimistic-write.ts";

interface Item {
  readonly id: string;
  readonly name: string;
  readonly rank: number;
}

function collectionOf(...items: Item[]): Collection<Item> {
  const collection = new Collection<Item>((a, b) => a.name === b.name && a.rank === b.rank);
  collection.merge(items, collection.startRead());
  return collection;
}

const one: Item = { id: "1", name: "one", rank: 1 };
const two: Item = { id: "2", name: "two", rank: 2 };

/** A write whose outcome the test controls. */
function deferredResponse() {
  let resolve: (item: Item) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<Item>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}

function rename(collection: Collection<Item>, rowId: string, name: string, answer: Promise<Item>) {
  return writeOptimistically({
    collection,
    rowId,
    apply: (item) => item && { ...item, name },
    send: () => answer,
    confirm: (item) => item,
  });
}

function create(collection: Collection<Item>, rowId: string, answer: Promise<Item>) {
  return writeOptimistically({
    collection,
    rowId,
    apply: () => ({ ...two, id: rowId }),
    send: () => answer,
    confirm: (item) => item,
  });
}

describe("an optimistic write", () => {
  it("shows at once and stays when the server accepts", async () => {
    const collection = collectionOf(one);
    const answer = deferredResponse();
    const written = rename(collection, "1", "uno", answer.promise);
    expect(collection.get("1")?.name).toBe("uno");
    answer.resolve({ ...one, name: "uno", rank: 7 });
    await written;
    expect(collection.get("1")).toEqual({ id: "1", name: "uno", rank: 7 });
  });

  it("shows a new row once, also if it is read before the write is answered", async () => {
    const collection = collectionOf(one);
    const answer = deferredResponse();
    const created = create(collection, "local-1", answer.promise);
    const ticket = collection.startRead();
    collection.merge([one, { ...two, id: "9" }, { id: "10", name: "of somebody else", rank: 3 }], ticket);
    expect([...collection.getSnapshot().keys()]).toEqual(["1", "local-1"]);
    answer.resolve({ ...two, id: "9" });
    await created;
    expect([...collection.getSnapshot().keys()].toSorted()).toEqual(["1", "10", "9"]);
  });

  it("shows the rows that were read meanwhile if the server refuses a new one", async () => {
    const collection = collectionOf(one);
    const [first, second] = [deferredResponse(), deferredResponse()];
    const refused = create(collection, "local-1", first.promise);
    const later = create(collection, "local-2", second.promise);
    const ticket = collection.startRead();
    collection.merge([one, { ...two, id: "9" }, { ...two, id: "10" }], ticket);
    collection.prune((item) => item.id === "10", ticket);
    first.reject(new Error("no"));
    await expect(refused).rejects.toThrow();
    expect([...collection.getSnapshot().keys()]).toEqual(["1", "local-2"]);
    second.resolve({ ...two, id: "11" });
    await later;
    expect([...collection.getSnapshot().keys()]).toEqual(["1", "9", "11"]);
  });

  it("is rolled back alone when the server refuses", async () => {
    const collection = collectionOf(one, two);
    const first = deferredResponse();
    const refused = rename(collection, "1", "uno", first.promise);
    const accepted = rename(collection, "2", "due", Promise.resolve({ ...two, name: "due" }));
    await accepted;
    first.reject(new Error("no"));
    await expect(refused).rejects.toThrow();
    expect(collection.get("1")?.name).toBe("one");
    expect(collection.get("2")?.name).toBe("due");
  });

  it("keeps a later change of the same row when an earlier one is refused", async () => {
    const collection = collectionOf(one);
    const first = deferredResponse();
    const second = deferredResponse();
    const refused = rename(collection, "1", "uno", first.promise);
    const accepted = rename(collection, "1", "eins", second.promise);
    first.reject(new Error("no"));
    await expect(refused).rejects.toThrow();
    expect(collection.get("1")?.name).toBe("eins");
    second.resolve({ ...one, name: "eins" });
    await accepted;
    expect(collection.get("1")?.name).toBe("eins");
  });

  it("sends writes to one row in order, and under the id that the server gave it", async () => {
    const collection = collectionOf();
    const sent: string[] = [];
    const made = writeOptimistically({
      collection,
      rowId: "local",
      apply: () => ({ id: "local", name: "new", rank: 0 }),
      send: async (id) => {
        sent.push(`create ${id}`);
        await Promise.resolve();
        return { id: "real", name: "new", rank: 0 };
      },
      confirm: (item) => item,
    });
    const renamed = writeOptimistically({
      collection,
      rowId: "local",
      apply: (item) => item && { ...item, name: "newer" },
      send: async (id) => {
        sent.push(`rename ${id}`);
        await Promise.resolve();
        return { id, name: "newer", rank: 0 };
      },
      confirm: (item) => item,
    });
    expect([...collection.getSnapshot().values()].map((item) => item.name)).toEqual(["newer"]);
    await Promise.all([made, renamed]);
    expect(sent).toEqual(["create local", "rename real"]);
    expect([...collection.getSnapshot().keys()]).toEqual(["real"]);
    expect(collection.get("local")?.name).toBe("newer");
  });
});

describe("a read that began before a write", () => {
  it("does not bring the old row back", () => {
    const collection = collectionOf(one);
    const ticket = collection.startRead();
    collection.begin({ rowId: "1", apply: (item) => item }).confirm({ ...one, name: "uno" });
    collection.merge([one], ticket);
    expect(collection.get("1")?.name).toBe("uno");
  });

  it("does not bring back a row that a write has removed since it began", () => {
    const collection = collectionOf(one, two);
    const ticket = collection.startRead();
    collection.drop(["1"]);
    collection.merge([one, two], ticket);
    expect([...collection.getSnapshot().keys()]).toEqual(["2"]);
    collection.merge([one, two], collection.startRead());
    expect(collection.get("1")).toEqual(one);
  });

  it("does not remove a row that was created in the meantime", () => {
    const collection = collectionOf(one);
    const ticket = collection.startRead();
    collection.begin({ rowId: "local", apply: () => two }).confirm(two);
    collection.prune((item) => item.id !== "1", ticket);
    expect(collection.get("2")).toEqual(two);
  });
});

describe("a refresh", () => {
  it("keeps the objects of rows that have not changed", () => {
    const collection = collectionOf(one, two);
    const before = collection.get("1");
    collection.merge([{ ...one }, { ...two, rank: 9 }], collection.startRead());
    expect(collection.get("1")).toBe(before);
    expect(collection.get("2")?.rank).toBe(9);
  });

  it("publishes nothing if nothing has changed", () => {
    const collection = collectionOf(one);
    const before = collection.getSnapshot();
    collection.subscribe(() => expect.unreachable());
    collection.merge([{ ...one }], collection.startRead());
    expect(collection.getSnapshot()).toBe(before);
  });

  it("removes rows that are gone", () => {
    const collection = collectionOf(one, two);
    collection.prune((item) => item.id === "2", collection.startRead());
    expect([...collection.getSnapshot().keys()]).toEqual(["1"]);
  });
});

describe("a row created on this page", () => {
  it("that was changed since does not hide what is read meanwhile, if its id is chosen here", () => {
    const collection = collectionOf();
    collection.begin({ rowId: "local-1", chosenId: "1", apply: (item) => item ?? { ...one, id: "local-1" } });
    collection.begin({ rowId: "local-1", apply: (item) => item && { ...item, name: "uno" } });
    collection.merge([two], collection.startRead());
    expect([...collection.getSnapshot().values()]).toEqual([two, { ...one, id: "local-1", name: "uno" }]);
  });

  it("keeps its key when the server assigns its id", () => {
    const collection = collectionOf();
    const pending = collection.begin({ rowId: "local", apply: () => ({ ...one, id: "local" }) });
    const before = collection.keyOf("local");
    pending.confirm(one);
    expect(collection.keyOf("1")).toBe(before);
    expect(collection.realId("local")).toBe("1");
  });
});
