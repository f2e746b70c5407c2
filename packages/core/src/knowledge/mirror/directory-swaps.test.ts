import { execFile, execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createTestVault, type TestVault } from "../../../testing/test-vault.ts";

const SWAPS = 40;

let vault: TestVault;

const paths = async () => (await vault.documents.list({})).items.map(({ path }) => path).toSorted();
const untilPaths = (expected: string[]) =>
  vi.waitFor(async () => expect(await paths()).toEqual(expected), { timeout: 6_000, interval: 50 });
const sh = (script: string) => promisify(execFile)("sh", ["-ec", script], { cwd: vault.root });

beforeEach(async () => {
  vault = await createTestVault();
  await mkdir(vault.at("dir/deep"), { recursive: true });
  await writeFile(vault.at("dir/a.md"), "a");
  await writeFile(vault.at("dir/deep/b.md"), "b");
  await writeFile(vault.at("stays.md"), "stays");
  await vault.vaultMirror.start();
  await untilPaths(["dir/a.md", "dir/deep/b.md", "stays.md"]);
});
afterEach(() => vault.close());

describe("a directory that is swapped", () => {
  it("for a link and back, repeatedly, is followed afterwards", { timeout: 30_000 }, async () => {
    const swap = "mv dir ../away; ln -s ../away dir; sleep 0.0$((i % 10)); rm dir; mv ../away dir; sleep 0.0$((i % 7))";
    await sh(`i=0; while [ $i -lt ${SWAPS} ]; do ${swap}; i=$((i + 1)); done`);
    await writeFile(vault.at("dir/later.md"), "later");
    await writeFile(vault.at("dir/deep/later.md"), "later");
    await untilPaths(["dir/a.md", "dir/deep/b.md", "dir/deep/later.md", "dir/later.md", "stays.md"]);
  });

  it("for a link to a directory outside during a comparison is followed once it is back", async () => {
    await mkdir(join(vault.dataDir, "outside"));
    for (let round = 0; round < 5; round += 1) {
      await sh(`mv dir ../away; ln -s "${vault.dataDir}/outside" dir`);
      await untilPaths(["stays.md"]);
      await sh("rm dir; mv ../away dir");
      await writeFile(vault.at(`dir/deep/round-${round}.md`), `${round}`);
      await vi.waitFor(async () => expect(await paths()).toContain(`dir/deep/round-${round}.md`), { timeout: 6_000 });
      await rm(vault.at(`dir/deep/round-${round}.md`));
      await untilPaths(["dir/a.md", "dir/deep/b.md", "stays.md"]);
    }
  });

  it("for another directory is read completely and followed", async () => {
    await sh(
      "mkdir -p ../other/new; echo x > ../other/x.md; echo y > ../other/new/y.md; mv dir ../away; mv ../other dir",
    );
    await untilPaths(["dir/new/y.md", "dir/x.md", "stays.md"]);
    await writeFile(vault.at("dir/new/later.md"), "later");
    await untilPaths(["dir/new/later.md", "dir/new/y.md", "dir/x.md", "stays.md"]);
  });

  it("for another one in the vault keeps the ids of all documents", async () => {
    await sh("mkdir twin; echo t > twin/t.md");
    await untilPaths(["dir/a.md", "dir/deep/b.md", "stays.md", "twin/t.md"]);
    const ids = async () =>
      Object.fromEntries((await vault.documents.list({})).items.map(({ path, id }) => [path, id]));
    const before = await ids();
    await sh("mv dir .x; mv twin dir; mv .x twin");
    await untilPaths(["dir/t.md", "stays.md", "twin/a.md", "twin/deep/b.md"]);
    expect(await ids()).toEqual({
      "dir/t.md": before["twin/t.md"],
      "stays.md": before["stays.md"],
      "twin/a.md": before["dir/a.md"],
      "twin/deep/b.md": before["dir/deep/b.md"],
    });
    await writeFile(vault.at("dir/later.md"), "later");
    await writeFile(vault.at("twin/deep/later.md"), "later");
    await untilPaths(["dir/later.md", "dir/t.md", "stays.md", "twin/a.md", "twin/deep/b.md", "twin/deep/later.md"]);
  });

  it("for a new one by removing and recreating it is followed, whatever its inode", async () => {
    for (let round = 0; round < 5; round += 1) {
      await sh(`rm -r dir; mkdir -p dir/deep; echo ${round} > dir/deep/fresh-${round}.md`);
      await untilPaths([`dir/deep/fresh-${round}.md`, "stays.md"]);
      await writeFile(vault.at("dir/deep/later.md"), "later");
      await untilPaths([`dir/deep/fresh-${round}.md`, "dir/deep/later.md", "stays.md"]);
    }
  });
});

it("reads a tree completely that is moved into the vault", async () => {
  const outside = await mkdtemp(join(vault.dataDir, "tree-"));
  await mkdir(join(outside, "tree/one/two"), { recursive: true });
  for (const path of ["x.md", "one/y.md", "one/two/z.md"]) await writeFile(join(outside, "tree", path), path);
  await rename(join(outside, "tree"), vault.at("tree"));
  const moved = ["tree/one/two/z.md", "tree/one/y.md", "tree/x.md"];
  await untilPaths(["dir/a.md", "dir/deep/b.md", "stays.md", ...moved]);
  execFileSync("mv", ["tree", "dir/deep/tree"], { cwd: vault.root });
  await writeFile(vault.at("dir/deep/tree/one/two/later.md"), "later");
  await vi.waitFor(async () => expect(await paths()).toContain("dir/deep/tree/one/two/later.md"), { timeout: 6_000 });
});
