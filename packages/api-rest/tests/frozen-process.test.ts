import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startModelDouble, type ModelDouble } from "@workspace/core/testing";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { connectRealtime } from "./realtime-client.ts";
import { startTestServer, type TestServer } from "./test-server.ts";

/** Short, so that a frozen process is noticed within the time of a test. */
const PROCESS_LEASE_S = 2;

let model: ModelDouble;
let vault: string;
let servers: TestServer[];

const until = <Result>(look: () => Promise<Result> | Result, timeout = 15_000): Promise<Result> =>
  vi.waitFor(look, { timeout, interval: 50 });

async function isLeader(server: TestServer): Promise<boolean> {
  return (await server.anonymous("GET", "/api/health")).body.data.mirror.leader;
}

/** The process that mirrors, the others, and one of these. */
async function findLeader(
  among: readonly TestServer[] = servers,
): Promise<{ leader: TestServer; others: TestServer[]; witness: TestServer }> {
  return until(async () => {
    const leads = await Promise.all(among.map(isLeader));
    const leader = among.find((_, index) => leads[index]);
    const others = among.filter((server) => server !== leader);
    const [witness] = others;
    if (leader === undefined || witness === undefined) throw new Error("No process mirrors the vault.");
    return { leader, others, witness };
  });
}

/** The first two processes. */
function firstTwo(): [TestServer, TestServer] {
  const [first, second] = servers;
  if (first === undefined || second === undefined) throw new Error("The processes have not been started.");
  return [first, second];
}

/** Queries the database that all of them share. */
async function select(sql: string): Promise<any[]> {
  const [first] = firstTwo();
  return (await first.db.pool.query(sql)).rows;
}
const currentEpoch = async (): Promise<number> => (await select("SELECT epoch FROM leaderships"))[0].epoch;

beforeEach(async () => {
  model = await startModelDouble();
  vault = await mkdtemp(join(tmpdir(), "workspace-frozen-vault-"));
  const env = {
    OPENAI_API_KEY: "key",
    OPENAI_BASE_URL: model.baseUrl,
    OPENAI_MODEL: "gpt-5-mini",
    PROCESS_LEASE_S: String(PROCESS_LEASE_S),
    VAULT_PATH: vault,
    LOG_LEVEL: "warn",
  };
  const first = await startTestServer(env);
  const shared = { ...env, DATABASE_URL: first.databaseUrl };
  servers = [first, await startTestServer(shared), await startTestServer(shared)];
}, 60_000);
afterEach(async () => {
  for (const server of servers) server.thaw();
  for (const server of servers.toReversed()) await server.close();
  await model.close();
  await rm(vault, { recursive: true, force: true });
}, 60_000);

const listPaths = async (server: TestServer): Promise<string[]> =>
  (await server.withToken("GET", "/api/documents")).body.data.map(({ path }: { path: string }) => path).toSorted();

describe("a process that is frozen while it mirrors the vault", () => {
  test("is replaced within the lease, and changes nothing when it resumes", async () => {
    const { leader, others, witness } = await findLeader();
    await writeFile(join(vault, "before.md"), "before");
    await until(async () => expect(await listPaths(witness)).toEqual(["before.md"]));
    const epoch = await currentEpoch();

    leader.freeze();
    const frozenAt = performance.now();
    await writeFile(join(vault, "during.md"), "during");
    await until(async () => expect(await listPaths(witness)).toEqual(["before.md", "during.md"]));
    // The lease, a renewal, and the time for a scan, even on a slow machine.
    expect(performance.now() - frozenAt).toBeLessThan((PROCESS_LEASE_S + 15) * 1000);
    await findLeader(others);
    for (const other of others) {
      await until(async () => {
        const { status, mirror } = (await other.anonymous("GET", "/api/health")).body.data;
        expect(status).toBe("ok");
        expect(mirror.lastLookAgeMs).toBeLessThan(5_000);
      });
    }
    await rm(join(vault, "before.md"));
    await until(async () => expect(await listPaths(witness)).toEqual(["during.md"]));
    const rows = () => select("SELECT id, path, deleted_at, modified_at, xmin::text FROM documents ORDER BY id");
    const before = await rows();

    leader.thaw();
    await until(async () => expect(await isLeader(leader)).toBe(false));
    await until(() => expect(leader.output.join("\n")).toContain("declared dead"));
    expect(await rows()).toEqual(before);
    expect(await currentEpoch()).toBe(epoch + 1);
    await writeFile(join(vault, "after.md"), "after");
    await until(async () => expect(await listPaths(leader)).toEqual(["after.md", "during.md"]));
    expect((await findLeader()).leader).not.toBe(leader);
  }, 60_000);

  test("blocks no others with the locks of a transaction that it had begun", async () => {
    const { leader, witness } = await findLeader();
    // A folder of large files keeps the mirror busy, so that some freezes happen during a transaction.
    for (let round = 0; round < 3; round += 1) {
      await Promise.all(
        Array.from({ length: 300 }, (_, index) => writeFile(join(vault, `r${round}-${index}.md`), "x".repeat(20_000))),
      );
    }
    leader.freeze();
    await until(async () => {
      const response = await witness.withToken("POST", "/api/fs/write", {
        body: { path: "/mine.md", content: "mine" },
      });
      expect(response.status).toBe(200);
    }, 20_000);
    await until(async () => expect(await listPaths(witness)).toHaveLength(901), 30_000);
  }, 90_000);
});

describe("a process that is frozen in the middle of a run", () => {
  test("loses it, and adds neither text nor cost to it when it goes on", async () => {
    const [frozen, living] = firstTwo();
    model.replyAlways({ text: ["So far", ", and more."], fault: { kind: "hang", afterChunks: 1 } });
    const agent = (
      await frozen.withToken("POST", "/api/agents", { body: { name: "A", schedule: "0 0 29 2 *", prompt: "P" } })
    ).body.data;
    const { runId } = (await frozen.withToken("POST", `/api/agents/${agent.id}/run`)).body;
    const getRun = async () => (await living.withToken("GET", `/api/agents/${agent.id}/runs/${runId}`)).body.data;
    await until(async () => expect((await getRun()).output).toBe("So far"));

    frozen.freeze();
    const ended = await until(async () => {
      const run = await getRun();
      expect(run.status).toBe("error");
      return run;
    });
    expect(ended).toMatchObject({
      output: "So far",
      errorMessage: expect.stringContaining("unexpectedly"),
      costUsd: 0,
    });
    const usage = () => select("SELECT * FROM usage_records");
    expect(await usage()).toEqual([]);

    frozen.thaw();
    await until(() =>
      expect(frozen.output.join("\n")).toContain("a run was ended by other processes while this one was silent"),
    );
    expect(await getRun()).toEqual(ended);
    expect(await usage()).toEqual([]);
    // It continues to serve requests, and accepts new work.
    model.replyAlways({ text: "Done." });
    const next = (await frozen.withToken("POST", `/api/agents/${agent.id}/run`)).body;
    await until(async () => {
      const run = (await living.withToken("GET", `/api/agents/${agent.id}/runs/${next.runId}`)).body.data;
      expect(run).toMatchObject({ status: "success", output: "Done." });
    });
  }, 60_000);
});

describe("a process that is frozen in the middle of an answer", () => {
  test("loses it, and adds neither text nor cost to it when it goes on", async () => {
    const [frozen, living] = firstTwo();
    model.replyAlways({ text: ["So far", ", and more."], fault: { kind: "hang", afterChunks: 1 } });
    const [asking, following] = [await connectRealtime(frozen.url), await connectRealtime(living.url)];
    asking.send({ type: "chat:send", message: "Hi" });
    const { conversationId } = await asking.waitFor(({ delta }) => delta === "So far");
    following.send({ type: "chat:resume", conversationId, afterSeq: 0 });
    await following.waitFor(({ delta }) => delta === "So far");

    frozen.freeze();
    await following.waitFor((frame) => frame.type === "chat:error" && frame.conversationId === conversationId);
    const getConversation = async () =>
      (await living.withToken("GET", `/api/conversations/${conversationId}`)).body.data;
    const ended = await getConversation();
    expect(ended.status).toBe("error");
    expect(ended.messages[1].content).toEqual([{ type: "text", text: "So far" }]);
    const stored = () =>
      Promise.all([select("SELECT * FROM usage_records"), select("SELECT * FROM chat_events ORDER BY seq")]);
    const before = await stored();

    frozen.thaw();
    await until(() => expect(frozen.output.join("\n")).toContain("declared dead"));
    await until(() => expect(model.abortedCount).toBe(1));
    // Its next answer comes after all remaining events of the lost one.
    model.replyAlways({ text: "Done." });
    asking.send({ type: "chat:send", message: "Again" });
    await asking.waitFor((frame) => frame.type === "chat:stream_end" && frame.conversationId !== conversationId);
    expect(await getConversation()).toEqual(ended);
    const [usage, events] = await stored();
    const ofLost = (rows: any[]) => rows.filter((row) => row.conversation_id === conversationId);
    expect(ofLost(events)).toEqual(ofLost(before[1]));
    expect(usage).toHaveLength(before[0].length + 1);
    await asking.close();
    await following.close();
  }, 60_000);
});
