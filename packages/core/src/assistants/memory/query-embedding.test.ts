import { expect, test } from "vitest";
import { silentLogger } from "../../platform/logger.ts";
import { EmbeddingError, type EmbeddingModel, type Embeddings } from "./embedding-model.ts";
import { createQueryEmbeddings, SEARCH_WAIT_MS } from "./query-embedding.ts";

const LONG_MS = 60_000;
const GIVEN: Embeddings = { space: "model/2", vectors: [Float32Array.of(1, 0)] };

/** Vectors of queries by a model that counts how often it is asked. */
function setUp(embed: (text: string) => Promise<Embeddings>) {
  const asked: string[] = [];
  const model: EmbeddingModel = {
    embed({ texts: [text = ""] }) {
      asked.push(text);
      return embed(text);
    },
  };
  const queries = createQueryEmbeddings({ model, logger: silentLogger }, new AbortController().signal);
  return { queries, asked };
}

/** A response that arrives when it is resolved. */
function pending() {
  let resolve: (embeddings: Embeddings) => void = () => undefined;
  const promise = new Promise<Embeddings>((settle) => (resolve = settle));
  return { promise, resolve: (embeddings: Embeddings) => resolve(embeddings) };
}

test("the same query is asked for once", async () => {
  const { queries, asked } = setUp(async () => GIVEN);
  const found = await Promise.all([queries.find("a query", LONG_MS), queries.find(" a query ", LONG_MS)]);
  expect(found).toMatchObject([{ space: "model/2" }, { space: "model/2" }]);
  expect(await queries.find("a query", LONG_MS)).toEqual(found[0]);
  expect(asked).toEqual(["a query"]);
});

test("a model that does not respond is not waited for again, and neither is it for prompts", async () => {
  const { queries, asked } = setUp(() => new Promise(() => undefined));
  expect(await queries.find("one", SEARCH_WAIT_MS)).toBeNull();
  expect(queries.problem).toBe("slow");
  expect(await queries.find("another", SEARCH_WAIT_MS)).toBeNull();
  expect(await queries.find("another", 1)).toBeNull();
  expect(asked).toEqual(["one"]);
});

test("a model that is too slow for prompts still serves searches", async () => {
  const { promise, resolve } = pending();
  const { queries } = setUp(() => promise);
  expect(await queries.find("one", 1)).toBeNull();
  expect(queries.problem).toBeNull();
  resolve(GIVEN);
  expect(await queries.find("another", LONG_MS)).toMatchObject({ space: "model/2" });
});

test("a response that comes too late serves the next search for the same", async () => {
  const { promise, resolve } = pending();
  const { queries } = setUp(() => promise);
  expect(await queries.find("one", 1)).toBeNull();
  resolve(GIVEN);
  await promise;
  expect(await queries.find("one", 1)).toMatchObject({ space: "model/2" });
});

test("after a failure no search asks for a while", async () => {
  const { queries, asked } = setUp(async () => {
    throw new EmbeddingError("unavailable", { cause: undefined });
  });
  expect(await queries.find("one", LONG_MS)).toBeNull();
  expect(await queries.find("another", LONG_MS)).toBeNull();
  expect(queries.problem).toBe("unavailable");
  expect(asked).toEqual(["one"]);
});

test("a text that is refused does not keep others from being asked for", async () => {
  const { queries } = setUp(async (text) => {
    if (text === "unspeakable") throw new EmbeddingError("refused", { cause: undefined, isAboutTexts: true });
    return GIVEN;
  });
  expect(await queries.find("unspeakable", LONG_MS)).toBeNull();
  expect(await queries.find("another", LONG_MS)).not.toBeNull();
  expect(queries.problem).toBeNull();
});

test("an empty query, and one of spaces, is not asked for", async () => {
  const { queries, asked } = setUp(async () => GIVEN);
  expect([await queries.find("", LONG_MS), await queries.find("  ", LONG_MS)]).toEqual([null, null]);
  expect(asked).toEqual([]);
});
