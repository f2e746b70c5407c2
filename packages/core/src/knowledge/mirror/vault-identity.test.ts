import { mkdir, readFile, rename, rm, unlink, writeFile } from "node:fs/promises";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createTestVault, type TestVault } from "../../../testing/test-vault.ts";
import { UnavailableError } from "../../platform/errors.ts";

let vault: TestVault;

beforeEach(async () => {
  vault = await createTestVault();
  for (const path of ["a.md", "b.md"]) await vault.vault.write({ path, content: path }, vault.author);
  await vault.vaultMirror.start();
  await vault.vaultMirror.close();
});
afterEach(() => vault.close());

const idFile = () => vault.at(".workspace/id");
const untilAvailable = (mirror: TestVault["vaultMirror"]) =>
  vi.waitFor(async () => expect(await mirror.isAvailable()).toBe(true), { timeout: 10_000, interval: 100 });

it("recognizes a vault restored without its hidden folder by its files, and writes its id again", async () => {
  const id = await readFile(idFile(), "utf8");
  await rm(vault.at(".workspace"), { recursive: true });
  await unlink(vault.at("b.md"));
  const next = await vault.another();
  await next.vaultMirror.start();
  await untilAvailable(next.vaultMirror);
  expect(await next.vaultMirror.findHistoryProblem()).toBe(null);
  expect(await readFile(idFile(), "utf8")).toBe(id);
});

it("accepts another workspace's vault once its id has been removed, if it contains the known files", async () => {
  await writeFile(idFile(), "0196f3a0-0000-7000-8000-000000000001\n");
  const next = await vault.another();
  await next.vaultMirror.start();
  expect(await next.vaultMirror.isAvailable()).toBe(false);
  expect(await next.vaultMirror.findHistoryProblem()).toMatch(/vault of another workspace/);
  await expect(next.vault.read("a.md")).rejects.toThrow(UnavailableError);
  await unlink(idFile());
  await untilAvailable(next.vaultMirror);
  expect((await next.vault.read("a.md")).content).toBe("a.md");
});

it("accepts an empty folder without an id only if a person does", { timeout: 20_000 }, async () => {
  await rename(vault.root, `${vault.root}-away`);
  await mkdir(vault.root);
  const next = await vault.another();
  await next.vaultMirror.start();
  expect(await next.vaultMirror.findHistoryProblem()).toMatch(/does not look like the vault/);
  expect((await next.documents.list({})).items).toHaveLength(2);
  await next.vaultMirror.acceptEmptied();
  await untilAvailable(next.vaultMirror);
  await vi.waitFor(async () => expect((await next.documents.list({})).items).toEqual([]), { timeout: 10_000 });
  await next.vault.write({ path: "new.md", content: "new" }, vault.author);
});
