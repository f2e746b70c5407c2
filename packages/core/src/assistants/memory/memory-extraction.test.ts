import { transaction } from "@workspace/db";
import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDeps, createTestRedactor, type TestDeps } from "../../../testing/test-deps.ts";
import { PaymentRequiredError, UnavailableError } from "../../platform/errors.ts";
import { createSessionTranscriptService } from "../transcripts/session-transcript.service.ts";
import { createTranscriptSource } from "../transcripts/transcript-source.ts";
import type { ExtractionModel } from "./extraction-model.ts";
import { createMemoryExtractionService } from "./memory-extraction.service.ts";
import { createMemoryService } from "./memory.service.ts";

interface Proposal {
  readonly type?: unknown;
  readonly content?: unknown;
  readonly excerpt?: unknown;
  readonly relevance?: unknown;
}

let database: TestDatabase;
let deps: TestDeps;
/** The windows that the model was asked about. */
let asked: string[];

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  await database.db.pool.query(
    "TRUNCATE memory_chunks, forgotten_memories, memory_extractions, session_transcripts CASCADE",
  );
  deps = createTestDeps(database.db, "2026-06-01T12:00:00Z");
  asked = [];
});
afterAll(() => database.close());

/** A model that answers each window with what `answer` makes of it. */
function scripted(answer: (window: string) => unknown): ExtractionModel {
  return {
    requireModel: () => Promise.resolve(),
    async ask({ messages }, save) {
      const window = messages.at(-1)?.content ?? "";
      asked.push(window);
      const answered = answer(window);
      const text = typeof answered === "string" ? answered : JSON.stringify({ memories: answered });
      await transaction(database.db.pool, (client) => save(client, text));
    },
  };
}

/** A model that answers only when so many calls have come to need it, so that none comes after the answer. */
function answeringAfter(callCount: number, model: ExtractionModel): ExtractionModel {
  let calls = 0;
  let open = () => {};
  const allCame = new Promise<void>((resolve) => (open = resolve));
  return {
    async requireModel() {
      calls += 1;
      if (calls === callCount) open();
    },
    async ask(...question) {
      await allCame;
      await model.ask(...question);
    },
  };
}

const extractor = (model: ExtractionModel) =>
  createMemoryExtractionService({
    ...deps,
    model,
    transcripts: createTranscriptSource({ roots: [], maxBytes: 0 }),
    sessionTranscripts: sessionTranscripts(),
  });
const sessionTranscripts = () => createSessionTranscriptService({ ...deps, keepsTranscripts: true });
const proposing = (...proposals: Proposal[]) => extractor(scripted(() => proposals));

const lines = (...records: object[]) => records.map((record) => JSON.stringify(record)).join("\n");
const said = (text: string) => ({ type: "user", message: { role: "user", content: text } });
const EXCERPT = "we use pnpm because of the workspace protocol";
const PNPM = { type: "decision", content: "The repo uses pnpm.", excerpt: EXCERPT, relevance: 0.9 };
const TRANSCRIPT = lines(said(`Remember: ${EXCERPT}.`), {
  type: "assistant",
  message: { id: "m", content: [{ type: "text", text: "Noted." }] },
});

const countMemories = async () => {
  const { rows } = await database.db.pool.query<{ count: number }>("SELECT count(*) FROM memory_chunks");
  return rows[0]?.count;
};

describe("extraction", () => {
  test("stores what the model finds, with its session, project and passage", async () => {
    const { data, message } = await proposing(PNPM).extract({
      transcript: TRANSCRIPT,
      sessionId: "s",
      projectPath: "/p/",
    });
    expect(message).toBe("Extracted 1 memories");
    expect(data).toMatchObject([
      {
        chunkType: "decision",
        content: PNPM.content,
        sourceExcerpt: EXCERPT,
        sourceTurn: 1,
        relevanceScore: 0.9,
        sessionId: "s",
        projectPath: "/p",
        accessCount: 0,
      },
    ]);
    expect(deps.changes).toMatchObject([
      { resource: "hook", action: "edit", resourceId: "s" },
      { resource: "memory", action: "create", resourceId: data[0]?.id },
    ]);
    const memory = createMemoryService(deps);
    expect(await memory.explainRecall({ id: data[0]?.id ?? "" })).toMatchObject({
      extractedAt: "2026-06-01T12:00:00.000Z",
    });
  });

  test("notes which of the given memories the session used, unless a tool had shown it the same", async () => {
    const memory = createMemoryService(deps);
    const { id } = await memory.store({ content: "Staging listens on port 54330", chunkType: "fact" });
    const known = await memory.store({ content: "Answers are cached by `replyCache`", chunkType: "fact" });
    const given = { reason: "session_start", tokens: 20, givenAt: deps.clock.now().toISOString() } as const;
    await memory.injections.record({ injections: [{ ...given, sessionId: "s", memoryIds: [id, known.id] }] });
    const result = { type: "tool_result", content: "const replyCache = new Map();" };
    const transcript = lines(
      { type: "user", message: { role: "user", content: [result] } },
      { type: "assistant", message: { id: "m", content: [{ type: "text", text: "`replyCache`, on port 54330." }] } },
    );
    await proposing().extract({ transcript, sessionId: "s" });
    const usedAt = async (memoryId: string) =>
      (await memory.injections.list({ id: memoryId, limit: 1 })).items.map((injection) => injection.usedAt);
    expect(await usedAt(id)).toEqual(["2026-06-01T12:00:00.000Z"]);
    expect(await usedAt(known.id)).toEqual([null]);
  });

  test("made twice adds nothing and asks nothing", async () => {
    await proposing(PNPM).extract({ transcript: TRANSCRIPT });
    asked.length = 0;
    expect(await proposing({ ...PNPM, content: "Reworded entirely" }).extract({ transcript: TRANSCRIPT })).toEqual({
      data: [],
      message: "No memories worth extracting",
    });
    expect(asked).toEqual([]);
    expect(await countMemories()).toBe(1);
  });

  test("asked for twice at once, in one process or two, stores once", async () => {
    const input = { transcript: TRANSCRIPT, sessionId: "s" };
    const one = extractor(
      answeringAfter(
        2,
        scripted(() => [PNPM]),
      ),
    );
    const other = proposing({ ...PNPM, content: "Said by the other process" });
    const answers = await Promise.all([one.extract(input), one.extract(input), other.extract(input)]);
    expect(answers[0]).toEqual(answers[1]);
    expect(await countMemories()).toBe(1);
    expect(asked.length).toBeLessThanOrEqual(2);
  });

  test("of a session that has grown asks about what is new only", async () => {
    const long = Array.from({ length: 60 }, (_, index) => said(`Turn ${index}: ${"words ".repeat(150)}`));
    const service = extractor(scripted(() => []));
    await service.extract({ transcript: lines(...long) });
    const windowCount = asked.length;
    expect(windowCount).toBeGreaterThan(1);
    asked.length = 0;
    await service.extract({ transcript: lines(...long, said("And one thing more.")) });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toContain("And one thing more.");
  });

  test("says in which turn of the session a memory was learnt", async () => {
    const filler = Array.from({ length: 80 }, (_, index) => said(`Turn ${index + 1}: ${"words ".repeat(400)}`));
    const model = scripted((window) => (window.includes(EXCERPT) ? [PNPM] : []));
    await extractor(scripted(() => [])).extract({ transcript: lines(...filler.slice(0, 30)), sessionId: "where" });
    const { data } = await extractor(model).extract({
      transcript: lines(...filler, said(`By the way, ${EXCERPT}.`), said("Go on")),
      sessionId: "where",
    });
    expect(data).toMatchObject([{ sourceTurn: 81 }]);
  });

  test("reads a long transcript whole, in parts", async () => {
    const filler = (index: number) => said(`Turn ${index}: ${"words ".repeat(400)}`);
    const records = Array.from({ length: 100 }, (_, index) => filler(index));
    records.splice(67, 0, said(`In the middle: ${EXCERPT}.`));
    const model = scripted((window) => (window.includes(EXCERPT) ? [PNPM] : []));
    const { data } = await extractor(model).extract({ transcript: lines(...records) });
    expect(data).toMatchObject([{ sourceTurn: null }]);
    expect(asked.length).toBeGreaterThan(5);
    for (let index = 0; index < 100; index += 1)
      expect(asked.some((window) => window.includes(`Turn ${index}:`))).toBe(true);
  });

  test("is asked about no reminder and no memory of earlier sessions", async () => {
    const memory = createMemoryService(deps);
    await memory.store({ content: "An old memory of the project", chunkType: "fact" });
    const { formatted } = await memory.context({ limit: 5 });
    const transcript = lines(said(`<system-reminder>Injected.</system-reminder>${formatted}\n\nReal words.`));
    await extractor(scripted(() => [{ ...PNPM, excerpt: "An old memory of the project" }])).extract({ transcript });
    expect(asked.join()).not.toMatch(/Injected|An old memory/);
    expect(asked.join()).toContain("Real words.");
    expect(await countMemories()).toBe(1);
  });

  test("is asked about no value of a secret, and stores none", async () => {
    const redactor = createTestRedactor("s3cr3t");
    const transcripts = createTranscriptSource({ roots: [], maxBytes: 0 });
    const model = scripted(() => [{ ...PNPM, excerpt: "The password is [secret] as always" }]);
    const guarded = createMemoryExtractionService({
      ...deps,
      redactor,
      transcripts,
      sessionTranscripts: sessionTranscripts(),
      model,
    });
    const { data } = await guarded.extract({ transcript: "The password is s3cr3t as always" });
    expect(asked.join()).not.toContain("s3cr3t");
    expect(data).toHaveLength(1);
  });
});

describe("what the model proposes", () => {
  test.each<[string, Proposal]>([
    ["an excerpt that nobody said", { ...PNPM, excerpt: "we use yarn because of plug and play" }],
    ["no excerpt", { ...PNPM, excerpt: "" }],
    ["an unknown type", { ...PNPM, type: "opinion" }],
    ["no content", { ...PNPM, content: "  " }],
    ["content that is no text", { ...PNPM, content: 5 }],
  ])("with %s is left out", async (_what, proposal) => {
    const { data } = await proposing(proposal, PNPM).extract({ transcript: TRANSCRIPT });
    expect(data.map(({ content }) => content)).toEqual([PNPM.content]);
  });

  test("is taken with a relevance of a half where it gives none that makes sense", async () => {
    const { data } = await proposing({ ...PNPM, relevance: 7 }).extract({ transcript: TRANSCRIPT });
    expect(data).toMatchObject([{ relevanceScore: 0.5 }]);
  });

  test("twice, or known already in the project, is stored once", async () => {
    await createMemoryService(deps).store({ content: "the repo uses PNPM", chunkType: "fact", projectPath: "/p" });
    const other = { ...PNPM, content: "Tests are run with Vitest", excerpt: "Remember: we use pnpm" };
    const { data } = await proposing(PNPM, other, { ...other, content: "tests are run with  `vitest`" }).extract({
      transcript: TRANSCRIPT,
      projectPath: "/p",
    });
    expect(data.map(({ content }) => content)).toEqual(["Tests are run with Vitest"]);
  });

  test("from a passage of the session that has its memory already is not stored again in other words", async () => {
    await proposing(PNPM).extract({ transcript: TRANSCRIPT, sessionId: "s" });
    const grown = `${TRANSCRIPT}\n${lines(said("Goodbye."))}`;
    const { data } = await proposing({ ...PNPM, content: "pnpm manages the packages" }).extract({
      transcript: grown,
      sessionId: "s",
    });
    expect(data).toEqual([]);
  });

  test("after it was forgotten does not come back", async () => {
    const memory = createMemoryService(deps);
    const first = await proposing(PNPM).extract({ transcript: TRANSCRIPT });
    await memory.delete(first.data[0]?.id ?? "");
    const { data } = await proposing(PNPM).extract({ transcript: `${TRANSCRIPT}\n${lines(said("Goodbye."))}` });
    expect(data).toEqual([]);
  });

  describe("nearly like what was forgotten", () => {
    const FORGOTTEN = "The staging database is reset every night at 3:00 from an anonymised dump of production.";
    const propose = async (content: string) => {
      const transcript = `${TRANSCRIPT}\n${lines(said(content))}`;
      return (await proposing({ ...PNPM, content }).extract({ transcript, projectPath: "/p" })).data;
    };
    const forget = async () => {
      const memory = createMemoryService(deps);
      const { id } = await memory.store({ content: FORGOTTEN, chunkType: "fact", projectPath: "/p" });
      await memory.delete(id);
      return id;
    };

    test.each([
      "The staging database is reset each night at 3:00 from an anonymised production dump",
      "the Staging database is reset, every night at 3:00, from an anonymized dump of production",
    ])("does not come back, also after it is purged: %s", async (content) => {
      await forget();
      expect(await propose(content)).toEqual([]);
      deps.clock.set("2026-09-01T12:00:00Z");
      await createMemoryService(deps).deleteMany([]);
      expect(await countMemories()).toBe(0);
      expect(await propose(`${content} `)).toEqual([]);
    });

    test.each([
      "The staging database is reset every night at 4:00 from an anonymised dump of production.",
      "The staging database is reset every week at 3:00 from an anonymised dump of production.",
      "The demo database is reset every night at 3:00 from an anonymised dump of production.",
      "The staging database is not reset every night at 3:00 from an anonymised dump of production.",
      "The staging queue is emptied once a week",
    ])("but saying something else is stored: %s", async (content) => {
      await forget();
      expect(await propose(content)).toHaveLength(1);
    });

    test("is stored after that was restored", async () => {
      const id = await forget();
      await createMemoryService(deps).restore([id]);
      expect(await propose(`${FORGOTTEN} Each night.`)).toMatchObject([{ nearDuplicateOfId: id }]);
    });

    test("is stored in another project", async () => {
      await forget();
      const { data } = await proposing({ ...PNPM, content: FORGOTTEN }).extract({
        transcript: TRANSCRIPT,
        projectPath: "/other",
      });
      expect(data).toHaveLength(1);
    });
  });

  test("in words much like a known memory's is kept and flagged", async () => {
    const known = await createMemoryService(deps).store({
      content: "The repository uses pnpm for packages",
      chunkType: "fact",
    });
    const { data } = await proposing({ ...PNPM, content: "The repository uses pnpm for its packages" }).extract({
      transcript: TRANSCRIPT,
    });
    expect(data).toMatchObject([{ nearDuplicateOfId: known.id }]);
  });

  test("may stand in a code fence", async () => {
    const model = scripted(() => `Here you are:\n\`\`\`json\n${JSON.stringify({ memories: [PNPM] })}\n\`\`\``);
    expect((await extractor(model).extract({ transcript: TRANSCRIPT })).data).toHaveLength(1);
  });

  test("may hold what cannot be stored, which is left out of it", async () => {
    const { data } = await proposing({ ...PNPM, content: "a\0b\ud800c" }).extract({ transcript: TRANSCRIPT });
    expect(data).toMatchObject([{ content: "ab\ufffdc" }]);
  });

  test("that is no list at all leaves the part for the next time", async () => {
    const { data } = await extractor(scripted(() => "I cannot do that.")).extract({ transcript: TRANSCRIPT });
    expect(data).toEqual([]);
    expect((await proposing(PNPM).extract({ transcript: TRANSCRIPT })).data).toHaveLength(1);
  });
});

describe("a model that fails", () => {
  test("in the middle leaves what is paid for, and the next call goes on from there", async () => {
    const records = Array.from({ length: 40 }, (_, index) => said(`Turn ${index}: ${"words ".repeat(400)}`));
    const transcript = lines(said(EXCERPT), ...records);
    let callCount = 0;
    const failing = scripted((window) => {
      callCount += 1;
      if (callCount > 2) throw new PaymentRequiredError("The day's budget is spent.");
      return window.includes(EXCERPT) ? [PNPM] : [];
    });
    await expect(extractor(failing).extract({ transcript })).rejects.toThrow(PaymentRequiredError);
    expect(await countMemories()).toBe(1);
    asked.length = 0;
    await extractor(scripted(() => [])).extract({ transcript });
    expect(asked.join()).not.toContain(EXCERPT);
    expect(await countMemories()).toBe(1);
  });

  test("to exist is said before anything else is done", async () => {
    const none: ExtractionModel = {
      requireModel: () => Promise.reject(new UnavailableError("No model is configured.")),
      ask: () => Promise.reject(new Error("asked all the same")),
    };
    await expect(extractor(none).extract({ transcript: TRANSCRIPT, sessionId: "s" })).rejects.toThrow(UnavailableError);
    const { data } = await sessionTranscripts().get({ sessionId: "s", limit: 10, from: 1 });
    expect(data.turns).toMatchObject([{ kind: "user" }, { kind: "assistant", text: "Noted." }]);
  });
});
