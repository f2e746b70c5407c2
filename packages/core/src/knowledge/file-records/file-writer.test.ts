import { afterAll, beforeAll, expect, it } from "vitest";
import { trackDescriptors } from "../../../testing/open-descriptors.ts";
import { createTestVault, type TestVault } from "../../../testing/test-vault.ts";
import { ConflictError, PreconditionFailedError } from "../../platform/errors.ts";
import { nodeFileSystemCalls } from "../vault/file-system-calls.ts";

const { calls, open } = trackDescriptors(nodeFileSystemCalls);
let vault: TestVault;

beforeAll(async () => {
  vault = await createTestVault({ fileSystem: calls });
});
afterAll(() => vault.close());

const write = (path: string, text: string, condition: { expectedHash?: string; createOnly?: boolean } = {}) =>
  vault.vault.write({ path, content: text, ...condition }, vault.author);

async function writeStreamed(path: string, text: string, createOnly = false) {
  async function* content() {
    yield Buffer.from(text);
    await Promise.resolve();
  }
  return vault.vault.writeStream(path, {
    content: content(),
    createOnly,
    creatorId: vault.userId,
    author: vault.author,
  });
}

it("writes a file with its document, all at once or streamed", async () => {
  const written = await writeStreamed("dir/a.md", "# Streamed");
  expect(written).toMatchObject({ title: "Streamed", created: true });
  expect(await write("dir/a.md", "# Whole", { expectedHash: written.contentHash })).toMatchObject({ created: false });
  const { document } = await vault.documents.openByPath("dir/a.md", vault.userId);
  expect(document).toMatchObject({ id: written.documentId, title: "Whole" });
  expect(await vault.read("dir/a.md")).toBe("# Whole");
});

it("creates no directories for a write that is rejected", async () => {
  await expect(write("nowhere/a.md", "x", { expectedHash: "*" })).rejects.toThrow(PreconditionFailedError);
  expect(await vault.names()).not.toContain("nowhere");
});

it("leaves no file open, whether or not the write is rejected", async () => {
  await writeStreamed("b.md", "# Streamed");
  await write("b.md", "# Whole");
  await expect(writeStreamed("b.md", "x", true)).rejects.toThrow(ConflictError);
  await expect(write("dir/none.md", "x", { expectedHash: "*" })).rejects.toThrow(PreconditionFailedError);
  // Texts are indexed in the background, which opens files too.
  await vault.documents.list({ search: "settled" });
  expect([...open.values()]).toEqual([]);
});
