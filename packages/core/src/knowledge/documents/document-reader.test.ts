import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestVault, type TestVault } from "../../../testing/test-vault.ts";
import { nodeFileSystemCalls } from "../vault/file-system-calls.ts";

let vault: TestVault;
/** Called once, when a file has been read and nothing has been done with it. */
let afterRead: (() => Promise<unknown>) | null = null;

beforeAll(async () => {
  const fileSystem = {
    ...nodeFileSystemCalls,
    read: async (fd: number, buffer: Uint8Array, position: number) => {
      const count = await nodeFileSystemCalls.read(fd, buffer, position);
      const then = afterRead;
      afterRead = null;
      await then?.();
      return count;
    },
  };
  vault = await createTestVault({ fileSystem });
});
afterAll(() => vault.close());

const write = (content: string) => vault.vault.write({ path: "a.md", content }, vault.author);

async function create(content: string): Promise<string> {
  await write(content);
  return (await vault.documents.openByPath("a.md", vault.userId)).document.id;
}

it("gives a text that is replaced while it is read the hash of that text, so that nothing is based on another", async () => {
  const id = await create("one\n");
  afterRead = () => write("one, by somebody else\n");
  const { body, document } = await vault.documents.open(id);
  expect(document.contentHash).toBe(createHash("sha256").update(body).digest("hex"));
  const save = { id, body: `${body}edited\n`, expectedHash: document.contentHash };
  await vault.documents.update(save, vault.author).catch(() => null);
  expect(await vault.read("a.md")).toContain("one, by somebody else\n");
});

it("changes the fields of a text that is replaced meanwhile in the new one", async () => {
  const id = await create("two\n");
  afterRead = () => write("two, by somebody else\n");
  await vault.documents.update({ id, tags: ["pond"] }, vault.author);
  expect(await vault.read("a.md")).toContain("two, by somebody else\n");
  expect(await vault.read("a.md")).toContain("pond");
});
