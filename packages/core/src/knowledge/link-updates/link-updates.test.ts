import { createHash } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { createTestVault, type TestVault } from "../../../testing/test-vault.ts";
import { ConflictError, NotFoundError } from "../../platform/errors.ts";

let vault: TestVault;

beforeAll(async () => {
  vault = await createTestVault();
});
afterAll(() => vault.close());

const write = (path: string, content: string) => vault.vault.write({ path, content }, vault.author);
const renameEntry = (from: string, to: string) => vault.vault.rename(from, to, vault.author);
const idOf = async (path: string) => (await vault.documents.openByPath(path, vault.userId)).document.id;
const waitFor = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 20_000, interval: 50 });
const deadLinks = async (path: string) =>
  (await vault.documentSearch.links(await idOf(path))).links.filter(({ document }) => document === null);

async function hashes(): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const name of await vault.names()) {
    const content = await readFile(vault.at(name)).catch(() => null);
    if (content !== null) found[name] = createHash("sha256").update(content).digest("hex");
  }
  return found;
}

describe("renaming a note", () => {
  it("changes links, embeds and relative paths to it, and nothing else", async () => {
    const text =
      "\ufeff---\r\nsee: '[[Old]]'\r\n---\r\n# [[Old]]\r\n| [[Old#A b|x]] | [[Old\\|y]] |\r\n![[Old#^id]] [m](../one/Old.md#h) `[[Old]]`";
    await write("one/Old.md", "[[Old]] self\n");
    await write("two/from.md", text);
    await write("two/other.md", "no link\n");
    const before = await hashes();
    const { linkUpdate } = await renameEntry("one/Old.md", "one/New name.md");
    expect(linkUpdate).toMatchObject({ links: 7, notes: 2 });
    expect(await vault.read("one/New name.md")).toBe("[[New name]] self\n");
    expect(await vault.read("two/from.md")).toBe(
      "\ufeff---\r\nsee: '[[New name]]'\r\n---\r\n# [[New name]]\r\n| [[New name#A b|x]] | [[New name\\|y]] |\r\n![[New name#^id]] [m](../one/New%20name.md#h) `[[Old]]`",
    );
    expect(await deadLinks("two/from.md")).toEqual([]);
    const undone = await vault.linkUpdates.undo(linkUpdate?.id ?? "", vault.author);
    expect(undone).toMatchObject({ refused: [], notes: 2, moves: [{ from: "/one/New name.md", to: "/one/Old.md" }] });
    expect(await hashes()).toEqual(before);
  });

  it("leaves dead and ambiguous links alone, and reports nothing if none is changed", async () => {
    await write("amb/a/Twin.md", "");
    await write("amb/b/Twin.md", "");
    await write("amb/c/x.md", "[[Twin]] [[Nowhere]] [[amb/a/Twin]]");
    const { linkUpdate } = await renameEntry("amb/a/Twin.md", "amb/a/Single.md");
    expect(linkUpdate).toMatchObject({ links: 1, notes: 1 });
    expect(await vault.read("amb/c/x.md")).toBe("[[Twin]] [[Nowhere]] [[amb/a/Single]]");
    expect(await renameEntry("amb/c/x.md", "amb/c/y.md")).toEqual({ oldPath: "amb/c/x.md", newPath: "amb/c/y.md" });
  });

  it("keeps the versions of the notes that it changes", async () => {
    await write("ver/a.md", "A");
    await write("ver/b.md", "see [[ver/a]]");
    await renameEntry("ver/a.md", "ver/c.md");
    const id = await idOf("ver/b.md");
    const [version] = await vault.documentVersions.list(id);
    expect((await vault.documentVersions.open(id, version?.id ?? "")).content).toBe("see [[ver/a]]");
  });
});

describe("moving a folder", () => {
  it("keeps all links from and to what is in it, and is undone in one step", async () => {
    await write("f/a.md", "[[b]] [rel](./b.md) [up](../out.md) ![img](img/p.png) [[f/b]]");
    await write("f/b.md", "# B\n");
    await vault.vault.writeStream("f/img/p.png", {
      content: Buffer.from([0, 1, 255]),
      creatorId: vault.userId,
      author: vault.author,
    });
    await write("out.md", "[a](f/a.md) [[f/b#B]] ![](f/img/p.png)\n\n[x]: f/a.md 'x'\n");
    const before = await hashes();
    const { linkUpdate } = await vault.vault.move("f", "amb", vault.author);
    expect(await vault.read("amb/f/a.md")).toBe("[[b]] [rel](./b.md) [up](../../out.md) ![img](img/p.png) [[f/b]]");
    expect(await vault.read("out.md")).toBe("[a](amb/f/a.md) [[f/b#B]] ![](amb/f/img/p.png)\n\n[x]: amb/f/a.md 'x'\n");
    for (const path of ["amb/f/a.md", "out.md"]) expect(await deadLinks(path)).toEqual([]);
    await vault.linkUpdates.undo(linkUpdate?.id ?? "", vault.author);
    expect(await hashes()).toEqual(before);
    await expect(vault.linkUpdates.undo(linkUpdate?.id ?? "", vault.author)).rejects.toThrow(ConflictError);
  });
});

describe("undoing", () => {
  it("keeps what was written since, says so, and corrects its links", async () => {
    await write("u/t.md", "T");
    await write("u/a.md", "[[u/t]] a");
    await write("u/b.md", "[[u/t]] b");
    const { linkUpdate } = await renameEntry("u/t.md", "u/new.md");
    await write("u/b.md", "[[u/new]] b, and more");
    const undone = await vault.linkUpdates.undo(linkUpdate?.id ?? "", vault.author);
    expect(undone.refused).toEqual([{ id: await idOf("u/b.md"), path: "u/b.md" }]);
    expect(await vault.read("u/a.md")).toBe("[[u/t]] a");
    expect(await vault.read("u/b.md")).toBe("[[u/t]] b, and more");
    const redone = await vault.linkUpdates.undo(undone.id, vault.author);
    expect(redone).toMatchObject({ refused: [], links: 2, notes: 2 });
    expect(await vault.read("u/b.md")).toBe("[[u/new]] b, and more");
    expect(await vault.read("u/a.md")).toBe("[[u/new]] a");
  });

  it("changes nothing if the old name is taken or the file is gone", async () => {
    await write("g/t.md", "T");
    await write("g/a.md", "[[g/t]]");
    const { linkUpdate } = await renameEntry("g/t.md", "g/new.md");
    await write("g/t.md", "another");
    await expect(vault.linkUpdates.undo(linkUpdate?.id ?? "", vault.author)).rejects.toThrow(ConflictError);
    expect(await vault.read("g/a.md")).toBe("[[g/new]]");
    await vault.vault.delete("g/t.md");
    await vault.vault.delete("g/new.md");
    await expect(vault.linkUpdates.undo(linkUpdate?.id ?? "", vault.author)).rejects.toThrow(ConflictError);
    await expect(vault.linkUpdates.undo("nothing", vault.author)).rejects.toThrow(NotFoundError);
  });
});

describe("a program that changes files at the same time", () => {
  it("never loses what it has written", async () => {
    await write("race/t.md", "T");
    const paths = Array.from({ length: 40 }, (_, index) => `race/n${index}.md`);
    for (const path of paths) await write(path, `[[race/t]] ${path}\n`);
    const renaming = renameEntry("race/t.md", "race/renamed.md");
    await Promise.all(
      paths.map((path) => vault.vault.write({ path, content: `edited [[race/t]] ${path}\n` }, vault.author)),
    );
    await renaming;
    for (const path of paths) expect(await vault.read(path)).toMatch(/^edited \[\[race\/(t|renamed)\]\]/);
  });
});

describe("what a process that died has left", () => {
  it("is finished by the next one", async () => {
    await write("kill/t.md", "T");
    await write("kill/a.md", "[[kill/t]] a");
    await write("kill/b.md", "[[kill/t]] b");
    const { linkUpdate } = await renameEntry("kill/t.md", "kill/new.md");
    const id = linkUpdate?.id ?? "";
    // As if the process had died after one of the two files.
    await vault.db.pool.query("UPDATE link_updates SET is_done = false WHERE id = $1", [id]);
    await vault.db.pool.query("UPDATE link_update_files SET is_done = false WHERE update_id = $1", [id]);
    await write("kill/b.md", "[[kill/t]] b");
    const another = await vault.another();
    another.linkUpdates.finishSoon();
    await waitFor(async () => expect(await vault.read("kill/b.md")).toBe("[[kill/new]] b"));
    await waitFor(async () =>
      expect((await vault.linkUpdates.list()).find((update) => update.id === id)).toMatchObject({
        isDone: true,
        links: 2,
        notes: 2,
      }),
    );
    await vault.linkUpdates.undo(id, vault.author);
    expect(await vault.read("kill/a.md")).toBe("[[kill/t]] a");
    expect(await vault.read("kill/b.md")).toBe("[[kill/t]] b");
  });
});

describe("moves outside of the service", () => {
  it("change the links as well, in one step that can be undone", async () => {
    await mkdir(vault.at("ext/sub"), { recursive: true });
    const count = 210;
    for (let index = 0; index < count; index += 1) {
      await writeFile(
        vault.at(`ext/sub/n${index}.md`),
        `# N${index}\n[[ext/sub/n${(index + 1) % count}]] [t](../top.md)\n`,
      );
    }
    await writeFile(vault.at("ext/top.md"), "[a](sub/n0.md) [[n7]]\n");
    await vault.vaultMirror.start();
    const storedLinks = async () => {
      const { rows } = await vault.db.pool.query<{ path: string }>(
        "SELECT d.path FROM document_links l JOIN documents d ON d.id = l.document_id WHERE d.path LIKE 'ext/%'",
      );
      return rows.length;
    };
    await waitFor(async () => expect(await storedLinks()).toBe(2 * count + 2));
    const before = await hashes();
    await rename(vault.at("ext/sub"), vault.at("moved"));
    await waitFor(async () => expect(await vault.read("ext/top.md")).toBe("[a](../moved/n0.md) [[n7]]\n"));
    await waitFor(async () =>
      expect((await vault.linkUpdates.list())[0]).toMatchObject({ origin: "outside", isDone: true, links: 421 }),
    );
    expect(await vault.read("moved/n5.md")).toBe("# N5\n[[moved/n6]] [t](../ext/top.md)\n");
    const [update] = await vault.linkUpdates.list();
    const undone = await vault.linkUpdates.undo(update?.id ?? "", vault.author);
    expect(undone).toMatchObject({ refused: [], moves: [{ from: "/moved", to: "/ext/sub" }] });
    expect(await hashes()).toEqual(before);
  });

  it("leave alone what the other program has changed itself", async () => {
    await writeFile(vault.at("ext/t.md"), "T");
    await writeFile(vault.at("ext/a.md"), "[[ext/t]] a");
    await waitFor(async () => expect(await deadLinks("ext/a.md")).toEqual([]));
    await rename(vault.at("ext/t.md"), vault.at("ext/z.md"));
    await writeFile(vault.at("ext/a.md"), "[[z|renamed by me]] a");
    await waitFor(async () => expect(await idOf("ext/z.md")).toBeTruthy());
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(await vault.read("ext/a.md")).toBe("[[z|renamed by me]] a");
    await rm(vault.at("ext/z.md"));
  });

  it("change the links of files that appeared at the same time", async () => {
    const other = await createTestVault();
    onTestFinished(() => other.close());
    for (const path of ["late.md", "kept.md"]) await other.vault.write({ path, content: path }, other.author);
    await mkdir(other.at("later"));
    await rename(other.at("late.md"), other.at("later/late.md"));
    await writeFile(other.at("new.md"), "[a](late.md)");
    await other.vaultMirror.start();
    await waitFor(async () => expect(await other.read("new.md")).toBe("[a](later/late.md)"));
  });
});
