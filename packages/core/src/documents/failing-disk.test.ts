import { readdir, readFile, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestVault, type TestVault } from "../testing/test-vault.ts";
import { createFailingCalls, type FailureCode } from "../vault/testing/failing-calls.ts";

const CODES: FailureCode[] = ["EIO", "ENOSPC", "EROFS", "EMFILE"];
const failing = createFailingCalls();
let vault: TestVault;

beforeAll(async () => {
  vault = await createTestVault({ fileSystem: failing.calls });
});
afterAll(() => vault.close());

/** Everything that the database knows of documents. */
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
  const files = names.filter((entry) => entry.isFile() && !entry.name.endsWith(".tmp"));
  const contents = files.map(async ({ parentPath, name }) => [name, await readFile(`${parentPath}/${name}`, "utf8")]);
  return Object.fromEntries(await Promise.all(contents)) as Record<string, string>;
}

/** Runs an operation with one of its system calls failing, for each of them; lists what was changed or reported as done. */
async function failEachCall(operation: () => Promise<unknown>, undo: () => Promise<void>) {
  failing.reset();
  await operation();
  const callCount = failing.log.length;
  await undo();
  const wrong: string[] = [];
  const before = [await databaseState(), await diskState()];
  for (let index = 0; index < callCount; index += 1) {
    const code = CODES[index % CODES.length] ?? "EIO";
    failing.reset();
    failing.failAt(index, code);
    const hasFailed = await operation().then(
      () => false,
      () => true,
    );
    const call = failing.log[index] ?? "";
    failing.reset();
    if (!hasFailed) {
      // A file's second name may stay behind when all is done; the operation has succeeded all the same.
      if (call !== "unlink") wrong.push(`${index}:${call}:${code} succeeded`);
      return { wrong, callCount };
    }
    const after = [await databaseState(), await diskState()];
    if (JSON.stringify(after) !== JSON.stringify(before)) wrong.push(`${index}:${call}:${code} left something changed`);
  }
  return { wrong, callCount };
}

describe("a disk that fails leaves files and documents as they were", () => {
  it("at every call of an overwrite", async () => {
    await vault.vault.write({ path: "a.md", content: "# Old [[link]]" }, vault.userId);
    let round = 0;
    const write = () => vault.vault.write({ path: "a.md", content: `# New ${(round += 1)}` }, vault.userId);
    const { wrong, callCount } = await failEachCall(write, () => Promise.resolve());
    expect(wrong).toEqual([]);
    expect(callCount).toBeGreaterThan(12);
  });

  it("at every call of an update of a document", async () => {
    const { document } = await vault.documents.openByPath("a.md", vault.userId);
    let round = 0;
    const update = () => vault.documents.update({ id: document.id, title: `T${(round += 1)}`, shared: true });
    const { wrong } = await failEachCall(update, () => Promise.resolve());
    expect(wrong).toEqual([]);
  });

  it("at every call of a move and of a deletion", async () => {
    await vault.vault.write({ path: "dir/b.md", content: "b" }, vault.userId);
    const move = () => vault.vault.rename("dir", "moved", vault.userId);
    const back = async () => {
      await vault.vault.rename("moved", "dir", vault.userId);
    };
    expect((await failEachCall(move, back)).wrong).toEqual([]);
    const { document } = await vault.documents.openByPath("dir/b.md", vault.userId);
    const remove = () => vault.documents.delete(document.id);
    const restore = async () => {
      await vault.documents.restore(document.id);
    };
    expect((await failEachCall(remove, restore)).wrong).toEqual([]);
  });

  it("at every call of a restoration", async () => {
    await writeFile(vault.at("c.bin"), Buffer.from([0, 1, 2]));
    const { document } = await vault.documents.openByPath("c.bin", vault.userId);
    await vault.documents.delete(document.id);
    const restore = () => vault.documents.restore(document.id);
    const again = async () => {
      await vault.documents.delete(document.id);
    };
    expect((await failEachCall(restore, again)).wrong).toEqual([]);
  });
});
