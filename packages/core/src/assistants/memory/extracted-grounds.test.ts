import { transaction } from "@workspace/db";
import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "../../../testing/test-deps.ts";
import { createSessionTranscriptService } from "../transcripts/session-transcript.service.ts";
import { createTranscriptSource } from "../transcripts/transcript-source.ts";
import { createMemoryExtractionService } from "./memory-extraction.service.ts";
import { createMemoryService } from "./memory.service.ts";

let database: TestDatabase;
let deps: TestDeps;
/** What the model was shown besides its instructions and the part of the session. */
let shown: string[];

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  await database.db.pool.query("TRUNCATE memory_chunks, forgotten_memories, memory_extractions CASCADE");
  deps = createTestDeps(database.db, "2026-06-01T12:00:00Z");
  shown = [];
});
afterAll(() => database.close());

/** Extraction with a model that always proposes this memory. */
const proposing = (proposal: object) =>
  createMemoryExtractionService({
    ...deps,
    transcripts: createTranscriptSource({ roots: [], maxBytes: 0 }),
    sessionTranscripts: createSessionTranscriptService({ ...deps, keepsTranscripts: true }),
    model: {
      requireModel: () => Promise.resolve(),
      async ask({ messages }, save) {
        shown.push(...messages.slice(1, -1).map(({ content }) => content));
        await transaction(database.db.pool, (client) => save(client, JSON.stringify({ memories: [proposal] })));
      },
    },
  });

const lines = (...records: object[]) => records.map((record) => JSON.stringify(record)).join("\n");
const said = (text: string) => ({ type: "user", message: { role: "user", content: text } });
const EXCERPT = "we use pnpm because of the workspace protocol";
const PNPM = { type: "decision", content: "The repo uses pnpm.", excerpt: EXCERPT, relevance: 0.9 };

describe("extraction", () => {
  test("replaces a memory that the session contradicts, which is shown to the model if the session is about it", async () => {
    const memory = createMemoryService(deps);
    const old = await memory.store({ content: "The repo uses npm with workspaces.", chunkType: "decision" });
    await memory.store({ content: "Invoices are numbered per year.", chunkType: "fact" });
    const { data } = await proposing({ ...PNPM, replaces: 1 }).extract({
      transcript: lines(said(`The repo drops npm workspaces: ${EXCERPT}.`)),
    });
    expect(shown.join()).toContain("1. The repo uses npm with workspaces.");
    expect(shown.join()).not.toContain("Invoices");
    expect(await memory.get(old.id)).toMatchObject({ supersededById: data[0]?.id });
    expect(deps.changes.slice(-2)).toMatchObject([
      { action: "create", resourceId: data[0]?.id },
      { action: "edit", resourceId: old.id },
    ]);
    const back = { ...PNPM, content: old.content, excerpt: "back to npm with workspaces", replaces: 1 };
    const again = await proposing(back).extract({
      transcript: lines(said("The repo uses pnpm no more: back to npm with workspaces")),
    });
    expect(again.data).toMatchObject([{ content: old.content, supersededById: null }]);
    expect(await memory.get(data[0]?.id ?? "")).toMatchObject({ supersededById: again.data[0]?.id });
  });

  test("shows the model what was forgotten and may be said again, and checks its answer all the same", async () => {
    const memory = createMemoryService(deps);
    const content = "The basket cookie lives exactly nine days because the law says so";
    const { id } = await memory.store({ content, chunkType: "fact", projectPath: "/p" });
    await memory.store({ content: "Invoices are numbered per year.", chunkType: "fact", projectPath: "/p" });
    for (let count = 1; count <= 15; count += 1) {
      const other = await memory.store({
        content: `The basket cookie of shop ${count} lives exactly nine days`,
        chunkType: "fact",
        projectPath: count > 13 ? "/other" : "/p",
      });
      await memory.delete(other.id);
    }
    await memory.delete(id);
    const excerpt = "the basket cookie lives exactly nine days";
    const extract = async (proposed: string) =>
      (
        await proposing({ ...PNPM, content: proposed, excerpt }).extract({
          transcript: lines(said(`Again, ${excerpt}, as the law says: ${proposed}`)),
          projectPath: "/p",
        })
      ).data.map((stored) => stored.content);
    expect(await extract(`${content}.`)).toEqual([]);
    const forgotten = shown.find((prompt) => prompt.includes("<forgotten>"))?.split("\n") ?? [];
    expect(forgotten).toContain(`- ${content}`);
    expect(forgotten.filter((line) => line.startsWith("- "))).toHaveLength(10);
    expect(forgotten.join()).not.toContain("shop 14");
    expect(forgotten.join()).not.toContain("Invoices");
    const corrected = content.replace("nine", "fourteen");
    expect(await extract(corrected)).toEqual([corrected]);
  });

  test("lists what was left out as forgotten with its session, until it is kept all the same or a month has passed", async () => {
    const memory = createMemoryService(deps);
    const { id } = await memory.store({ content: "The repository uses pnpm 9.", chunkType: "fact", projectPath: "/p" });
    await memory.delete(id);
    const content = "The repository uses PNPM 9";
    await proposing({ ...PNPM, content }).extract({
      transcript: lines(said(`Remember: ${EXCERPT}.`)),
      sessionId: "s",
      projectPath: "/p",
    });
    const leftOut = await memory.listLeftOutOfSession("s");
    expect(leftOut).toEqual([{ projectPath: "/p", chunkType: "decision", content, sourceExcerpt: EXCERPT }]);
    const kept = await memory.store({ content, chunkType: "decision", projectPath: "/p", sessionId: "s" });
    expect(await memory.listLeftOutOfSession("s")).toEqual([]);
    await memory.delete(kept.id);
    expect(await memory.listLeftOutOfSession("s")).toHaveLength(1);
    deps.clock.set("2026-09-01T12:00:00Z");
    await memory.deleteMany([]);
    expect(await memory.listLeftOutOfSession("s")).toEqual([]);
  });

  test.each([
    ["does not exist", 7, "The repo uses npm with workspaces."],
    ["says the same", 1, PNPM.content],
    ["is about something else", 1, "pnpm caches are deleted weekly."],
  ])("replaces no memory that %s", async (_which, replaces, content) => {
    const memory = createMemoryService(deps);
    const { id } = await memory.store({ content, chunkType: "fact" });
    await proposing({ ...PNPM, replaces }).extract({
      transcript: lines(said(`${content} The repo: ${EXCERPT}.`)),
    });
    expect(await memory.get(id)).toMatchObject({ supersededById: null });
  });

  test("cites the lines that the session shows, also in the input of a tool, and none that the model makes up", async () => {
    const edit = {
      type: "tool_use",
      name: "Edit",
      input: { file_path: "/p/src/install.ts", new_string: 'const tool = "pnpm";\n\treturn run(tool);' },
    };
    const transcript = lines(said(`Remember: ${EXCERPT}.`), {
      type: "assistant",
      message: { id: "m", content: [edit] },
    });
    const citations = [
      { path: "/p/src/install.ts", quote: 'const tool = "pnpm";\nreturn run(tool);' },
      { path: "/p/src/install.ts", quote: 'const tool = "yarn";' },
      { path: "/p/src/other.ts", quote: 'const tool = "pnpm";' },
    ];
    const { data } = await proposing({ ...PNPM, citations }).extract({ transcript, projectPath: "/p" });
    expect(data).toMatchObject([{ citations: [{ path: "src/install.ts", state: "unchecked" }] }]);
    expect(data[0]?.citations).toHaveLength(1);
    const broken = await proposing({ ...PNPM, content: "Other", citations: "none" }).extract({
      transcript: lines(said(`Well: ${EXCERPT}.`)),
    });
    expect(broken.data).toMatchObject([{ citations: [] }]);
  });
});
