import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createTestDatabase } from "@workspace/db/testing";
import { createS3Client } from "@workspace/object-store";
import { BUCKET, type TestStore } from "@workspace/object-store/testing";
import { v7 } from "uuid";
import { createDocumentServices, type DocumentServices } from "../src/document-services.ts";
import type { FileSystemCalls } from "../src/knowledge/vault/file-system-calls.ts";
import { createLargeReads } from "../src/platform/large-reads.ts";
import type { Author } from "../src/platform/procedures/author.ts";
import type { Principal } from "../src/platform/procedures/principal.ts";
import { createProcessRegistry } from "../src/platform/process-registry.ts";
import { createTestDeps, type TestDeps } from "./test-deps.ts";

/** A vault on a real disk, or in a real store, with its services on a real database, for one test. */
export interface TestVault extends DocumentServices, TestDeps {
  readonly userId: string;
  readonly user: Principal;
  /** The user, as the author of changes. */
  readonly author: Author;
  /** The vault's folder, or its place in the store. */
  readonly root: string;
  readonly dataDir: string;
  /** The absolute path of a file in the vault. */
  at(path: string): string;
  read(path: string): Promise<string>;
  /** Writes a file as another program would, and creates its directory. */
  writeOutside(path: string, content: string): Promise<void>;
  /** Removes a file as another program would. */
  removeOutside(path: string): Promise<void>;
  /** All files, and of a folder also directories, in the vault, including hidden ones, except unfinished files and the service's own folder. */
  names(): Promise<string[]>;
  /** Prunes trash and versions. */
  housekeep(): Promise<void>;
  /** Creates another process on the same vault and database. */
  another(): Promise<DocumentServices>;
  close(): Promise<void>;
}

export interface TestVaultOptions {
  readonly fileSystem?: FileSystemCalls;
  /** The store that the vault is in; a folder by default. */
  readonly store?: TestStore | null;
}

export async function createTestVault({ fileSystem, store = null }: TestVaultOptions = {}): Promise<TestVault> {
  const database = await createTestDatabase();
  const base = await mkdtemp(join(tmpdir(), "test-vault-"));
  const folder = join(base, "vault");
  const prefix = randomUUID();
  const root = store === null ? folder : `s3://${BUCKET}/${prefix}`;
  const dataDir = join(base, "data");
  await mkdir(folder);
  await mkdir(dataDir);
  const userId = v7();
  await database.db.pool.query("INSERT INTO users (id, name, email, updated_at) VALUES ($1, 'Ada', 'ada@x.y', now())", [
    userId,
  ]);
  const deps = createTestDeps(database.db);
  const options = {
    ...deps,
    vaultRoot: root,
    vaultStore: store === null ? null : { access: store.access, scanEveryMs: 300 },
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
    ...(store === null ? outsideOfFolder(root) : outsideOfStore(store, `${prefix}/`)),
    another: create,
    async close() {
      for (const close of closers.toReversed()) await close();
      await database.close();
      await rm(base, { recursive: true, force: true });
    },
  };
}

type Outside = Pick<TestVault, "read" | "writeOutside" | "removeOutside" | "names">;

const isShown = (name: string): boolean => !/\.tmp$|^\.workspace(?:\/|$)/.test(name);

/** What another program does in a folder. */
function outsideOfFolder(root: string): Outside {
  return {
    read: (path) => readFile(join(root, path), "utf8"),
    async writeOutside(path, content) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), content);
    },
    removeOutside: (path) => rm(join(root, path)),
    names: async () => (await readdir(root, { recursive: true })).filter(isShown).toSorted(),
  };
}

/** What another program does in a store. */
function outsideOfStore(store: TestStore, prefix: string): Outside {
  const client = createS3Client(store.access, BUCKET, { attempts: 3, deadlineMs: 10_000 });
  return {
    async read(path) {
      const content = await client.read(`${prefix}${path}`);
      if (content === null) throw new Error(`There is no object ${path}.`);
      return content.toString("utf8");
    },
    writeOutside: async (path, content) => void (await client.put(`${prefix}${path}`, Buffer.from(content))),
    removeOutside: (path) => client.remove(`${prefix}${path}`),
    async names() {
      const names: string[] = [];
      for await (const { objects } of client.list(prefix))
        names.push(...objects.map(({ key }) => key.slice(prefix.length)));
      return names.filter(isShown).toSorted();
    },
  };
}
