import { beforeEach, afterEach, describe, expect, test } from "vitest";
import { eventually } from "../../../testing/eventually.ts";
import {
  createTestWorkspace,
  type TestAssistanceOptions,
  type TestProcess,
  type TestWorkspace,
} from "../../../testing/test-assistance.ts";
import { createTestDeps } from "../../../testing/test-deps.ts";
import { createTestEmbeddings } from "../../../testing/test-embeddings.ts";
import { startModelDouble } from "../../../testing/model-double.ts";
import { silentLogger } from "../../platform/logger.ts";
import { createMemoryService, type MemoryService } from "./memory.service.ts";

let workspace: TestWorkspace;
let service: MemoryService;

beforeEach(async () => {
  workspace = await createTestWorkspace();
  service = createMemoryService(createTestDeps(workspace.db));
});
afterEach(() => workspace.close());

const store = (content: string) => service.store({ content, chunkType: "fact" });
const start = (options: TestAssistanceOptions = {}): Promise<TestProcess> =>
  workspace.start({ embeddings: {}, ...options });

interface Embedded {
  readonly content: string;
  readonly space: string;
  readonly isEmbedded: boolean;
}

/** What has a vector, or was refused one. */
async function embedded(): Promise<Embedded[]> {
  const { rows } = await workspace.db.pool.query<Embedded>(`
    SELECT m.content, e.space, e.signature IS NOT NULL AS "isEmbedded"
    FROM memory_embeddings e JOIN memory_chunks m ON m.id = e.memory_id AND m.content_key = e.content_key
    ORDER BY m.id`);
  return rows;
}
const contents = async () => (await embedded()).map(({ content }) => content);
const untilEmbedded = (...expected: readonly string[]) =>
  eventually(async () => JSON.stringify(await contents()) === JSON.stringify(expected));
const untilProblem = (process: TestProcess, problem: string | null) =>
  eventually(() => process.assistance.memoryEmbeddings.problem === problem);

describe("in the background", () => {
  test("memories get vectors, those that were there before and those that are new", async () => {
    await store("We use pnpm");
    await start();
    await untilEmbedded("We use pnpm");
    await store("We use PostgreSQL");
    await untilEmbedded("We use pnpm", "We use PostgreSQL");
    expect(await embedded()).toContainEqual({
      content: "We use pnpm",
      space: "double-vectors-1/1024",
      isEmbedded: true,
    });
  });

  test("nothing is asked without a model", async () => {
    const process = await workspace.start();
    await store("We use pnpm");
    await process.assistance.memoryEmbeddings.catchUp();
    expect(workspace.model.embeddingRequests).toEqual([]);
    expect(process.assistance.memoryEmbeddings).toMatchObject({ isConfigured: false, problem: null });
  });

  test("an edited memory gets a vector of what it says now, and a deleted one has none", async () => {
    const { id } = await store("We use npm");
    const other = await store("We use make");
    await start();
    await untilEmbedded("We use npm", "We use make");
    await service.update({ id, content: "We use pnpm" });
    await service.delete(other.id);
    await untilEmbedded("We use pnpm");
    await service.restore([other.id]);
    await untilEmbedded("We use pnpm", "We use make");
  });

  test("each text is asked for once, however many processes there are", async () => {
    const texts = Array.from({ length: 100 }, (_, index) => `Fact number ${index}`);
    for (const text of texts) await store(text);
    await Promise.all([start(), start(), start()]);
    await untilEmbedded(...texts);
    const asked = workspace.model.embeddingRequests.flatMap(({ input }) => input);
    expect(asked.filter((text) => text.startsWith("Fact")).toSorted()).toEqual(texts.toSorted());
  });

  test("what a process that ended has left is done by the next one", async () => {
    for (let index = 0; index < 40; index += 1) await store(`Fact number ${index}`);
    workspace.model.replyToEmbeddings(() =>
      workspace.model.embeddingRequests.length > 2 ? { fault: { kind: "hang" } } : {},
    );
    const first = await start();
    await eventually(() => workspace.model.embeddingRequests.length > 2);
    await first.close();
    expect(await contents()).toHaveLength(32);
    workspace.model.replyToEmbeddings(() => ({}));
    await start();
    await eventually(async () => (await contents()).length === 40);
    expect(workspace.model.embeddingRequests.at(-1)?.input).toHaveLength(8);
  });

  test("a process whose model fails leaves it to another one", async () => {
    const broken = await start({ embeddings: { model: "broken" } });
    await eventually(() => workspace.model.embeddingRequests.length > 0);
    workspace.model.replyToEmbeddings(({ model }) => (model === "broken" ? { fault: { kind: "disconnect" } } : {}));
    await store("We use pnpm");
    await untilProblem(broken, "unavailable");
    await start();
    await untilEmbedded("We use pnpm");
  });

  test("vectors of another model, or of another length, are made again", async () => {
    await store("We use pnpm");
    const spaceOf = async () => (await embedded()).map(({ space }) => space).join();
    const first = await start();
    await eventually(async () => (await spaceOf()) === "double-vectors-1/1024");
    await first.close();
    const second = await start({ embeddings: { dimensions: 64 } });
    await eventually(async () => (await spaceOf()) === "double-vectors-1/64");
    await second.close();
    await start({ embeddings: { model: "other" } });
    await eventually(async () => (await spaceOf()) === "other/1024");
  });
});

describe("a model that", () => {
  test.each([
    ["fails", { fault: { kind: "status", status: 503, retryAfterS: 1 } }, "unavailable"],
    ["breaks the connection", { fault: { kind: "disconnect" } }, "unavailable"],
    ["sends nonsense", { fault: { kind: "malformed" } }, "unavailable"],
    ["refuses the key", { fault: { kind: "status", status: 401 } }, "refused"],
    ["refuses every text", { fault: { kind: "status", status: 400 } }, "refused"],
    ["gives vectors of the wrong length", { dimensions: 128 }, "wrong dimensions"],
  ] as const)("%s is reported, and asked again later", async (_what, reply, problem) => {
    await store("We use pnpm");
    workspace.model.replyToEmbeddings(() => reply);
    const process = await start({ embeddings: { dimensions: 256 } });
    await untilProblem(process, problem);
    expect(await embedded()).toEqual([]);
    workspace.model.replyToEmbeddings(() => ({}));
    await untilEmbedded("We use pnpm");
    await untilProblem(process, null);
  });

  test("sends what does not end is not listened to", async () => {
    workspace.model.replyToEmbeddings(() => ({ fault: { kind: "flood" } }));
    await untilProblem(await start(), "unavailable");
    await eventually(() => workspace.model.abortedCount > 0);
  });

  test("refuses a long text gets the beginning of it, and no others are kept from their vectors", async () => {
    const long = "word ".repeat(1_000).trim();
    await store("We use pnpm");
    await store(long);
    workspace.model.replyToEmbeddings(({ input }) =>
      input.some((text) => text.length > 1_000) ? { fault: { kind: "status", status: 413 } } : {},
    );
    await start();
    await untilEmbedded("We use pnpm", long);
    expect((await embedded()).every(({ isEmbedded }) => isEmbedded)).toBe(true);
  });

  test("refuses a text altogether is not asked for it again", async () => {
    await store("unspeakable");
    await store("We use pnpm");
    workspace.model.replyToEmbeddings(({ input }) =>
      input.includes("unspeakable") ? { fault: { kind: "status", status: 422 } } : {},
    );
    const process = await start();
    await untilEmbedded("unspeakable", "We use pnpm");
    expect(await embedded()).toMatchObject([{ isEmbedded: false }, { isEmbedded: true }]);
    const asked = workspace.model.embeddingRequests.length;
    await process.assistance.memoryEmbeddings.catchUp();
    expect(workspace.model.embeddingRequests).toHaveLength(asked);
  });
});

test("an endpoint that cannot be reached is logged with the reason alone", async () => {
  const { baseUrl, close } = await startModelDouble();
  await close();
  const logged: object[] = [];
  const logger = { ...silentLogger, warn: (fields: object, message: string) => logged.push({ ...fields, message }) };
  const embeddings = await createTestEmbeddings({ ...createTestDeps(workspace.db), logger }, { baseUrl });
  await store("We use pnpm");
  logged.length = 0;
  expect(await embeddings.find("what we use", 10_000)).toBeNull();
  await embeddings.start();
  await eventually(() => logged.length > 1);
  await embeddings.close();
  const failure = { problem: "unavailable", reason: "The model's endpoint is unreachable.", code: "ECONNREFUSED" };
  expect(logged.slice(0, 2)).toEqual([
    { ...failure, message: "a search did without vectors" },
    { ...failure, message: "memories got no vectors" },
  ]);
});

describe("its cost", () => {
  test("is recorded", async () => {
    await store("We use pnpm");
    const { assistance } = await start();
    await untilEmbedded("We use pnpm");
    const { data } = await assistance.usage.list({ period: "24h", page: 1, limit: 10 });
    expect(data).toMatchObject([
      { source: "memory_embedding", sourceName: "Vectors of memories", model: "double-vectors-1", outputTokens: 0 },
    ]);
    expect(data[0]?.costUsd).toBeCloseTo(((data[0]?.inputTokens ?? 0) * 2) / 1_000_000, 9);
    expect(data[0]?.inputTokens).toBeGreaterThan(0);
  });

  test("stays within the daily budget", async () => {
    await store("We use pnpm");
    const process = await start({ dailyBudgetUsd: 0.000001 });
    await untilProblem(process, "no budget");
    expect(workspace.model.embeddingRequests).toEqual([]);
  });

  test("has to be known if there is a budget", async () => {
    const process = await start({ dailyBudgetUsd: 1, embeddings: { model: "unpriced" } });
    await store("We use pnpm");
    await untilProblem(process, "no budget");
  });
});
