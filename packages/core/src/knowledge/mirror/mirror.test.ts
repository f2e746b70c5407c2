import { execFileSync } from "node:child_process";
import { mkdir, rename, rm, unlink, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createTestVault, type TestVault } from "../../../testing/test-vault.ts";
import { UnavailableError } from "../../platform/errors.ts";
import type { Document } from "../file-records/document-record.schema.ts";

let vault: TestVault;

beforeEach(async () => {
  vault = await createTestVault();
});
afterEach(() => vault.close());

const documents = async () => (await vault.documents.list({})).items;
const paths = async () => (await documents()).map(({ path }) => path).toSorted();
const at = async (path: string): Promise<Document | undefined> =>
  (await documents()).find((document) => document.path === path);
const waitFor = (check: () => Promise<void>, timeout = 5_000) => vi.waitFor(check, { timeout, interval: 50 });
const untilPaths = (expected: string[]) => waitFor(async () => expect(await paths()).toEqual(expected));
const untilFollowing = () => waitFor(async () => expect(vault.vaultMirror.status.files).not.toBe(null));
const git = (...args: string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", "-C", vault.root, ...args], { stdio: "ignore" });

/** How many connections wait for a lock. */
async function countWaiting(): Promise<number> {
  const { rows } = await vault.db.pool.query<{ count: number }>(`
    SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`);
  return rows[0]?.count ?? 0;
}

describe("the first comparison", () => {
  it("records existing files, except hidden ones and links", async () => {
    await mkdir(vault.at("a/b"), { recursive: true });
    await mkdir(vault.at(".git"));
    await writeFile(vault.at("a/b/one.md"), "---\ntitle: One\ntags: [x]\n---\n");
    await writeFile(vault.at("two.txt"), "two");
    await writeFile(vault.at(".git/config"), "");
    execFileSync("ln", ["-s", "two.txt", vault.at("link.txt")]);
    await vault.vaultMirror.start();
    await untilPaths(["a/b/one.md", "two.txt"]);
    expect(await at("a/b/one.md")).toMatchObject({ title: "One", tags: ["x"], fileType: "markdown" });
    expect((await vault.documents.list({ search: "two" })).items).toHaveLength(1);
  });

  it("finds earlier changes: moved files keep their ids, even if edited", async () => {
    for (const name of ["stays", "moved", "moved-edited", "replaced", "gone"]) {
      await vault.vault.write({ path: `${name}.md`, content: `${name} content` }, vault.author);
    }
    const before = Object.fromEntries((await documents()).map(({ path, id }) => [path, id]));
    await mkdir(vault.at("dir"));
    await rename(vault.at("moved.md"), vault.at("dir/new-name.md"));
    await rename(vault.at("moved-edited.md"), vault.at("edited.md"));
    await writeFile(vault.at("edited.md"), "other content");
    await writeFile(vault.at("temp"), "new content");
    await rename(vault.at("temp"), vault.at("replaced.md"));
    await unlink(vault.at("gone.md"));
    await vault.vaultMirror.start();
    await untilPaths(["dir/new-name.md", "edited.md", "replaced.md", "stays.md"]);
    const after = Object.fromEntries((await documents()).map(({ path, id }) => [path, id]));
    expect(after).toEqual({
      "dir/new-name.md": before["moved.md"],
      "edited.md": before["moved-edited.md"],
      "replaced.md": before["replaced.md"],
      "stays.md": before["stays.md"],
    });
  });

  it("records nothing if nothing has changed", async () => {
    await vault.vault.write({ path: "a.md", content: "a" }, vault.author);
    vault.changes.length = 0;
    await vault.vaultMirror.start();
    await untilFollowing();
    expect(vault.changes).toEqual([]);
  });

  it("removes unfinished files of dead processes", async () => {
    const dead = `.workspace-0196f3a0-0000-7000-8000-00000000dead-1.tmp`;
    await writeFile(vault.at(dead), "half");
    await vault.vaultMirror.start();
    await untilFollowing();
    expect(execFileSync("ls", ["-A", vault.root]).toString()).toBe(".workspace\n");
  });
});

describe("following", () => {
  beforeEach(async () => {
    await writeFile(vault.at("known.md"), "known");
    await vault.vaultMirror.start();
    await untilPaths(["known.md"]);
  });

  it("notices new, changed, replaced, moved and deleted files", async () => {
    await writeFile(vault.at("new.md"), "# First\n");
    await untilPaths(["known.md", "new.md"]);
    const id = (await at("new.md"))?.id;
    await writeFile(vault.at("new.md"), "# Second\n");
    await waitFor(async () => expect((await at("new.md"))?.title).toBe("Second"));
    await writeFile(vault.at(".swap"), "# Third\n");
    await rename(vault.at(".swap"), vault.at("new.md"));
    await waitFor(async () => expect(await at("new.md")).toMatchObject({ id, title: "Third" }));
    await mkdir(vault.at("deep/er"), { recursive: true });
    await rename(vault.at("new.md"), vault.at("deep/er/moved.md"));
    await waitFor(async () => expect(await at("deep/er/moved.md")).toMatchObject({ id }));
    await rename(vault.at("deep"), vault.at("elsewhere"));
    await waitFor(async () => expect(await at("elsewhere/er/moved.md")).toMatchObject({ id }));
    await writeFile(vault.at("elsewhere/er/beside.md"), "x");
    await untilPaths(["elsewhere/er/beside.md", "elsewhere/er/moved.md", "known.md"]);
    await rm(vault.at("elsewhere"), { recursive: true });
    await untilPaths(["known.md"]);
  });

  it("keeps ids when two files swap their names", async () => {
    await writeFile(vault.at("a.md"), "A");
    await writeFile(vault.at("b.md"), "B");
    await untilPaths(["a.md", "b.md", "known.md"]);
    const [a, b] = [(await at("a.md"))?.id, (await at("b.md"))?.id];
    execFileSync("sh", ["-c", "mv a.md .t && mv b.md a.md && mv .t b.md"], { cwd: vault.root });
    await waitFor(async () => expect([(await at("b.md"))?.id, (await at("a.md"))?.id]).toEqual([a, b]));
  });

  it("follows git from branch to branch, and reactivates documents that reappear", async () => {
    await vault.vault.write({ path: "main.md", content: "on main" }, vault.author);
    git("init", "-b", "main");
    git("add", "-A");
    git("commit", "-m", "one");
    const id = (await at("main.md"))?.id;
    git("checkout", "-b", "other");
    for (let index = 0; index < 30; index += 1) await writeFile(vault.at(`other-${index}.md`), `${index}`);
    await rename(vault.at("main.md"), vault.at("renamed.md"));
    git("add", "-A");
    git("commit", "-m", "two");
    await waitFor(async () => expect(await at("renamed.md")).toMatchObject({ id }));
    git("checkout", "main");
    await untilPaths(["known.md", "main.md"]);
    expect((await at("main.md"))?.id).toBe(id);
    const { id: gone } =
      (await vault.documents.list({ includeDeleted: true })).items.find(({ path }) => path === "other-3.md") ?? {};
    git("checkout", "other");
    await waitFor(async () => expect((await at("other-3.md"))?.id).toBe(gone));
    expect(await paths()).toHaveLength(32);
  });

  it.each(["known.md", "new.md"])("ignores a write of the service to %s that it notices halfway", async (path) => {
    vault.changes.length = 0;
    const client = await vault.db.pool.connect();
    try {
      await client.query("BEGIN; LOCK TABLE documents IN SHARE MODE");
      const written = vault.vault.write({ path, content: "by the service" }, vault.author);
      // The file is there. Its record waits for the table, and that of the mirror for the write.
      await waitFor(async () => expect(await countWaiting()).toBe(2));
      await client.query("COMMIT");
      await written;
    } finally {
      client.release(true);
    }
    await writeFile(vault.at("later.md"), "by another program");
    await waitFor(async () => expect(await at("later.md")).toBeDefined());
    const { id } = (await at(path)) ?? {};
    expect(vault.changes.filter((change) => change.resourceId === id)).toHaveLength(1);
  });

  it("ignores the service's own writes, and runs in only one process", async () => {
    const other = await vault.another();
    await other.vaultMirror.start();
    vault.changes.length = 0;
    for (let index = 0; index < 20; index += 1) {
      await (index % 2 === 0 ? vault : other).vault.write(
        { path: `w${index % 5}.md`, content: `${index}` },
        vault.author,
      );
    }
    await sleep(1_200);
    expect(vault.changes).toHaveLength(20);
    expect([vault.vaultMirror.status.isLeader, other.vaultMirror.status.isLeader]).toEqual([true, false]);
  });
});

describe("a missing vault", () => {
  beforeEach(async () => {
    for (const name of ["a.md", "b.md", "c.md"]) await writeFile(vault.at(name), name);
    await vault.vaultMirror.start();
    await untilPaths(["a.md", "b.md", "c.md"]);
  });

  const untilSuspended = () =>
    waitFor(async () => expect(vault.vaultMirror.status.suspendedFor).not.toBe(null), 10_000);

  it("changes no document, is reported, and is followed again once it is back", async () => {
    await rename(vault.root, `${vault.root}-away`);
    await untilSuspended();
    expect(await vault.vaultMirror.isAvailable()).toBe(false);
    expect(await paths()).toHaveLength(3);
    await expect(vault.vault.read("a.md")).rejects.toThrow(UnavailableError);
    await rename(`${vault.root}-away`, vault.root);
    await waitFor(async () => expect(await vault.vaultMirror.isAvailable()).toBe(true), 10_000);
    expect(await paths()).toHaveLength(3);
  });

  it("is protected if another directory is in its place: no reads, writes or deletions", async () => {
    await rename(vault.root, `${vault.root}-away`);
    await mkdir(vault.root);
    const write = () => vault.vault.write({ path: "new.md", content: "x" }, vault.author);
    await expect(write()).rejects.toThrow(UnavailableError);
    await untilSuspended();
    await expect(write()).rejects.toThrow(UnavailableError);
    await sleep(1_000);
    expect(await paths()).toHaveLength(3);
    await rm(vault.root, { recursive: true });
    await rename(`${vault.root}-away`, vault.root);
    await waitFor(async () => expect(vault.vaultMirror.status.suspendedFor).toBe(null), 10_000);
    await write();
    expect(await vault.names()).toEqual(["a.md", "b.md", "c.md", "new.md"]);
  });

  it("deletes no document if all files are gone, until a person accepts it", async () => {
    for (const name of ["a.md", "b.md", "c.md"]) await unlink(vault.at(name));
    await untilSuspended();
    await expect(vault.vault.write({ path: "new.md", content: "x" }, vault.author)).rejects.toThrow(UnavailableError);
    expect(await paths()).toHaveLength(3);
    await vault.vaultMirror.acceptEmptied();
    await waitFor(async () => expect(await paths()).toEqual([]), 10_000);
    await vault.vault.write({ path: "new.md", content: "x" }, vault.author);
    expect(vault.vaultMirror.status.suspendedFor).toBe(null);
  });

  it("is protected from the start of a new process", async () => {
    await vault.vaultMirror.close();
    await rename(vault.root, `${vault.root}-away`);
    await mkdir(vault.root);
    const next = await vault.another();
    await next.vaultMirror.start();
    await expect(next.vault.write({ path: "new.md", content: "x" }, vault.author)).rejects.toThrow(UnavailableError);
    await waitFor(async () => expect(next.vaultMirror.status.suspendedFor).not.toBe(null), 10_000);
    expect(await paths()).toHaveLength(3);
    await rm(vault.root, { recursive: true });
    await rename(`${vault.root}-away`, vault.root);
  });
});
