import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { createTestDatabase } from "@workspace/db/testing";
import { BUCKET, startS3Server, type TestStore } from "@workspace/object-store/testing";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { api, ENV, run, runJson } from "./command-line.ts";
import { API_TOKEN } from "./credentials.ts";
import { makeDataDir, start } from "./service-process.ts";

const KEYS = { SERVICE_SECRET: "s".repeat(40), SERVICE_ENCRYPTION_KEY: "e".repeat(40) };

let store: TestStore;
beforeAll(async () => {
  store = await startS3Server();
});
afterAll(() => store.close());

function environment(databaseUrl: string): Record<string, string> {
  const { endpoint, accessKeyId, secretAccessKey } = store.access;
  return {
    ...ENV,
    ...KEYS,
    DATABASE_URL: databaseUrl,
    VAULT_PATH: `s3://${BUCKET}/${randomUUID()}`,
    VAULT_S3_ENDPOINT: endpoint,
    VAULT_S3_ACCESS_KEY_ID: accessKeyId,
    VAULT_S3_SECRET_ACCESS_KEY: secretAccessKey,
    VAULT_SCAN_S: "1",
    PROCESS_LEASE_S: "3",
    LOG_LEVEL: "error",
  };
}

/** Two processes, each with a data folder of its own, and nothing in common but the database and the store. */
async function startTwo() {
  const database = await createTestDatabase();
  onTestFinished(() => database.close());
  const env = environment(database.url);
  const first = start(await makeDataDir(), env);
  const one = await first.ready;
  const second = start(await makeDataDir(), env);
  return { one, two: await second.ready, first };
}

async function ok(url: string, path: string, method = "GET", body?: object): Promise<any> {
  const response = await api(url, path, method, body);
  expect({ path, status: response.status, body: response.body }).toMatchObject({ status: 200 });
  return response.body.data;
}

const headers = { "X-API-Token": API_TOKEN };

describe("two processes with a vault in a store", () => {
  test("read, change, delete and restore what the other one has written", async () => {
    const { one, two } = await startTwo();
    await ok(one, "/fs/write", "POST", { path: "notes/a.md", content: "# A\n" });
    const { document, body } = await ok(two, "/documents/by-path", "POST", { path: "notes/a.md" });
    expect(body).toContain("# A");
    await ok(two, `/documents/${document.id}`, "PUT", { body: "# B\n" });
    expect((await ok(one, "/fs/read", "POST", { path: "notes/a.md" })).content).toBe("# B\n");
    expect(await ok(two, `/documents/${document.id}/versions`)).toHaveLength(1);

    const bytes = randomBytes(3_000_000);
    const upload = await fetch(`${one}/api/fs/raw?path=photo.jpg`, { method: "PUT", headers, body: bytes });
    expect(upload.status).toBe(200);
    const part = await fetch(`${two}/api/fs/raw?path=photo.jpg`, {
      headers: { ...headers, Range: "bytes=2000000-2000009" },
    });
    expect(part.status).toBe(206);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(2_000_000, 2_000_010));

    await ok(two, "/fs/rename", "POST", { oldPath: "notes", newPath: "texts" });
    expect((await ok(one, "/documents/by-path", "POST", { path: "texts/a.md" })).document.id).toBe(document.id);
    await ok(one, `/documents/${document.id}`, "DELETE");
    expect((await api(two, "/fs/read", "POST", { path: "texts/a.md" })).status).toBe(404);
    await ok(two, `/documents/${document.id}/restore`, "POST");
    expect((await ok(one, "/fs/read", "POST", { path: "texts/a.md" })).content).toBe("# B\n");
    await ok(one, `/documents/${document.id}/sharing`, "PUT", { shared: true, shareType: "public" });
    expect(await (await fetch(`${two}/share/${document.id}`)).text()).toContain("<h1");
  });

  test("lose nothing if one is killed while it moves a directory", { timeout: 120_000 }, async () => {
    const { one, two, first } = await startTwo();
    const paths = Array.from({ length: 12 }, (_, index) => `${index}.md`);
    for (const path of paths) await ok(one, "/fs/write", "POST", { path: `old/${path}`, content: `# ${path}\n` });
    const idsOf = async (): Promise<string[]> =>
      (await ok(two, "/documents?limit=100")).map(({ id }: { id: string }) => id).toSorted();
    const before = await idsOf();
    const moving = api(one, "/fs/rename", "POST", { oldPath: "old", newPath: "new" }).catch(() => null);
    let copies = 0;
    store.onRequest = (method, path) => {
      if (method === "PUT" && path.includes("/new/") && (copies += 1) === 5) first.child.kill("SIGKILL");
    };
    await moving;
    await first.exited;
    store.onRequest = null;
    const readable = async (folder: string): Promise<number> => {
      const statuses = await Promise.all(
        paths.map(async (path) => (await api(two, "/fs/read", "POST", { path: `${folder}/${path}` })).status),
      );
      return statuses.filter((status) => status === 200).length;
    };
    for (let tries = 0; (await readable("new")) < paths.length || (await readable("old")) > 0; tries += 1) {
      expect(tries).toBeLessThan(100);
      await sleep(200);
    }
    for (let tries = 0; (await idsOf()).join(" ") !== before.join(" "); tries += 1) {
      expect(tries).toBeLessThan(100);
      await sleep(200);
    }
    expect((await ok(two, "/documents/by-path", "POST", { path: "new/3.md" })).document.title).toBe("3.md");
    await ok(two, "/fs/write", "POST", { path: "new/3.md", content: "goes on" });
  });

  test("respond with 503 while the store is away, and say so in health", async () => {
    const { one } = await startTwo();
    await ok(one, "/fs/write", "POST", { path: "a.md", content: "a" });
    store.isAway = true;
    onTestFinished(() => void (store.isAway = false));
    const failed = await api(one, "/fs/write", "POST", { path: "a.md", content: "b" });
    expect(failed).toMatchObject({ status: 503, body: { message: "The vault's store cannot be reached." } });
    expect((await api(one, "/health")).body.data.vault.available).toBe(false);
    store.isAway = false;
    for (
      let tries = 0;
      (await api(one, "/fs/write", "POST", { path: "a.md", content: "c" })).status !== 200;
      tries += 1
    ) {
      expect(tries).toBeLessThan(100);
      await sleep(200);
    }
  });
});

describe("the configuration of a vault in a store", () => {
  test("names all that is missing", async () => {
    const { stderr, code } = await run(await makeDataDir(), ["doctor"], { VAULT_PATH: "s3://bucket/a?b" });
    expect(code).not.toBe(0);
    for (const text of ["VAULT_S3_ENDPOINT", "VAULT_S3_ACCESS_KEY_ID", "is not s3://bucket/path"]) {
      expect(stderr).toContain(text);
    }
  });

  test("is checked by the doctor", async () => {
    const database = await createTestDatabase();
    onTestFinished(() => database.close());
    const env = environment(database.url);
    const dataDir = await makeDataDir();
    const findingOf = async (more: Record<string, string>) => {
      const { findings } = await runJson(dataDir, ["doctor"], { ...env, ...more });
      return findings.find(({ subject }: { subject: string }) => subject.startsWith("vault s3://"));
    };
    expect(await findingOf({})).toMatchObject({ state: "good" });
    expect(await findingOf({ VAULT_S3_ACCESS_KEY_ID: "other" })).toMatchObject({
      state: "bad",
      message: expect.stringContaining("403"),
    });
    const lax = await startS3Server({ ignoresConditions: true });
    onTestFinished(() => lax.close());
    expect(await findingOf({ VAULT_S3_ENDPOINT: lax.access.endpoint })).toMatchObject({
      state: "bad",
      message: expect.stringContaining("ignores the conditions"),
    });
  });

  test("keeps backups out of the vault", async () => {
    const dataDir = await makeDataDir();
    const env = environment("postgresql://localhost/none");
    const { accessKeyId, secretAccessKey, endpoint } = store.access;
    const { stderr } = await run(dataDir, ["backup", "--to", `${env["VAULT_PATH"]}/backups`], {
      ...env,
      BACKUP_S3_ENDPOINT: endpoint,
      BACKUP_S3_ACCESS_KEY_ID: accessKeyId,
      BACKUP_S3_SECRET_ACCESS_KEY: secretAccessKey,
    });
    expect(stderr).toContain("is inside the vault");
  });
});
