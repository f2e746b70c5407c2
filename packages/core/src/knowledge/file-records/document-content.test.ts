import { expect, it } from "vitest";
import { parseVaultPath } from "../vault/vault-path.ts";
import { describeContent, HEAD_BYTES, toText } from "./document-content.ts";

const PATH = parseVaultPath("note.md");

it.each(["x", "é", "€", "😀"])("describes the head of a text of %s, but hashes all of it", async (character) => {
  const start = "# Title\n[[first]]\n";
  const bytes = Buffer.from(`${start}${character.repeat(HEAD_BYTES)}\n[[last]]\n`);
  const content = await describeContent(PATH, bytes);
  expect(content).toMatchObject({
    title: "Title",
    links: [{ target: "first", part: "" }],
    fileType: "markdown",
    sizeBytes: bytes.length,
  });
  expect(content.text).toHaveLength(HEAD_BYTES);
  expect(content.text?.startsWith(start)).toBe(true);
  const text = "[[first]]".padEnd(HEAD_BYTES - 1, "a");
  expect((await describeContent(PATH, Buffer.from(text))).text).toBe(text);
});

it("reads links only from the head of the largest file", async () => {
  const bytes = Buffer.alloc(30 * HEAD_BYTES, "[a](b)");
  const before = process.cpuUsage();
  expect((await describeContent(PATH, bytes)).links).toEqual([{ target: "b", part: "" }]);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(3_000);
});

it("is binary if a byte far beyond the head is not text", async () => {
  const bytes = Buffer.alloc(3 * HEAD_BYTES, "a");
  bytes[3 * HEAD_BYTES - 1] = 0xff;
  expect(await describeContent(parseVaultPath("a.txt"), bytes)).toMatchObject({ fileType: "binary", text: null });
  bytes[3 * HEAD_BYTES - 1] = 0;
  expect(await describeContent(parseVaultPath("a.txt"), bytes)).toMatchObject({ fileType: "binary", text: null });
});

it.each(["a", "é", "€", "😀", "\ufeff"])("reads the whole text of a long file of %j", async (character) => {
  const text = `\ufeffx${character.repeat(400_000)}`;
  expect((await toText(Buffer.from(text))) === text).toBe(true);
  expect(await toText(Buffer.from(`${text}\0`))).toBeNull();
  expect(await toText(Buffer.concat([Buffer.from(text), Buffer.from([0xe2, 0x82])]))).toBeNull();
});
