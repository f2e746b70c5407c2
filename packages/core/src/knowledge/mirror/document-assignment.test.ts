import { describe, expect, it } from "vitest";
import { parseVaultPath } from "../vault/vault-path.ts";
import { assignDocuments } from "./document-assignment.ts";
import type { FoundFile, RecordedFile } from "./mirrored-file.ts";

const recorded = (id: string, path: string, inode: number, birthtimeNs = 1n): RecordedFile => ({
  id,
  path: parseVaultPath(path),
  title: id,
  inode: BigInt(inode),
  birthtimeNs,
  mtimeNs: 1n,
  sizeBytes: 1,
  contentHash: id,
});
const found = (path: string, inode: number, birthtimeNs = 1n): FoundFile => ({
  path: parseVaultPath(path),
  stat: {
    kind: "file",
    sizeBytes: 2,
    mtimeNs: 2n,
    birthtimeNs,
    inode: BigInt(inode),
    device: 1n,
    links: 1,
    mode: 0o644,
    uid: 0,
    gid: 0,
  },
});
const assign = (files: FoundFile[], documents: RecordedFile[]) => {
  const { assignments, unassigned } = assignDocuments(files, documents);
  return {
    files: Object.fromEntries(assignments.map(({ file, document }) => [file.path, document?.id ?? null])),
    unassigned: unassigned.map(({ id }) => id),
  };
};

describe("assignDocuments", () => {
  it.each([
    ["an edit in place", [found("a", 1)], [recorded("A", "a", 1)], { a: "A" }, []],
    ["a save by replacing", [found("a", 9)], [recorded("A", "a", 1)], { a: "A" }, []],
    ["a rename", [found("b", 1)], [recorded("A", "a", 1)], { b: "A" }, []],
    ["a new file", [found("b", 9)], [], { b: null }, []],
    ["a deletion", [], [recorded("A", "a", 1)], {}, ["A"]],
    ["a swap", [found("a", 2), found("b", 1)], [recorded("A", "a", 1), recorded("B", "b", 2)], { a: "B", b: "A" }, []],
    [
      "a rename, and another file put in its place",
      [found("a", 2), found("old-a", 1)],
      [recorded("A", "a", 1), recorded("B", "b", 2)],
      { a: "B", "old-a": "A" },
      [],
    ],
    ["a rename onto another file", [found("b", 1)], [recorded("A", "a", 1), recorded("B", "b", 2)], { b: "A" }, ["B"]],
    ["a reused inode number", [found("b", 1, 5n)], [recorded("A", "a", 1, 1n)], { b: null }, ["A"]],
    ["no birth times", [found("b", 1, 0n)], [recorded("A", "a", 1, 0n)], { b: null }, ["A"]],
    ["a second hard link", [found("a", 1), found("b", 1)], [recorded("A", "a", 1)], { a: "A", b: null }, []],
  ])("follows %s", (_what, files, documents, expected, unassigned) => {
    expect(assign(files, documents)).toEqual({ files: expected, unassigned });
  });
});
