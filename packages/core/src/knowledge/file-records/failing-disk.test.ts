import { link, mkdir, readdir, readFile, readlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFailingCalls, type FailureCode } from "../../../testing/failing-calls.ts";
import { createTestVault, type TestVault } from "../../../testing/test-vault.ts";
import { nodeFileSystemCalls } from "../vault/file-system-calls.ts";

const CODES: FailureCode[] = ["EIO", "ENOSPC", "EROFS", "EMFILE"];
const failing = createFailingCalls();
let vault: TestVault;

beforeAll(async () => {
  vault = await createTestVault({ fileSystem: failing.calls });
});
afterAll(() => vault.close());

/** Everything in the database about documents. */
async function databaseState(): Promise<unknown> {
  const { rows } = await vault.db.pool.query(
    `SELECT (SELECT json_agg(d ORDER BY d.id) FROM documents d) AS documents,
       (SELECT json_agg(v ORDER BY v.id) FROM document_versions v) AS versions,
       (SELECT json_agg(l ORDER BY l.document_id, l.position) FROM document_links l) AS links`,
  );
  return rows;
}

async function diskState(): Promise<Record<string, string>> {
  const names = await readdir(vault.root, { recursive: true, withFileTypes: true });
  const files = names
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".tmp"))
    .filter(({ parentPath }) => !parentPath.startsWith(vault.at(".workspace")));
  const contents = files.map(async ({ parentPath, name }) => [name, await readFile(`${parentPath}/${name}`, "utf8")]);
  return Object.fromEntries(await Promise.all(contents)) as Record<string, string>;
}

interface Operation {
  readonly run: () => Promise<unknown>;
  readonly undo: () => Promise<unknown>;
}

/**
 * Runs an operation once for each of its system calls, with that call failing. Returns the cases in which it failed but
 * changed something, or succeeded without completing.
 */
async function failEachCall({ run, undo }: Operation): Promise<{ wrong: string[]; callCount: number }> {
  await run();
  await undo();
  await vault.documents.list({ search: "settled" });
  failing.reset();
  await run();
  const callCount = failing.log.length;
  const done = JSON.stringify(await diskState());
  await undo();
  const wrong: string[] = [];
  for (let index = 0; index < callCount; index += 1) {
    const code = CODES[index % CODES.length] ?? "EIO";
    // Texts are indexed in the background, which makes system calls too.
    await vault.documents.list({ search: "settled" });
    const before = JSON.stringify([await databaseState(), await diskState()]);
    failing.reset();
    failing.failAt(index, code);
    const hasFailed = await run().then(
      () => false,
      () => true,
    );
    const call = `${index}:${failing.log[index]}:${code}`;
    failing.reset();
    const disk = await diskState();
    if (hasFailed && JSON.stringify([await databaseState(), disk]) !== before) wrong.push(`${call} changed something`);
    if (!hasFailed && JSON.stringify(disk) !== done) wrong.push(`${call} was not done`);
    if (!hasFailed) await undo();
  }
  return { wrong, callCount };
}

const write = (path: string, content: string) => vault.vault.write({ path, content }, vault.author);

describe("a disk failure leaves files and documents unchanged", () => {
  it("at any call of an overwrite", async () => {
    await write("a.md", "# Old [[link]]");
    const { wrong, callCount } = await failEachCall({
      run: () => write("a.md", "# New"),
      undo: () => write("a.md", "# Old [[link]]"),
    });
    expect(wrong).toEqual([]);
    expect(callCount).toBeGreaterThan(12);
  });

  it("at any call of a document update", async () => {
    const { document } = await vault.documents.openByPath("a.md", vault.userId);
    const { wrong } = await failEachCall({
      run: () => vault.documents.update({ id: document.id, title: "New", shared: true }, vault.author),
      undo: () => vault.documents.update({ id: document.id, title: "Old", shared: false }, vault.author),
    });
    expect(wrong).toEqual([]);
  });

  it("at any call of a move or a deletion", async () => {
    await write("dir/b.md", "b");
    const move = await failEachCall({
      run: () => vault.vault.rename("dir", "moved", vault.author),
      undo: () => vault.vault.rename("moved", "dir", vault.author),
    });
    expect(move.wrong).toEqual([]);
    const { document } = await vault.documents.openByPath("dir/b.md", vault.userId);
    const remove = { run: () => vault.documents.delete(document.id), undo: () => vault.documents.restore(document.id) };
    expect((await failEachCall(remove)).wrong).toEqual([]);
  });

  it("at any call of a restoration", async () => {
    await writeFile(vault.at("c.bin"), Buffer.from([0, 1, 2]));
    const { document } = await vault.documents.openByPath("c.bin", vault.userId);
    await vault.documents.delete(document.id);
    const restore = {
      run: () => vault.documents.restore(document.id),
      undo: () => vault.documents.delete(document.id),
    };
    expect((await failEachCall(restore)).wrong).toEqual([]);
  });
});

it.runIf(process.platform === "linux")("reverts only files in the directory that fails", async () => {
  const other = await createTestVault({
    fileSystem: {
      ...nodeFileSystemCalls,
      async fsync(fd) {
        if ((await readlink(`/proc/self/fd/${fd}`)).endsWith("/broken"))
          throw Object.assign(new Error("EIO"), { code: "EIO" });
        return nodeFileSystemCalls.fsync(fd);
      },
    },
  });
  try {
    const writeThere = (path: string, content: string) => other.vault.write({ path, content }, other.author);
    await Promise.all(["whole", "broken"].map((directory) => mkdir(other.at(directory))));
    await writeFile(other.at("broken/old.md"), "old");
    // All but the first wait for it and are committed together.
    const written = await Promise.allSettled([
      writeThere("first.md", "x"),
      ...["old", "new"].flatMap((name) => [
        writeThere(`broken/${name}.md`, "new"),
        writeThere(`whole/${name}.md`, "new"),
      ]),
    ]);
    expect(written.map(({ status }) => status === "fulfilled")).toEqual([true, false, true, false, true]);
    expect(await Promise.all(["whole/old.md", "whole/new.md", "broken/old.md"].map(other.read))).toEqual([
      "new",
      "new",
      "old",
    ]);
    expect(await other.names()).not.toContain("broken/new.md");
    const { rows } = await other.db.pool.query("SELECT path FROM documents ORDER BY path");
    expect(rows.map(({ path }) => path)).toEqual(["first.md", "whole/new.md", "whole/old.md"]);
  } finally {
    await other.close();
  }
});

const hiddenNames = async () => (await readdir(vault.root)).filter((name) => name.startsWith("."));

describe("a failed commit", () => {
  it("leaves the new file and no temporary files", async () => {
    await write("lost.md", "old");
    // A file with a second hard link is backed up under a hidden name while it is replaced.
    await link(vault.at("lost.md"), join(vault.dataDir, "second name"));
    const before = await hiddenNames();
    await vault.db.pool.query(`
      CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'lost'; END $$;
      CREATE CONSTRAINT TRIGGER fails AFTER INSERT OR UPDATE ON documents
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION fail()`);
    try {
      await expect(write("lost.md", "new")).rejects.toThrow("lost");
    } finally {
      await vault.db.pool.query("DROP TRIGGER fails ON documents; DROP FUNCTION fail");
    }
    expect(await vault.read("lost.md")).toBe("new");
    expect(await hiddenNames()).toEqual(before);
  });
});
