import { writeFile } from "node:fs/promises";
import { v4 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestVault, type TestVault } from "../../../testing/test-vault.ts";
import {
  ConflictError,
  ForbiddenError,
  InvalidInputError,
  NotFoundError,
  PreconditionFailedError,
  TooLargeError,
} from "../../platform/errors.ts";
import type { Principal } from "../../platform/procedures/principal.ts";
import { MAX_NOTE_CHARACTERS } from "./note-text.ts";
import { createNoteService, type NoteService } from "./note.service.ts";

let vault: TestVault;
let notes: NoteService;

beforeAll(async () => {
  vault = await createTestVault();
  notes = createNoteService(vault);
});
afterAll(() => vault.close());

const create = (path: string, content: string) => notes.create({ path, content }, vault.user, vault.author);
const read = (path: string) => notes.read({ path, fromLine: 1, lineCount: 500 }, vault.user);
const edit = (path: string, oldText: string, newText: string, expectedHash?: string) =>
  notes.edit({ path, edits: [{ oldText, newText }], expectedHash }, vault.user, vault.author);

describe("notes", () => {
  it("are created once, read by lines, and moved without replacing anything", async () => {
    await create("log/day.md", "# Day\n\none\ntwo\n");
    await expect(create("log/day.md", "other")).rejects.toThrow(ConflictError);
    expect(await notes.read({ path: "log/day.md", fromLine: 3, lineCount: 1 }, vault.user)).toMatchObject({
      content: "one\n",
      fromLine: 3,
      toLine: 3,
      totalLines: 4,
      nextLine: 4,
    });
    expect((await read("log/day.md")).nextLine).toBeNull();
    await create("log/other.md", "x");
    const move = (newPath: string) => notes.move({ path: "log/day.md", newPath }, vault.user, vault.author);
    await expect(move("log/other.md")).rejects.toThrow(ConflictError);
    await expect(notes.move({ path: "log", newPath: "logs" }, vault.user, vault.author)).rejects.toThrow(
      InvalidInputError,
    );
    await move("archive/day.md");
    await expect(read("log/day.md")).rejects.toThrow(NotFoundError);
    expect(await vault.read("archive/day.md")).toBe("# Day\n\none\ntwo\n");
  });

  it("are created once under an id that the caller chooses, also after they were moved or deleted", async () => {
    const id = v4();
    const createAs = (path: string, content: string) => notes.create({ id, path, content }, vault.user, vault.author);
    const both = await Promise.all([createAs("trip.md", "Tent"), createAs("trip.md", "Tent")]);
    expect(both.map(({ path }) => path)).toEqual(["trip.md", "trip.md"]);
    expect((await vault.documents.open(id)).document.path).toBe("trip.md");
    await notes.move({ path: "trip.md", newPath: "old/trip.md" }, vault.user, vault.author);
    expect(await createAs("trip.md", "Tent")).toMatchObject({ path: "old/trip.md" });
    await vault.documents.delete(id);
    expect(await createAs("trip.md", "Tent")).toMatchObject({ path: "old/trip.md" });
    await expect(read("trip.md")).rejects.toThrow(NotFoundError);
    await create("trip.md", "Of somebody else");
    const taken = notes.create({ id: v4(), path: "trip.md", content: "Mine" }, vault.user, vault.author);
    await expect(taken).rejects.toThrow(ConflictError);
    expect(await vault.read("trip.md")).toBe("Of somebody else");
  });

  it("keep every other byte in an edit, and the previous version", async () => {
    const before = "\uFEFF---\r\ntags: [b,  a] # mine\r\n---\r\nOne\r\nTwo";
    await writeFile(vault.at("bytes.md"), before);
    await edit("bytes.md", "Two", "Three\nFour");
    expect(await vault.read("bytes.md")).toBe(`${before.slice(0, -3)}Three\r\nFour`);
    const { document } = await vault.documents.openByPath("bytes.md", vault.userId);
    expect(await vault.documentVersions.list(document.id)).toHaveLength(1);
  });

  it("stay as they are if an edit does not apply, or if they have changed since they were read", async () => {
    await create("stale.md", "a b");
    const { contentHash } = await read("stale.md");
    await expect(edit("stale.md", "c", "d")).rejects.toThrow(InvalidInputError);
    await edit("stale.md", "a", "A", contentHash);
    await expect(edit("stale.md", "not even there", "B", contentHash)).rejects.toThrow(PreconditionFailedError);
    expect(await vault.read("stale.md")).toBe("A b");
    await edit("stale.md", "b", "B");
    expect(await vault.read("stale.md")).toBe("A B");
  });

  it("keep what several writers add and change at once, in several processes", async () => {
    await create("shared.md", Array.from({ length: 20 }, (_, index) => `line ${index}.\n`).join(""));
    const other = createNoteService({ ...vault, ...(await vault.another()) });
    const writers = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? notes : other));
    await Promise.all(
      writers.flatMap((service, index) => [
        service.append({ path: "shared.md", text: `added ${index}` }, vault.user, vault.author),
        service.edit(
          { path: "shared.md", edits: [{ oldText: `line ${index}.`, newText: `changed ${index}.` }] },
          vault.user,
          vault.author,
        ),
      ]),
    );
    const lines = (await vault.read("shared.md")).split("\n").slice(0, -1);
    const expected = writers.flatMap((_, index) => [`added ${index}`, `changed ${index}.`]);
    expect(lines.toSorted()).toEqual(expected.toSorted());
  });

  it("are neither created nor found by adding to them, and not read if they are too long", async () => {
    await expect(notes.append({ path: "none.md", text: "x" }, vault.user, vault.author)).rejects.toThrow(NotFoundError);
    await writeFile(vault.at("long.txt"), "x".repeat(MAX_NOTE_CHARACTERS + 1));
    await expect(read("long.txt")).rejects.toThrow(TooLargeError);
    await expect(edit("long.txt", "x", "y")).rejects.toThrow(TooLargeError);
  });

  it("outside the folder of a key can neither be read, changed, nor moved there, in any spelling", async () => {
    const key: Principal = {
      kind: "api_key",
      keyId: "k",
      name: "Key",
      userId: vault.userId,
      scopes: new Set(["knowledge:read", "knowledge:write"]),
      folder: "own",
    };
    await create("own/a.md", "a");
    await create("owned.md", "secret");
    await create("own.md", "secret");
    for (const path of ["owned.md", "own.md", "/owned.md", "own/../owned.md", "Own/a.md", "own", "own/", "", "/"]) {
      await expect(notes.read({ path, fromLine: 1, lineCount: 1 }, key)).rejects.toThrow();
      await expect(notes.create({ path, content: "x" }, key, vault.author)).rejects.toThrow();
      await expect(notes.append({ path, text: "x" }, key, vault.author)).rejects.toThrow();
      await expect(
        notes.edit({ path, edits: [{ oldText: "s", newText: "x", all: true }] }, key, vault.author),
      ).rejects.toThrow();
    }
    const id = v4();
    await notes.create({ id, path: "chosen.md", content: "secret" }, vault.user, vault.author);
    await expect(notes.create({ id, path: "own/c.md", content: "x" }, key, vault.author)).rejects.toThrow(
      ForbiddenError,
    );
    // The folder of a key need not exist, and no file may take its place.
    const elsewhere = { ...key, folder: "none" };
    await expect(notes.create({ path: "none", content: "x" }, elsewhere, vault.author)).rejects.toThrow(ForbiddenError);
    await expect(notes.move({ path: "own/a.md", newPath: "stolen.md" }, key, vault.author)).rejects.toThrow(
      ForbiddenError,
    );
    await expect(notes.move({ path: "owned.md", newPath: "own/b.md" }, key, vault.author)).rejects.toThrow(
      ForbiddenError,
    );
    expect(await vault.read("owned.md")).toBe("secret");
    expect((await notes.read({ path: "/own/a.md", fromLine: 1, lineCount: 1 }, key)).content).toBe("a");
    await notes.create({ path: "own/deep/b.md", content: "b" }, key, vault.author);
    expect(await vault.read("own/deep/b.md")).toBe("b");
  });
});
