import { createHash, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BUCKET, startS3Server, type TestStore } from "../testing/s3-server.ts";
import { createS3Client, type S3Client } from "./s3-client.ts";
import { StoreError } from "./store-error.ts";
import { parseStoreUrl } from "./store-place.ts";

const OPTIONS = { attempts: 3, deadlineMs: 10_000 };
/** A real store keeps what an earlier run has stored. */
const run = `${randomUUID()}/`;
let store: TestStore;
let client: S3Client;

beforeAll(async () => {
  store = await startS3Server();
  client = createS3Client(store.access, BUCKET, OPTIONS);
});
afterAll(() => store.close());

async function listAll(prefix: string, options?: Parameters<S3Client["list"]>[1]) {
  const found = { keys: [] as string[], prefixes: [] as string[] };
  for await (const { objects, prefixes } of client.list(prefix, options)) {
    found.keys.push(...objects.map(({ key }) => key));
    found.prefixes.push(...prefixes);
  }
  return found;
}

describe("objects", () => {
  it("have any key that a file can have", async () => {
    const keys = ["grö ß+e&<%41>.md", "it's (!) * ~.md", "日本/語.md", "sub/x.md", "sub/dir/"].map(
      (key) => `${run}keys/${key}`,
    );
    // A folder, as stores understand it, has no content.
    const contentOf = (key: string): string => (key.endsWith("/") ? "" : key);
    for (const key of keys) await client.put(key, Buffer.from(contentOf(key)));
    for (const key of keys) expect((await client.read(key))?.toString()).toBe(contentOf(key));
    expect((await listAll(`${run}keys/`, { pageSize: 2 })).keys.toSorted()).toEqual(keys.toSorted());
    const top = await listAll(`${run}keys/`, { delimiter: "/" });
    expect(top.prefixes.toSorted()).toEqual([`${run}keys/sub/`, `${run}keys/日本/`]);
    await client.remove(`${run}keys/sub/x.md`);
    expect(await client.read(`${run}keys/sub/x.md`)).toBeNull();
  });

  it("are stored only if the condition holds", async () => {
    const first = await client.put(`${run}c`, Buffer.from("1"), "new");
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(await client.put(`${run}c`, Buffer.from("2"), "new")).toBeNull();
    expect(await client.put(`${run}c`, Buffer.from("2"), { etag: "0".repeat(32) })).toBeNull();
    const second = await client.put(`${run}c`, Buffer.from("2"), { etag: first ?? "" });
    expect(await client.head(`${run}c`)).toMatchObject({ etag: second, size: 1 });
    expect(await client.put(`${run}gone`, Buffer.from("2"), { etag: first ?? "" })).toBeNull();
    await client.remove(`${run}c`, first ?? "");
    expect((await client.read(`${run}c`))?.toString()).toBe("2");
  });

  it("are copied, and read in part, only as they were expected", async () => {
    const etag = (await client.put(`${run}from/ä b`, Buffer.from("0123456789"))) ?? "";
    expect(await client.copy(`${run}from/ä b`, `${run}to/ü`, etag)).toBe(etag);
    const open = await client.open(`${run}to/ü`, { etag, range: { start: 2, length: 3 } });
    expect((await open?.bytes())?.toString()).toBe("234");
    expect(open?.size).toBe(10);
    expect(await client.open(`${run}to/ü`, { etag: "0".repeat(32) })).toBeNull();
    expect(await client.copy(`${run}none`, "to/x", etag)).toBeNull();
  });

  it("are sent in pieces, and again if the store fails", async () => {
    const content = Buffer.alloc(3_000_000, "x");
    const sha256 = createHash("sha256").update(content).digest("hex");
    let reads = 0;
    async function* read() {
      reads += 1;
      for (let at = 0; at < content.length; at += 500_000) yield content.subarray(at, at + 500_000);
    }
    let failures = 1;
    store.onRequest = (method) => {
      if (method === "PUT" && failures-- > 0) throw new Error("cut");
    };
    expect(await client.put(`${run}large`, { size: content.length, sha256, read }, "new")).not.toBeNull();
    store.onRequest = null;
    expect(reads).toBe(2);
    expect((await client.read(`${run}large`))?.equals(content)).toBe(true);
  });
});

describe("a response that breaks off", () => {
  const isList = (method: string, path: string) => method === "GET" && path.includes("list-type=2");

  it("is asked for again", async () => {
    await client.put(`${run}broken/a`, Buffer.from("content"));
    store.breakNextResponse = isList;
    expect((await listAll(`${run}broken/`)).keys).toEqual([`${run}broken/a`]);
    expect(store.breakNextResponse).toBeNull();
    store.breakNextResponse = (method) => method === "GET";
    expect((await client.read(`${run}broken/a`))?.toString()).toBe("content");
    expect(store.breakNextResponse).toBeNull();
  });

  it("is an error of the store if it breaks off every time", async () => {
    const once = createS3Client(store.access, BUCKET, { ...OPTIONS, attempts: 1 });
    store.breakNextResponse = isList;
    await expect(once.list(run).next()).rejects.toThrow(StoreError);
    const etag = (await client.put(`${run}broken/b`, Buffer.from("content"))) ?? "";
    store.breakNextResponse = (method) => method === "PUT";
    await expect(once.copy(`${run}broken/b`, `${run}broken/c`, etag)).rejects.toThrow(StoreError);
  });
});

describe("a store that is away", () => {
  it("is asked no more often than it may be", async () => {
    let requests = 0;
    store.onRequest = () => {
      requests += 1;
      throw new Error("cut");
    };
    await expect(client.read(`${run}c`)).rejects.toThrow(StoreError);
    store.onRequest = null;
    expect(requests).toBe(OPTIONS.attempts);
  });

  it("is reported in a sentence", async () => {
    store.isAway = true;
    await expect(client.read(`${run}c`)).rejects.toThrow(/^The store at .* cannot be reached/);
    store.isAway = false;
  });
});

describe("the URL of a place", () => {
  it("has a bucket and what keys begin with", () => {
    expect(parseStoreUrl("s3://bucket")).toEqual({ bucket: "bucket", prefix: "" });
    expect(parseStoreUrl("s3://bucket/of//ada/")).toEqual({ bucket: "bucket", prefix: "of/ada/" });
  });

  it.each(["s3://b", "s3://bucket/a?b", "s3://bucket/../x", "/srv"])("is refused otherwise: %s", (url) => {
    expect(() => parseStoreUrl(url)).toThrow("is not s3://bucket/path");
  });
});
