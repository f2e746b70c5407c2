import { writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestVault, type TestVault } from "../../../testing/test-vault.ts";
import { ForbiddenError, InvalidInputError, NotFoundError } from "../../platform/errors.ts";

let vault: TestVault;

beforeAll(async () => {
  vault = await createTestVault();
  for (const name of ["one.md", "two.txt", "three.md", "four.bin", "five.md", "six.md"]) {
    await vault.vault.writeStream(name, {
      content: Buffer.from(name === "four.bin" ? "\0" : name),
      creatorId: vault.userId,
      author: vault.author,
    });
  }
});
afterAll(() => vault.close());

const write = (path: string, content: string) => vault.vault.write({ path, content }, vault.author);
const idOf = async (path: string) => (await vault.documents.openByPath(path, vault.userId)).document.id;

describe("the public view", () => {
  it("shows a shared document until it is unshared or deleted", async () => {
    await writeFile(vault.at("public.md"), "---\nsecret: frontmatter\n---\n# Hi\n");
    const id = await idOf("public.md");
    await expect(vault.documentSharing.open("no-uuid", null)).rejects.toThrow(InvalidInputError);
    await expect(vault.documentSharing.open("0196f3a0-0000-7000-8000-000000000000", null)).rejects.toThrow(
      NotFoundError,
    );
    await expect(vault.documentSharing.open(id, null)).rejects.toThrow(ForbiddenError);
    await vault.documentSharing.setSharing({ id, shared: true, shareType: "public" });
    expect(await vault.documentSharing.open(id, null)).toMatchObject({
      document: { id, title: "Hi", creatorName: "Ada", shareType: "public" },
      content: "# Hi\n",
      isOwner: false,
    });
    expect((await vault.documentSharing.open(id, vault.user)).isOwner).toBe(true);
    await vault.documentSharing.setSharing({ id, shared: false });
    await expect(vault.documentSharing.open(id, vault.user)).rejects.toThrow(ForbiddenError);
    await vault.documentSharing.setSharing({ id, shared: true });
    await vault.documents.delete(id);
    await expect(vault.documentSharing.open(id, null)).rejects.toThrow(NotFoundError);
  });

  it("has no content for a binary file", async () => {
    await writeFile(vault.at("public.bin"), Buffer.from([0]));
    const id = await idOf("public.bin");
    await vault.documentSharing.setSharing({ id, shared: true });
    expect((await vault.documentSharing.open(id, null)).content).toBe(null);
  });
});

describe("finding documents", () => {
  it("lists the most recently changed first, without content, filtered", async () => {
    const { items } = await vault.documents.list({});
    const times = items.map(({ modifiedAt }) => modifiedAt);
    expect(times).toEqual(times.toSorted().toReversed());
    expect(items.every((item) => !("content" in item))).toBe(true);
    expect(
      (await vault.documents.list({ fileType: "binary" })).items.every(({ fileType }) => fileType === "binary"),
    ).toBe(true);
    expect((await vault.documents.list({ projectId: "nope" })).items).toEqual([]);
    const paged = await vault.documents.list({ limit: 3 });
    expect(paged.items).toEqual(items.slice(0, 3));
    const next = await vault.documents.list({
      limit: 3,
      ...(paged.nextCursor !== undefined && { cursor: paged.nextCursor }),
    });
    expect(next.items).toEqual(items.slice(3, 6));
  });

  it("searches title, path and content, ignoring case and without wildcards", async () => {
    await write("find/Straße_100%.md", "# Überschrift\nEin GEHEIMES Wort");
    const paths = async (search: string) => (await vault.documents.list({ search })).items.map(({ path }) => path);
    for (const search of ["ÜBERSCHRIFT", "strasse_100%", "geheimes wort", "find/"]) {
      expect(await paths(search)).toEqual(["find/Straße_100%.md"]);
    }
    expect(await paths("strasse%100")).toEqual([]);
  });

  it("returns the best matches first for the palette", async () => {
    await write("rank/a.md", "# Other\nplans plans plans");
    await write("rank/plans/b.md", "# Something");
    await write("rank/c.md", "# My plans\n");
    await write("rank/d.md", "# Plans\n");
    const hits = await vault.documentSearch.search({ query: "plans" });
    expect(hits.map(({ path }) => path)).toEqual(["rank/d.md", "rank/c.md", "rank/plans/b.md", "rank/a.md"]);
    expect(hits[3]?.excerpt).toContain("plans plans");
    expect((await vault.documentSearch.search({ query: "", limit: 2 })).length).toBe(2);
  });

  it("resolves links and backlinks", async () => {
    await write("links/Target.md", "# T");
    await write("links/other/Target.md", "# T2");
    await write(
      "links/source.md",
      "[[target]] [[other/Target|shown]] [[nothing]] [x](./Target.md#part) ![[pic.png]] `[[code]]`",
    );
    const source = await vault.documentSearch.links(await idOf("links/source.md"));
    expect(source.links.map(({ target, document }) => [target, document?.path ?? null])).toEqual([
      ["target", "links/Target.md"],
      ["other/Target", "links/other/Target.md"],
      ["nothing", null],
      ["pic.png", null],
      ["./Target.md", "links/Target.md"],
    ]);
    const target = await vault.documentSearch.links(await idOf("links/Target.md"));
    expect(target.backlinks.map(({ path }) => path)).toEqual(["links/source.md"]);
  });
});
