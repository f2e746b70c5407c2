import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { createS3Client } from "@workspace/object-store";
import { BUCKET, startS3Server, type TestStore } from "@workspace/object-store/testing";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { eventually } from "../../../testing/eventually.ts";
import { createTestVault, type TestVault } from "../../../testing/test-vault.ts";
import { ConflictError, InvalidInputError, NotFoundError, UnavailableError } from "../../platform/errors.ts";

let store: TestStore;

beforeAll(async () => {
  store = await startS3Server();
});
afterAll(() => store.close());

async function openVault(): Promise<TestVault> {
  const vault = await createTestVault({ store });
  onTestFinished(async () => {
    store.onRequest = null;
    store.isAway = false;
    await vault.close();
  });
  return vault;
}

const write = (vault: TestVault, path: string, content: string) => vault.vault.write({ path, content }, vault.author);

const documentsOf = async (vault: TestVault) =>
  (await vault.documents.list({})).items.map(({ id, path }) => ({ id, path }));

/** Cuts the connection for good before a request that changes something, counted from one. */
function cutBefore(count: number): void {
  let changes = 0;
  store.onRequest = (method) => {
    if (method === "PUT" || method === "DELETE") changes += 1;
    if (changes < count) return;
    store.isAway = true;
    throw new Error("cut");
  };
}

function reconnect(): void {
  store.onRequest = null;
  store.isAway = false;
}

describe("a move within a store", () => {
  it("is completed, or has not begun, wherever it is interrupted", { timeout: 120_000 }, async () => {
    const vault = await openVault();
    const other = await vault.another();
    await other.vaultMirror.start();
    let wasInterrupted = true;
    for (let step = 1; wasInterrupted; step += 1) {
      const [from, to] = [`from ${step}`, `to ${step}`];
      const paths = ["a.md", "b/c.md", "b/d.md"];
      for (const path of paths) await write(vault, `${from}/${path}`, `${step} ${path}`);
      const before = (await documentsOf(vault)).filter(({ path }) => path.startsWith(from));
      cutBefore(step);
      wasInterrupted = await vault.vault.rename(from, to, vault.author).then(
        () => false,
        (error: unknown) => {
          expect(error).toBeInstanceOf(UnavailableError);
          return true;
        },
      );
      reconnect();
      const isOfStep = (path: string) => path.startsWith(`${from}/`) || path.startsWith(`${to}/`);
      const whole = await eventually(async () => {
        const documents = (await documentsOf(vault)).filter(({ path }) => isOfStep(path));
        const files = (await vault.names()).filter((name) => isOfStep(name) && !name.endsWith("/"));
        const isOver = paths.length === files.length && new Set(files.map((name) => name.split("/")[0])).size === 1;
        const isInStep = isDeepStrictEqual(documents.map(({ path }) => path).toSorted(), files);
        return isOver && isInStep && !(await hasNotes(vault)) && documents;
      }, 20_000);
      expect(whole.map(({ id }) => id).toSorted()).toEqual(before.map(({ id }) => id).toSorted());
      for (const { path } of whole) {
        expect(await vault.read(path)).toBe(`${step} ${path.slice(path.indexOf("/") + 1)}`);
      }
    }
  });

  it("moves nothing if another program takes the target meanwhile", async () => {
    const vault = await openVault();
    await write(vault, "from/a.md", "a");
    await write(vault, "from/b.md", "b");
    let isTaken = false;
    store.onRequest = async (method, path) => {
      if (isTaken || method !== "PUT" || !path.includes("/.workspace/moves/")) return;
      isTaken = true;
      await vault.writeOutside("to/b.md", "another");
    };
    await expect(vault.vault.rename("from", "to", vault.author)).rejects.toThrow(ConflictError);
    store.onRequest = null;
    expect(await vault.names()).toEqual(["from/a.md", "from/b.md", "to/b.md"]);
    expect(await vault.read("to/b.md")).toBe("another");
  });

  it("that is interrupted lets nothing change until it is completed, so that documents stay what they are", async () => {
    const vault = await openVault();
    for (const path of ["from/a.md", "from/b.md", "other.md"]) await write(vault, path, path);
    const before = await documentsOf(vault);
    // After its note and two copies.
    cutBefore(4);
    await expect(vault.vault.rename("from", "to", vault.author)).rejects.toThrow(UnavailableError);
    reconnect();
    expect(await vault.names()).toEqual(["from/a.md", "from/b.md", "other.md", "to/a.md", "to/b.md"]);
    for (const path of ["to/a.md", "from/b.md", "to/new.md"])
      await expect(write(vault, path, "changed")).rejects.toThrow("interrupted move is being completed");
    for (const folder of ["from", "to"]) {
      await expect(vault.vault.delete(folder)).rejects.toThrow(UnavailableError);
      await expect(vault.vault.rename(folder, "elsewhere", vault.author)).rejects.toThrow(UnavailableError);
    }
    await write(vault, "other.md", "changed");
    await vault.vaultMirror.start();
    await eventually(async () => (await vault.names()).every((name) => !name.startsWith("from/")));
    await eventually(async () => !(await hasNotes(vault)));
    await write(vault, "to/a.md", "changed");
    expect((await documentsOf(vault)).map(({ path }) => path).toSorted()).toEqual(["other.md", "to/a.md", "to/b.md"]);
    expect((await documentsOf(vault)).map(({ id }) => id).toSorted()).toEqual(before.map(({ id }) => id).toSorted());
  });

  it("whose database fails at the end is completed before anything else happens to the files", async () => {
    const vault = await openVault();
    for (const path of ["from/a.md", "from/b.md", "other.md"]) await write(vault, path, path);
    const before = await documentsOf(vault);
    store.onRequest = async (method) => {
      if (method === "DELETE")
        await vault.db.pool.query(`
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND state = 'idle in transaction'`);
    };
    await expect(vault.vault.rename("from", "to", vault.author)).rejects.toThrow();
    store.onRequest = null;
    expect(await vault.names()).toEqual(["other.md", "to/a.md", "to/b.md"]);
    await expect(write(vault, "to/a.md", "changed")).rejects.toThrow("interrupted move is being completed");
    await vault.vaultMirror.start();
    await eventually(async () => !(await hasNotes(vault)));
    await write(vault, "to/a.md", "changed");
    expect((await documentsOf(vault)).map(({ id }) => id).toSorted()).toEqual(before.map(({ id }) => id).toSorted());
  });

  it("that is interrupted does not make a file count as deleted that was missing from a list before", async () => {
    const vault = await openVault();
    for (const path of ["from/a.md", "from/b.md", "other.md"]) await write(vault, path, path);
    const before = await documentsOf(vault);
    const other = await vault.another();
    await other.vaultMirror.start();
    await eventually(() => other.vaultMirror.isAvailable());

    // The first list of the folder from now on is without the file, and the second one waits until the move was interrupted.
    await vault.removeOutside("from/a.md");
    let [lists, changes, isInterrupted] = [0, 0, false];
    store.onRequest = async (method, path) => {
      const isList = method === "GET" && /prefix=[^&]*%2Ffrom%2F(?:&|$)/.test(path) && !path.includes("max-keys");
      if (isList && (lists += 1) === 2) await eventually(() => isInterrupted);
      // Its note, two copies and two removals.
      if ((method === "PUT" || method === "DELETE") && (changes += 1) > 5) store.isAway = true;
    };
    await eventually(() => lists === 2);
    const sinceMs = performance.now();
    await vault.writeOutside("from/a.md", "from/a.md");
    changes = 0;
    await expect(vault.vault.rename("from", "to", vault.author)).rejects.toThrow(UnavailableError);
    reconnect();
    expect(await vault.names()).toEqual(["other.md", "to/a.md", "to/b.md"]);
    await sleep(Math.max(0, sinceMs + 1_500 - performance.now()));
    isInterrupted = true;
    const after = await eventually(async () => {
      const documents = await documentsOf(vault);
      return documents.every(({ path }) => !path.startsWith("from")) && documents.length === 3 && documents;
    }, 20_000);
    expect(after.map(({ id }) => id).toSorted()).toEqual(before.map(({ id }) => id).toSorted());
  });

  async function hasNotes(vault: TestVault): Promise<boolean> {
    const prefix = `${vault.root.slice(`s3://${BUCKET}/`.length)}/.workspace/moves/`;
    const client = createS3Client(store.access, BUCKET, { attempts: 3, deadlineMs: 5_000 });
    for await (const { objects } of client.list(prefix)) return objects.length > 0;
    return false;
  }
});

describe("a write to a store", () => {
  it("replaces nothing that another program has just written", async () => {
    const vault = await openVault();
    await write(vault, "note.md", "first");
    const puts: string[] = [];
    store.onRequest = async (method, path) => {
      if (method !== "PUT" || path.includes("/.workspace/")) return;
      puts.push(path);
      // Everything has been checked by then.
      if (puts.length === 1) await vault.writeOutside("note.md", "meanwhile");
    };
    await write(vault, "note.md", "second");
    store.onRequest = null;
    expect(await vault.read("note.md")).toBe("second");
    const { id = "" } = (await documentsOf(vault))[0] ?? {};
    const versions = await vault.documentVersions.list(id);
    const contents = await Promise.all(
      versions.map(async (each) => (await vault.documentVersions.open(id, each.id)).content),
    );
    expect(contents).toContain("meanwhile");
  });

  it("fails with 503 while the store is away, and everything goes on when it is back", async () => {
    const vault = await openVault();
    await vault.vaultMirror.start();
    await write(vault, "note.md", "before");
    await eventually(() => vault.vaultMirror.isAvailable());
    await write(vault, "large.md", "x".repeat(2_000_000));
    const large = await vault.vault.openStream("large.md");
    store.isAway = true;
    await expect(write(vault, "note.md", "lost")).rejects.toThrow(UnavailableError);
    await expect(vault.vault.read("note.md")).rejects.toThrow("cannot be reached");
    await expect(large.file.readAt(1_500_000, 10)).rejects.toThrow(UnavailableError);
    await expect(buffer(large.file.chunks())).rejects.toThrow(UnavailableError);
    await eventually(async () => !(await vault.vaultMirror.isAvailable()));
    store.isAway = false;
    await eventually(() => vault.vaultMirror.isAvailable());
    expect(await vault.read("note.md")).toBe("before");
    await write(vault, "note.md", "after");
    expect(await documentsOf(vault)).toHaveLength(2);
  });

  it("is acknowledged if only the response was lost", async () => {
    const vault = await openVault();
    store.loseNextResponse = (method, path) => method === "PUT" && path.endsWith("/lost.md");
    expect(await write(vault, "lost.md", "content")).toMatchObject({ created: true });
    expect(store.loseNextResponse).toBeNull();
    expect(await vault.read("lost.md")).toBe("content");
  });
});

describe("a path that is longer than keys may be", () => {
  const nameOf = (length: number) => Array.from({ length: length / 100 }, () => "n".repeat(99)).join("/");
  const moving = (vault: TestVault, from: string, to: string) => vault.vault.rename(from, to, vault.author);

  it("is refused, and nothing is there", async () => {
    const vault = await openVault();
    const path = `${nameOf(1_000)}/a.md`;
    await expect(write(vault, path, "a")).rejects.toThrow(/must be at most \d+ bytes long/);
    await expect(vault.vault.createDirectory(nameOf(1_000))).rejects.toThrow(InvalidInputError);
    await expect(vault.vault.read(`${nameOf(2_000)}/a.md`)).rejects.toThrow(NotFoundError);
    await expect(vault.vault.list(nameOf(2_000), { isRecursive: false })).rejects.toThrow(NotFoundError);
    await expect(moving(vault, `${nameOf(2_000)}/a.md`, "b.md")).rejects.toThrow(NotFoundError);
    expect(await vault.names()).toEqual([]);
  });

  it("is not the result of a move, and can be one of the trash", async () => {
    const vault = await openVault();
    const longest = `d/${nameOf(800)}/a.md`;
    await write(vault, longest, "a");
    await expect(moving(vault, "d", "d".repeat(200))).rejects.toThrow(InvalidInputError);
    expect(await vault.read(longest)).toBe("a");
    await vault.vault.delete("d");
    expect((await documentsOf(vault)).length).toBe(0);
  });
});

describe("a store as a vault", () => {
  it("is not used if it ignores the conditions of writes", async () => {
    const lax = await startS3Server({ ignoresConditions: true });
    onTestFinished(() => lax.close());
    const vault = await createTestVault({ store: lax });
    onTestFinished(() => vault.close());
    await vault.vaultMirror.start();
    await eventually(() => vault.vaultMirror.status.suspendedFor);
    expect(vault.vaultMirror.status.suspendedFor).toContain("ignores the conditions of writes");
    await expect(write(vault, "a.md", "a")).rejects.toThrow("ignores the conditions of writes");
  });

  it("may refuse the key, or the clock", async () => {
    const access = { ...store.access, accessKeyId: "WRONG" };
    const vault = await createTestVault({ store: { ...store, access } });
    onTestFinished(() => vault.close());
    await vault.vaultMirror.start();
    await eventually(() => vault.vaultMirror.status.suspendedFor?.includes("the clock of this machine"));
    await expect(write(vault, "a.md", "a")).rejects.toThrow("refuses the key of the service, or the clock");
  });

  it("deletes no document when it is emptied", async () => {
    const vault = await openVault();
    await vault.vaultMirror.start();
    for (const name of ["a.md", "b.md"]) await write(vault, name, name);
    for (const name of ["a.md", "b.md"]) await vault.removeOutside(name);
    await eventually(() => vault.vaultMirror.status.suspendedFor);
    expect(await documentsOf(vault)).toHaveLength(2);
    await expect(write(vault, "c.md", "c")).rejects.toThrow(UnavailableError);
  });

  it("is left alone where names cannot be those of files", async () => {
    const vault = await openVault();
    await vault.vaultMirror.start();
    for (const key of [".hidden/a.md", "x/.b.md"]) await vault.writeOutside(key, key);
    await vault.writeOutside("x/visible.md", "x");
    await eventually(async () => (await documentsOf(vault)).length > 0);
    expect((await documentsOf(vault)).map(({ path }) => path)).toEqual(["x/visible.md"]);
    expect((await vault.vault.list("x", { isRecursive: false })).items.map(({ name }) => name)).toEqual(["visible.md"]);
  });
});
