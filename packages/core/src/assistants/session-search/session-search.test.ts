import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "../../../testing/test-deps.ts";
import { createSessionTranscriptService } from "../transcripts/session-transcript.service.ts";
import type { Turn } from "../transcripts/transcript-turns.ts";
import { matchingExcerpt } from "./matching-excerpt.ts";
import { createSessionSearchService } from "./session-search.service.ts";
import type { SearchSessions } from "./session-search.schema.ts";
import { createTurnIndex } from "./turn-index.ts";

let database: TestDatabase;
let deps: TestDeps;

beforeAll(async () => {
  database = await createTestDatabase();
  deps = createTestDeps(database.db, "2026-06-01T12:00:00Z");
  const transcripts = createSessionTranscriptService({ ...deps, keepsTranscripts: true });
  const turns: Turn[] = [
    { kind: "user", text: "Why does the checkout fail?", occurredAt: "2026-05-01T08:00:00.000Z" },
    { kind: "tool_call", toolName: "Bash", text: '{"command":"grep -rn retryPolicy\\nsrc/webhooks.ts"}' },
    { kind: "tool_result", text: `src/webhooks.ts:12: const retryPolicy = ${"padding ".repeat(80)}` },
    { kind: "assistant", text: "The retries are exhausted: the payment service answers after forty seconds." },
  ];
  await transcripts.add({ sessionId: "shop", projectPath: "/shop" }, turns);
  await transcripts.add({ sessionId: "blog", projectPath: "/blog" }, [
    { kind: "user", text: "Retry the deployment of the blog" },
    { kind: "assistant", text: "Deployed." },
  ]);
  // Two processes index side by side.
  await Promise.all([createTurnIndex(deps).catchUp(), createTurnIndex(deps).catchUp()]);
});
afterAll(() => database.close());

const search = (query: string, over: Partial<SearchSessions> = {}) =>
  createSessionSearchService(deps).search({ query, limit: 10, ...over });
const found = async (query: string, over: Partial<SearchSessions> = {}) =>
  (await search(query, over)).map(({ sessionId, position }) => `${sessionId} ${position}`);

describe("searching sessions", () => {
  test("returns turns with their place and an excerpt", async () => {
    expect((await search("payments answering"))[0]).toEqual({
      sessionId: "shop",
      projectPath: "/shop",
      position: 4,
      kind: "assistant",
      toolName: null,
      occurredAt: null,
      excerpt: "The retries are exhausted: the payment service answers after forty seconds.",
    });
  });

  test("finds words in any form, identifiers by their parts, and what tools were given", async () => {
    expect(await found("failing checkouts")).toContain("shop 1");
    expect(await found("retry policy")).toEqual(expect.arrayContaining(["shop 2", "shop 3"]));
    expect(await found("src/webhooks.ts")).toEqual(expect.arrayContaining(["shop 2", "shop 3"]));
    expect(await found("nothing of the kind")).toEqual([]);
    expect(await found("%")).toEqual([]);
  });

  test("is restricted to a project or a session", async () => {
    expect(await found("retry")).toEqual(expect.arrayContaining(["shop 4", "blog 1"]));
    expect(await found("retry", { projectPath: "/blog/" })).toEqual(["blog 1"]);
    expect(await found("retry", { sessionId: "shop" })).not.toContain("blog 1");
    expect(await found("retry", { sessionId: "none" })).toEqual([]);
    expect(await found("retry", { limit: 1 })).toHaveLength(1);
  });

  test("finds what was added, once it is indexed, and nothing that was deleted", async () => {
    const transcripts = createSessionTranscriptService({ ...deps, keepsTranscripts: true });
    const turns: Turn[] = [{ kind: "user", text: "A zebra" }];
    await transcripts.add({ sessionId: "zoo", projectPath: null }, turns);
    await createTurnIndex(deps).catchUp();
    await transcripts.add({ sessionId: "zoo", projectPath: null }, [...turns, { kind: "user", text: "More zebras" }]);
    await createTurnIndex(deps).catchUp();
    expect(new Set(await found("zebra"))).toEqual(new Set(["zoo 1", "zoo 2"]));
    await database.db.pool.query("DELETE FROM session_transcripts WHERE session_id = 'zoo'");
    expect(await found("zebra")).toEqual([]);
  });
});

describe("an excerpt", () => {
  test("is the part with most of the words", () => {
    const text = `retry ${"a ".repeat(500)} the retries\nof a webhook ${"b ".repeat(500)}`;
    const excerpt = matchingExcerpt(text, ["retry", "webhook"]);
    expect(excerpt).toContain("the retries of a webhook");
    expect(excerpt.length).toBeLessThan(250);
    expect(excerpt).toMatch(/^….*…$/);
  });

  test("is the beginning if there is none, or the whole of a short text", () => {
    expect(matchingExcerpt(`begin ${"x ".repeat(500)}`, ["zebra"])).toMatch(/^begin x.*…$/);
    expect(matchingExcerpt(" a\n b ", ["b"])).toBe("a b");
  });
});
