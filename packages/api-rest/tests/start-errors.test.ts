import { once } from "node:events";
import { mkdir, readdir, rename, stat, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { createTestDatabase } from "@workspace/db/testing";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { makeDataDir, start } from "./service-process.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).toReversed()) await clean();
});

interface Refusal {
  readonly when: string;
  /** Prepares the refusal; returns the environment for the start. */
  readonly arrange: (dataDir: string) => Promise<Record<string, string>>;
  /** All output except log lines. */
  readonly says: RegExp;
}

async function takePort(): Promise<string> {
  const server = createServer().listen(0);
  cleanups.push(() => server.close());
  await once(server, "listening");
  const address = server.address();
  return address !== null && typeof address === "object" ? String(address.port) : "";
}

/** Creates a file next to the data directory. */
async function makeFile(dataDir: string): Promise<string> {
  const file = join(dirname(dataDir), "file");
  await writeFile(file, "");
  return file;
}

/** A database of the shared server. Creating an embedded one takes more processor time than everything else that is tested here. */
async function createDatabase(): Promise<{ readonly DATABASE_URL: string }> {
  const { url, close } = await createTestDatabase();
  // Unlike `afterEach`, after the services that use it.
  onTestFinished(close);
  return { DATABASE_URL: url };
}

/** Creates a data directory that has been used, with the keys that its first start has generated. */
async function startOnce(dataDir: string, env: Record<string, string> = {}): Promise<void> {
  const first = start(dataDir, env);
  await first.ready;
  await first.stop();
}

const REFUSALS: readonly Refusal[] = [
  {
    when: "the configuration has problems, all of which are named",
    arrange: async (dataDir) => ({
      PORT: "x",
      ACCESS_MODE: "lan",
      ADMIN_PASSWORD: "short",
      DATABASE_URL: "mysql://x",
      MODEL_PRICES: await makeFile(dataDir),
    }),
    says: /^The configuration has problems:\n {2}PORT: .*\n {2}DATABASE_URL: .*\n {2}ADMIN_PASSWORD: .*\n {2}ACCESS_MODE: .*\n {2}MODEL_PRICES: .*\n$/,
  },
  {
    when: "the vault is the data directory",
    arrange: async (dataDir) => ({ VAULT_PATH: dataDir }),
    says: /^VAULT_PATH: .* contains DATA_DIR .*\n$/,
  },
  {
    when: "the vault is a link to a directory above the data directory",
    arrange: async (dataDir) => {
      const link = join(dirname(dataDir), "link");
      await symlink(dirname(dataDir), link);
      return { VAULT_PATH: link };
    },
    says: /^VAULT_PATH: .* contains DATA_DIR .*\n$/,
  },
  {
    when: "the vault is inside the database's folder",
    arrange: async (dataDir) => ({ VAULT_PATH: join(dataDir, "postgres", "base") }),
    says: /^VAULT_PATH: .* is inside the database's folder\. Use another one\.\n$/,
  },
  {
    when: "the address is not one of this machine",
    // A network may accept connections there all the same.
    arrange: async () => ({ HOST: "203.0.113.9", PORT: "3999" }),
    says: /^Cannot listen on 203\.0\.113\.9:.* Set HOST to an address of this machine\.\n$/,
  },
  {
    when: "the port is taken",
    arrange: async () => ({ PORT: await takePort() }),
    says: /^Cannot listen on .*Is another program using it\? Set PORT to change it\.\n$/,
  },
  {
    when: "the data directory cannot be made",
    arrange: async (dataDir) => ({ DATA_DIR: join(await makeFile(dataDir), "data") }),
    says: /^DATA_DIR: the directory .* cannot be used \(EEXIST: .*\)\.\n$/,
  },
  {
    when: "the data directory is on a file system where nothing can be created",
    arrange: async () => ({ DATA_DIR: "/proc/nowhere" }),
    says: /^DATA_DIR: the directory \/proc\/nowhere cannot be used \(ENOENT: .*\)\.\n$/,
  },
  {
    when: "the vault is a file",
    arrange: async (dataDir) => ({ VAULT_PATH: await makeFile(dataDir) }),
    says: /^VAULT_PATH: .* is not a directory\.\n$/,
  },
  {
    when: "another service uses the data directory",
    arrange: async (dataDir) => {
      await start(dataDir, await createDatabase()).ready;
      return {};
    },
    says: /^The data directory .* is in use by another running service .*\n$/,
  },
  {
    when: "the database server has no such database",
    arrange: async () => {
      const { poolConfig, close } = await createTestDatabase();
      cleanups.push(close);
      const { user = "", host = "", port = 0 } = poolConfig;
      return { DATABASE_URL: `postgresql://${user}@localhost:${port}/nowhere?host=${encodeURIComponent(host)}` };
    },
    says: /^The database at .* refuses the connection that DATABASE_URL describes: database "nowhere" does not exist\.\n$/,
  },
  {
    when: "the signing secret is not the database's",
    arrange: async (dataDir) => {
      const database = await createDatabase();
      await startOnce(dataDir, database);
      return { ...database, SERVICE_SECRET: "another signing secret, long enough" };
    },
    says: /^This process does not have the signing secret .* `npm start -- adopt-keys`.*\n$/,
  },
  {
    when: "the encryption key is not the database's",
    arrange: async (dataDir) => {
      const database = await createDatabase();
      await startOnce(dataDir, database);
      return { ...database, SERVICE_ENCRYPTION_KEY: "another encryption key, long enough" };
    },
    says: /^This process does not have the encryption key .*\n$/,
  },
];

// A start that is not refused waits for good: for a database, or until it is stopped.
describe("a start is refused in one sentence, without a stack trace", () => {
  test.each(REFUSALS.map((refusal) => [refusal.when, refusal] as const))(
    "when %s",
    { timeout: 60_000 },
    async (_when, { arrange, says }) => {
      const dataDir = await makeDataDir();
      const env = await arrange(dataDir);
      const service = start(dataDir, env);
      expect(await service.exited).toBe(1);
      const said = service.output().replace(/^{.*}\n/gm, "");
      expect(said).toMatch(says);
      expect(service.output()).not.toMatch(/^\s+at /m);
    },
  );
});

test("a start waits for a database that is not available yet, and does not print its password", async () => {
  const dataDir = await makeDataDir();
  const service = start(dataDir, { DATABASE_URL: "postgresql://me:hunter2@127.0.0.1:1/db" });
  await vi.waitFor(() => expect(service.output()).toBe("Waiting for the database at 127.0.0.1:1 …\n"), 10_000);
  service.child.kill("SIGKILL");
  await service.exited;
  expect(service.output()).not.toContain("hunter2");
});

test("a service whose data directory another start wanted to use continues undisturbed", async () => {
  const dataDir = await makeDataDir();
  const url = await start(dataDir).ready;
  expect(await start(dataDir).exited).toBe(1);
  expect((await fetch(`${url}/api/health`)).status).toBe(200);
});

test.each(["service-secret", "encryption-key"])(
  "a start without its lost %s makes no other",
  { timeout: 60_000 },
  async (file) => {
    const dataDir = await makeDataDir();
    const database = await createDatabase();
    await startOnce(dataDir, database);
    const saved = join(dirname(dataDir), "saved");
    await rename(join(dataDir, file), saved);
    const before = await readdir(dataDir);
    const refused = start(dataDir, database);
    expect(await refused.exited).toBe(1);
    expect(refused.output()).toMatch(/^This process does not have the (signing secret|encryption key) /m);
    expect(await readdir(dataDir)).toEqual(before);
    await rename(saved, join(dataDir, file));
    await start(dataDir, database).ready;
  },
);

test("a start whose vault cannot be used makes no data directory", async () => {
  const dataDir = await makeDataDir();
  expect(await start(dataDir, { VAULT_PATH: dirname(dataDir) }).exited).toBe(1);
  expect(await start(dataDir, { VAULT_PATH: await makeFile(dataDir) }).exited).toBe(1);
  await expect(stat(dataDir)).rejects.toThrow("ENOENT");
});

test("a refused start leaves nothing running", async () => {
  const dataDir = await makeDataDir();
  await mkdir(dataDir);
  expect(await start(dataDir, { PORT: await takePort() }).exited).toBe(1);
  await expect(stat(join(dataDir, "postgres/postmaster.pid"))).rejects.toThrow("ENOENT");
});

test("adopt-keys makes the configured keys those of the database", { timeout: 90_000 }, async () => {
  const dataDir = await makeDataDir();
  await startOnce(dataDir);
  const keys = {
    SERVICE_SECRET: "another signing secret, long enough",
    SERVICE_ENCRYPTION_KEY: "another encryption key, long enough",
  };
  const adopting = start(dataDir, keys, ["adopt-keys"]);
  expect(await adopting.exited).toBe(0);
  expect(adopting.output()).toContain("The configured keys now belong to the database.");
  await start(dataDir, keys).ready;
});
