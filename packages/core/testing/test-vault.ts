import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestDatabase } from "@workspace/db/testing";
import { v7 } from "uuid";
import { createDocumentServices, type DocumentServices } from "../src/document-services.ts";
import type { FileSystemCalls } from "../src/knowledge/vault/file-system-calls.ts";
import { createLargeReads } from "../src/platform/large-reads.ts";
import type { Author } from "../src/platform/procedures/author.ts";
import type { Principal } from "../src/platform/procedures/principal.ts";
import { createProcessRegistry } from "../src/platform/process-registry.ts";
import { createTestDeps, type TestDeps } from "./test-deps.ts";

/** A vault on a real disk, with its services on a real database, for one test. */
export interface TestVault extends DocumentServices, TestDeps {
  readonly userId: string;
  readonly user: Principal;
  /** The user, as the author of changes. */
  readonly author: Author;
  /** The vault's folder. */
  readonly root: string;
  readonly dataDir: string;
  /** The absolute path of a file in the vault. */
  at(path: string): string;
  read(path: string): Promise<string>;
  /** All files and directories in the vault, including hidden ones, except unfinished files and the service's own folder. */
  names(): Promise<string[]>;
  /** Prunes trash and versions. */
  housekeep(): Promise<void>;
  /** Creates another process on the same vault and database. */
  another(): Promise<DocumentServices>;
  close(): Promise<void>;
}

export async function createTestVault({ fileSystem }: { fileSystem?: FileSystemCalls } = {}): Promise<TestVault> {
  const database = await createTestDatabase();
  const base = await mkdtemp(join(tmpdir(), "test-vault-"));
  const root = join(base, "vault");
  const dataDir = join(base, "data");
  await mkdir(root);
  await mkdir(dataDir);
  const userId = v7();
  await database.db.pool.query("INSERT INTO users (id, name, email, updated_at) VALUES ($1, 'Ada', 'ada@x.y', now())", [
    userId,
  ]);
  const deps = createTestDeps(database.db);
  const options = {
    ...deps,
    vaultRoot: root,
    dataDir,
    maxContentBytes: 32 * 1024 * 1024,
    largeReads: createLargeReads(() => true),
  };
  const closers: (() => Promise<void>)[] = [];
  const create = async (): Promise<DocumentServices> => {
    const processes = createProcessRegistry({ ...deps, leaseMs: 3_000 });
    await processes.start();
    const services = createDocumentServices({ ...options, processes, ...(fileSystem !== undefined && { fileSystem }) });
    closers.push(
      () => processes.close(),
      () => services.vaultMirror.close(),
    );
    return services;
  };
  const services = await create();
  return {
    ...deps,
    ...services,
    housekeep: () => services.vaultMirror.housekeep(),
    userId,
    author: { kind: "person", name: "Ada", userId },
    user: { kind: "user", userId, name: "Ada", email: "ada@x.y" },
    root,
    dataDir,
    at: (path) => join(root, path),
    read: (path) => readFile(join(root, path), "utf8"),
    names: async () =>
      (await readdir(root, { recursive: true })).filter((name) => !/\.tmp$|^\.workspace(?:\/|$)/.test(name)).toSorted(),
    another: create,
    async close() {
      for (const close of closers.toReversed()) await close();
      await database.close();
      await rm(base, { recursive: true, force: true });
    },
  };
}
