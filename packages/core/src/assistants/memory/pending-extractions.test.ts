import { transaction } from "@workspace/db";
import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "../../../testing/test-deps.ts";
import { UnavailableError } from "../../platform/errors.ts";
import { createSessionTranscriptService } from "../transcripts/session-transcript.service.ts";
import { createTranscriptSource } from "../transcripts/transcript-source.ts";
import type { ExtractionModel } from "./extraction-model.ts";
import { createMemoryExtractionService } from "./memory-extraction.service.ts";
import { createMemoryService } from "./memory.service.ts";

let database: TestDatabase;
let deps: TestDeps;
let askedCount: number;

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  await database.db.pool.query("TRUNCATE memory_chunks, memory_extractions, pending_extractions CASCADE");
  deps = createTestDeps(database.db, "2026-06-01T12:00:00Z");
  askedCount = 0;
});
afterAll(() => database.close());

const EXCERPT = "we use pnpm because of the workspace protocol";
const PNPM = { type: "decision", content: "The repo uses pnpm.", excerpt: EXCERPT, relevance: 0.9 };
const said = (content: string) => JSON.stringify({ type: "user", message: { role: "user", content } });

function answering(answer: () => unknown): ExtractionModel {
  return {
    requireModel: () => Promise.resolve(),
    async ask(_question, save) {
      askedCount += 1;
      const text = JSON.stringify({ memories: answer() });
      await transaction(database.db.pool, (client) => save(client, text));
    },
  };
}

const extractor = (model: ExtractionModel) =>
  createMemoryExtractionService({
    ...deps,
    model,
    transcripts: createTranscriptSource({ roots: [], maxBytes: 0 }),
    sessionTranscripts: createSessionTranscriptService({ ...deps, keepsTranscripts: true }),
  });
const proposing = (memory: object) => extractor(answering(() => [memory]));

describe("what was handed over", () => {
  const handOver = { sessionId: "s", projectPath: "/p", transcript: said(`Remember: ${EXCERPT}.`), extract: true };
  const contents = async () =>
    (await createMemoryService(deps).list({ limit: 10, deleted: false })).items.map(({ content }) => content);

  test("is acknowledged at once, and extracted later, once", async () => {
    const extraction = proposing(PNPM);
    expect(await extraction.keep(handOver)).toMatchObject({ turnCount: 1 });
    await extraction.keep(handOver);
    expect(askedCount).toBe(0);
    expect(await extraction.extractionStatus()).toEqual({ isModelConfigured: true, pending: 1, lastError: null });
    await Promise.all([extraction.extractPending(), proposing(PNPM).extractPending()]);
    expect({ askedCount, contents: await contents() }).toEqual({ askedCount: 1, contents: [PNPM.content] });
    await extraction.keep(handOver);
    expect(await extraction.extractionStatus()).toMatchObject({ pending: 0 });
  });

  test("waits until a model is configured", async () => {
    const missing = {
      ...answering(() => []),
      requireModel: () => Promise.reject(new UnavailableError("No model.")),
    };
    const without = extractor(missing);
    await without.keep(handOver);
    await without.extractPending();
    expect(await without.extractionStatus()).toEqual({ isModelConfigured: false, pending: 1, lastError: null });
    await proposing(PNPM).extractPending();
    expect(await contents()).toEqual([PNPM.content]);
  });

  test("is tried again later if the model fails, and given up after a month", async () => {
    let isBroken = true;
    const extraction = extractor(
      answering(() => {
        if (isBroken) throw new UnavailableError("The model is tired.");
        return [PNPM];
      }),
    );
    await extraction.keep(handOver);
    await extraction.extractPending();
    await extraction.extractPending();
    expect(askedCount).toBe(1);
    expect(await extraction.extractionStatus()).toMatchObject({ pending: 1, lastError: "The model is tired." });
    deps.clock.set("2026-06-01T12:02:00Z");
    isBroken = false;
    await extraction.extractPending();
    expect(await contents()).toEqual([PNPM.content]);
    await extraction.keep({ ...handOver, transcript: said("Something else.") });
    isBroken = true;
    await extraction.extractPending();
    deps.clock.set("2026-07-02T12:02:00Z");
    await extraction.extractPending();
    expect(await extraction.extractionStatus()).toMatchObject({ pending: 0 });
  });
});
