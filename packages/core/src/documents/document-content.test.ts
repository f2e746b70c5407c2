import { expect, it } from "vitest";
import { parseVaultPath } from "../vault/vault-path.ts";
import { describeContent, HEAD_BYTES } from "./document-content.ts";

const PATH = parseVaultPath("note.md");

it.each(["x", "é", "€", "😀"])("takes account of the head of a text of %s, and of all its bytes", (character) => {
  const start = "# Title\n[[first]]\n";
  const bytes = Buffer.from(`${start}${character.repeat(HEAD_BYTES)}\n[[last]]\n`);
  const content = describeContent(PATH, bytes);
  expect(content).toMatchObject({ title: "Title", links: ["first"], fileType: "markdown", sizeBytes: bytes.length });
  expect(content.text).toHaveLength(HEAD_BYTES);
  expect(content.text?.startsWith(start)).toBe(true);
  const text = "[[first]]".padEnd(HEAD_BYTES - 1, "a");
  expect(describeContent(PATH, Buffer.from(text)).text).toBe(text);
});

it("reads no more links out of the largest file than out of its head", () => {
  const bytes = Buffer.alloc(30 * HEAD_BYTES, "[a](b)");
  const before = process.cpuUsage();
  expect(describeContent(PATH, bytes).links).toEqual(["b"]);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(1_000);
});

it("is binary where a byte far behind the head is no text", () => {
  const bytes = Buffer.alloc(3 * HEAD_BYTES, "a");
  bytes[3 * HEAD_BYTES - 1] = 0xff;
  expect(describeContent(parseVaultPath("a.txt"), bytes)).toMatchObject({ fileType: "binary", text: null });
  bytes[3 * HEAD_BYTES - 1] = 0;
  expect(describeContent(parseVaultPath("a.txt"), bytes)).toMatchObject({ fileType: "binary", text: null });
});
