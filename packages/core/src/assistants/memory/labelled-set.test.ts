import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadLabelledSet } from "../../../testing/labelled-set/labelled-set.ts";
import { measureContext } from "../../../testing/labelled-set/measure-context.ts";
import { measureExtraction, type ExtractionFigures } from "../../../testing/labelled-set/measure-extraction.ts";
import { createScriptedModel } from "../../../testing/labelled-set/scripted-model.ts";
import { createTestDeps } from "../../../testing/test-deps.ts";
import { createSessionTranscriptService } from "../transcripts/session-transcript.service.ts";
import { createTranscriptSource } from "../transcripts/transcript-source.ts";
import { createMemoryExtractionService } from "./memory-extraction.service.ts";
import { createMemoryService, type MemoryService } from "./memory.service.ts";

const sessions = loadLabelledSet();

let database: TestDatabase;
let memory: MemoryService;
let extraction: ExtractionFigures;

beforeAll(async () => {
  database = await createTestDatabase();
  const deps = createTestDeps(database.db, "2026-06-01T12:00:00Z");
  const model = createScriptedModel(database.db);
  const transcripts = createTranscriptSource({ roots: [], maxBytes: 0 });
  memory = createMemoryService(deps);
  const sessionTranscripts = createSessionTranscriptService({ ...deps, keepsTranscripts: true });
  const service = createMemoryExtractionService({ ...deps, model, transcripts, sessionTranscripts });
  extraction = await measureExtraction(sessions, { extraction: service, memory, model, clock: deps.clock });
});
afterAll(() => database.close());

describe("the labelled set", () => {
  test("has at least 40 sessions, of several assistants and languages", () => {
    expect(sessions.length).toBeGreaterThanOrEqual(40);
    expect(new Set(sessions.map((session) => session.format)).size).toBe(5);
    expect(new Set(sessions.map((session) => session.language)).size).toBeGreaterThanOrEqual(10);
  });

  test("labels only what was said", () => {
    for (const { turns, memories } of sessions) {
      const said = turns
        .map((turn) => ("user" in turn ? turn.user : "assistant" in turn ? turn.assistant : ""))
        .join("\n");
      for (const { excerpt } of memories) expect(said).toContain(excerpt);
    }
  });
});

describe("extraction", () => {
  test("stores all that is labelled, and nothing else that the model proposes", () => {
    expect(extraction).toMatchObject({ right: extraction.labelled, stored: extraction.labelled, duplicates: 0 });
    expect(extraction.proposed).toBeGreaterThan(4 * extraction.labelled);
  });

  test("flags what repeats an earlier session, and only that", () => {
    expect(extraction.repeats).toBeGreaterThan(0);
    expect(extraction.flagged).toBe(extraction.repeats);
  });

  test("of all sessions again asks nothing and adds nothing", () => {
    expect(extraction).toMatchObject({ storedAgain: 0, askedAgain: 0 });
  });
});

test("a context puts what helps before what is merely new", async () => {
  const { context, byRecency } = await measureContext(sessions, memory);
  expect(context).toBeGreaterThan(byRecency + 0.1);
});
