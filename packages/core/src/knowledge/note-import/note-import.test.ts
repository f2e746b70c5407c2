import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeZip, zipLink, type ZipMember } from "../../../testing/make-zip.ts";
import { createTestVault, type TestVault } from "../../../testing/test-vault.ts";
import { ForbiddenError, InvalidInputError, TooLargeError } from "../../platform/errors.ts";
import { openArchive } from "./archive.ts";
import { EXPORT_MARKER } from "./formats/workspace.ts";
import { createNoteImportService } from "./note-import.service.ts";
import type { ImportNotes, NoteImport } from "./note-import.schema.ts";

const ID_A = "0123456789abcdef0123456789abcdef";
const ID_B = "1123456789abcdef0123456789abcdef";
const ID_C = "2123456789abcdef0123456789abcdef";
const ID_D = "3123456789abcdef0123456789abcdef";

let vault: TestVault;
let directory: string;

beforeEach(async () => {
  vault = await createTestVault();
  directory = await mkdtemp(join(tmpdir(), "note-import-"));
});
afterEach(async () => {
  await vault.close();
  await rm(directory, { recursive: true, force: true });
});

async function run(members: readonly ZipMember[] | Buffer, input: Partial<ImportNotes> = {}): Promise<NoteImport> {
  const file = join(directory, `${Math.random()}`);
  await writeFile(file, members instanceof Buffer ? members : makeZip(members as readonly ZipMember[]));
  const service = createNoteImportService(vault);
  const inner = await mkdtemp(join(directory, "inner-"));
  return service.import(
    { file, directory: inner },
    { format: "auto", folder: "", dryRun: false, ...input },
    { author: vault.author },
  );
}

const text = (files: Record<string, string>): ZipMember[] =>
  Object.entries(files).map(([name, content]) => ({ name, content }));
const linksOf = async (path: string) =>
  (await vault.documentSearch.links((await vault.documents.openByPath(path, vault.userId)).document.id)).links.map(
    ({ target, document }) => [target, document?.path ?? null],
  );

describe("a vault of Obsidian", () => {
  const VAULT = text({
    "Vault/.obsidian/app.json": "{}",
    "Vault/.trash/old.md": "old",
    "Vault/Home.md":
      "---\naliases: [Start, Anfang]\ntags: [area/home]\n---\n[[Ünit#Second|two]] [[#Here]] ![[pic.png|300]] [[Board.canvas]] %%a comment [[Gone]]%% #nested/tag\n# Here\n",
    // Decomposed, as archives from macOS have it.
    [`Vault/Folder/U\u0308nit.md`]: "## Second\n^block\n",
    "Vault/Files/pic.png": "\u0000png",
    "Vault/Board.canvas": '{"nodes":[]}',
    "Vault/Templates/Daily.md": "# {{date}}\n<% tp.file.title %>\n",
    "Vault/empty.md": "",
    "__MACOSX/Vault/._Home.md": "x",
  });

  it("is taken over byte for byte, except for settings, links and what is hidden", async () => {
    const report = await run([...VAULT, zipLink("Vault/passwd.md", "/etc/passwd")]);
    expect(report).toMatchObject({ format: "obsidian", createdCount: 6, noteCount: 4 });
    expect(await vault.names()).toEqual(
      [
        "Board.canvas",
        "Files",
        "Files/pic.png",
        "Folder",
        "Folder/\u00dcnit.md",
        "Home.md",
        "Templates",
        "Templates/Daily.md",
        "empty.md",
      ].toSorted(),
    );
    expect(await vault.read("Home.md")).toBe(VAULT[2]?.content);
    expect(Object.fromEntries(report.skipped.map(({ place, reason }) => [place, reason]))).toEqual({
      "Vault/.obsidian/app.json": "belongs to the settings of Obsidian",
      "Vault/.trash/old.md": expect.stringContaining("hidden"),
      "Vault/passwd.md": "is a symbolic link",
      "__MACOSX/Vault/._Home.md": expect.stringContaining("system"),
    });
  });

  it("has working links, embeds, tags and properties", async () => {
    await run(VAULT);
    expect(await linksOf("Home.md")).toEqual(
      expect.arrayContaining([
        ["Ünit", "Folder/Ünit.md"],
        ["pic.png", "Files/pic.png"],
        ["Board.canvas", "Board.canvas"],
      ]),
    );
    const { document } = await vault.documents.openByPath("Home.md", vault.userId);
    expect(document).toMatchObject({ tags: ["area/home"], textTags: ["nested/tag"] });
  });
});

describe("importing again", () => {
  const FILES = text({ "a.md": "a note that is long enough", "b/c.png": "\u0000 a picture" });

  it("says first what it would do, and does nothing", async () => {
    const report = await run(FILES, { dryRun: true });
    expect(report).toMatchObject({ isDryRun: true, createdCount: 2, noteCount: 1 });
    expect(report.files.map(({ path, state }) => [path, state])).toEqual([
      ["a.md", "new"],
      ["b/c.png", "new"],
    ]);
    expect(await vault.names()).toEqual([]);
  });

  it("creates nothing twice, changes nothing, and brings nothing back", async () => {
    expect((await run(FILES, { folder: "In" })).createdCount).toBe(2);
    expect(await run(FILES, { folder: "In" })).toMatchObject({ createdCount: 0, knownCount: 2 });
    await vault.vault.write({ path: "In/a.md", content: "edited" }, vault.author);
    await vault.vault.delete("In/b/c.png");
    expect(await run(FILES, { folder: "In" })).toMatchObject({ createdCount: 0, knownCount: 2 });
    expect(await vault.read("In/a.md")).toBe("edited");
    expect(await vault.names()).toEqual(["In", "In/a.md", "In/b"]);
  });

  it("goes on where it was interrupted", async () => {
    const stop = new AbortController();
    const many = Array.from({ length: 60 }, (_, index) => ({ name: `${index}.md`, content: `note ${index}` }));
    const file = join(directory, "many.zip");
    await writeFile(file, makeZip(many));
    const service = createNoteImportService(vault);
    const input = { format: "auto", folder: "", dryRun: false } as const;
    let calls = 0;
    const onProgress = () => void ((calls += 1) > 70 && stop.abort());
    await expect(
      service.import({ file, directory }, input, { author: vault.author, signal: stop.signal, onProgress }),
    ).rejects.toThrow();
    const before = (await vault.names()).length;
    expect(before).toBeGreaterThan(0);
    const report = await service.import({ file, directory }, input, { author: vault.author });
    expect(report.createdCount + before).toBe(60);
  });

  it("recognises what was moved", async () => {
    await run(FILES);
    await vault.vault.createDirectory("elsewhere");
    await vault.vault.rename("a.md", "elsewhere/a.md", vault.author);
    expect(await run(FILES)).toMatchObject({ createdCount: 0, knownCount: 2 });
  });

  it("does not replace a file that somebody has written meanwhile", async () => {
    await writeFile(vault.at("a.md"), "from outside");
    expect(await run(FILES)).toMatchObject({ createdCount: 1, existingCount: 1 });
    expect(await vault.read("a.md")).toBe("from outside");
  });
});

describe("an archive that means harm", () => {
  it("writes nothing outside of its folder", async () => {
    const names = [
      "../out.md",
      "a/../../out.md",
      "/etc/out.md",
      "C:/out.md",
      "..\\out.md",
      "a/..",
      "x\u0000y.md",
      ".workspace/x",
      "%2e%2e/out.md",
    ];
    const report = await run([...names.map((name) => ({ name, content: "x" })), { name: "good.md", content: "good" }], {
      folder: "In",
    });
    expect(report.skippedCount).toBe(names.length - 1);
    expect(await vault.names()).toEqual(["In", "In/good.md", "In/x y.md"]);
  });

  it("refuses files whose names differ only in case, and anything under a file", async () => {
    const report = await run(text({ "Note.md": "one", "note.md": "two", "Note.md/below.md": "three" }));
    expect(report).toMatchObject({ createdCount: 1, skippedCount: 2 });
  });

  it("refuses a file that differs from one in the vault only in case", async () => {
    await vault.vault.write({ path: "Readme.md", content: "mine" }, vault.author);
    expect(await run(text({ "README.md": "theirs" }))).toMatchObject({ createdCount: 0, skippedCount: 1 });
  });

  it("refuses a file that differs from one in the vault only in how its letters are composed", async () => {
    await vault.vault.write({ path: "U\u0308nit.md", content: "mine" }, vault.author);
    expect(await run(text({ "Ünit.md": "theirs" }))).toMatchObject({ createdCount: 0, skippedCount: 1 });
    expect(await run(text({ "ÜNIT.md": "theirs" }))).toMatchObject({ createdCount: 0, skippedCount: 1 });
    expect(await vault.names()).toEqual(["U\u0308nit.md"]);
  });

  it("counts what it has written although it contains a name twice", async () => {
    const twice = [
      { name: "a.md", content: "one" },
      { name: "a.md", content: "two" },
      { name: "u\u0308.md", content: "one" },
      { name: "ü.md", content: "two" },
    ];
    expect(await run(twice)).toMatchObject({ createdCount: 2, skippedCount: 2 });
    expect(await vault.names()).toEqual(["a.md", "ü.md"]);
  });

  it.each([
    ["would unpack to more than it may", 3, 4_000_000_000],
    ["is small and would become very large", 1, 300_000_000],
  ])("is refused if it %s", async (_what, count, claimedBytes) => {
    const bomb = Array.from({ length: count }, (_, index) => ({ name: `${index}.md`, content: "x", claimedBytes }));
    await expect(run(bomb)).rejects.toThrow(TooLargeError);
  });

  it("can be closed while several of its files are being read, and given up", async () => {
    const path = join(directory, "large.zip");
    const content = randomBytes(3_000_000);
    await writeFile(path, makeZip(Array.from({ length: 8 }, (_, index) => ({ name: `${index}.bin`, content }))));
    const archive = await openArchive(path, directory);
    const streams = await Promise.all(archive.entries.map((entry) => entry.open()));
    const [first, ...others] = streams.map((stream) => {
      if (stream !== streams[0]) return once(stream.resume(), "data");
      return buffer(stream);
    });
    await Promise.all(others);
    streams.slice(1).forEach((stream) => stream.destroy());
    archive.close();
    expect((await first)?.length).toBe(content.length);
  });

  it.each(["liar.bin", "liar.md", "liar.csv"])("cannot contain more than it claims: %s", async (name) => {
    const liar = { name, content: "x".repeat(100_000), claimedBytes: 10 };
    for (const format of ["auto", "notion", "bear", "basic-memory", "obsidian"] as const)
      expect(await run([liar], { format })).toMatchObject({
        createdCount: 0,
        skipped: [{ place: name, reason: expect.stringContaining("unpacked") }],
      });
  });

  it.each([
    ["no archive", Buffer.from("hello")],
    ["a damaged one", makeZip(text({ "a.md": "a" })).subarray(0, 40)],
    ["an empty one", makeZip([])],
  ])("is refused if it is %s", async (_what, bytes) => {
    await expect(run(bytes)).rejects.toThrow(InvalidInputError);
  });

  it("cannot be imported into a folder outside of the vault", async () => {
    await expect(run(text({ "a.md": "a" }), { folder: "../x" })).rejects.toThrow(ForbiddenError);
  });
});

describe("an export of Notion", () => {
  const EXPORT = text({
    [`Home ${ID_A}.md`]: `# Home\n\n[Sub](Home%20${ID_A}/Sub%20page%20${ID_B}.md) ![pic](Home%20${ID_A}/image.png)\n[Books](Books%20${ID_C}.csv) [web](https://www.notion.so/Sub-page-${ID_B}?pvs=4) [else](https://example.org)\n\n<aside>\n💡 \nMind this.\n\n</aside>\n`,
    [`Home ${ID_A}/Sub page ${ID_B}.md`]: `# Sub page\n\n[up](../Home%20${ID_A}.md)\n`,
    [`Home ${ID_A}/image.png`]: "\u0000png",
    [`Books ${ID_C}.csv`]: "\uFEFFName,Rating\nDune,5\n",
    [`Books ${ID_C}_all.csv`]:
      '\uFEFFName,Rating,Tags,Read,Finished\nDune,5,"sf, classic",Yes,"March 1, 2026"\n"Em|ma",4,,No,\n',
    [`Books ${ID_C}/Dune ${ID_D}.md`]: `# Dune\n\nRating: 5\nTags: sf, classic\nRead: Yes\nFinished: March 1, 2026 3:05 PM\n\nA desert. Rating: none\n`,
    [`Untitled ${ID_A}.md`.replace("0", "4")]: "# one\n",
    [`untitled ${ID_A}.md`.replace("0", "5")]: "# two\n",
    "index.html": "<html>",
  });

  it("gets clean names, and links that hold", async () => {
    const report = await run(EXPORT, { folder: "Notion" });
    expect(report).toMatchObject({ format: "notion", createdCount: 7, skippedCount: 2 });
    expect((await vault.names()).filter((name) => name.includes("."))).toEqual(
      [
        "Notion/Books.md",
        "Notion/Books/Dune.md",
        "Notion/Home.md",
        "Notion/Home/Sub page.md",
        "Notion/Home/image.png",
        "Notion/Untitled.md",
        "Notion/untitled 2.md",
      ].toSorted(),
    );
    expect(await vault.read("Notion/Home.md")).toBe(
      "# Home\n\n[Sub](Home/Sub%20page.md) ![pic](Home/image.png)\n[Books](Books.md) [web](Home/Sub%20page.md) [else](https://example.org)\n\n> [!note] 💡\n> Mind this.\n",
    );
    expect(await linksOf("Notion/Home/Sub page.md")).toEqual([["../Home.md", "Notion/Home.md"]]);
  });

  it("turns databases into tables, and properties into frontmatter", async () => {
    await run(EXPORT);
    expect(await vault.read("Books.md")).toBe(
      "# Books\n\n| Name | Rating | Tags | Read | Finished |\n| --- | --- | --- | --- | --- |\n| [Dune](Books/Dune.md) | 5 | sf, classic | Yes | March 1, 2026 |\n| Em\\|ma | 4 |  | No |  |\n",
    );
    expect(await vault.read("Books/Dune.md")).toBe(
      "---\nRating: 5\nTags:\n  - sf\n  - classic\nRead: true\nFinished: 2026-03-01T15:05\n---\n# Dune\n\nA desert. Rating: none\n",
    );
    const { document } = await vault.documents.openByPath("Books/Dune.md", vault.userId);
    expect(document.title).toBe("Dune");
  });

  it("is read from archives in the archive", async () => {
    const [first, ...others] = EXPORT;
    const part = (number: number, members: readonly ZipMember[]) => ({
      name: `Export-950ad927-7171-4abf-9001-821e5310d286-Part-${number}.zip`,
      content: makeZip(
        members.map((member) => ({
          ...member,
          name: `Export-950ad927-7171-4abf-9001-821e5310d286/${String(member.name)}`,
        })),
      ),
    });
    const outer = makeZip([part(1, first === undefined ? [] : [first]), part(2, others)]);
    expect(await run(makeZip([{ name: "ExportBlock-0123.zip", content: outer }]))).toMatchObject({
      format: "notion",
      createdCount: 7,
    });
    expect(await vault.read("Home.md")).toContain("(Home/Sub%20page.md)");
    expect(await run(outer)).toMatchObject({ createdCount: 0, knownCount: 7 });
  });
});

it("keeps every archive in an export of a workspace as it is", async () => {
  const archive = makeZip(text({ "Home.md": "# Home\n" }));
  const paths = ["Export-950ad927-Part-1.zip", "old/ExportBlock-0123.zip", "old/Trip.textpack"];
  const members = paths.map((path) => ({ name: `vault/${path}`, content: archive }));
  await run(makeZip([{ name: EXPORT_MARKER, content: "{}" }, ...members]));
  for (const path of paths) expect(await readFile(vault.at(path))).toEqual(archive);
});

describe("an export of Bear", () => {
  const info = (fields: object) => JSON.stringify({ "net.shinyfrog.bear": fields });
  const BACKUP = text({
    "Bear Notes.bear2bk/tags.json": "{}",
    "Bear Notes.bear2bk/Trip.textbundle/text.md":
      "# Trip\n#travel/italy #two words# and `#not this#`\n![](assets/a%20b.png)\n[n](bear://x-callback-url/open-note?id=BBBB-1234-5678) [[Packing/What to take|list]]\n",
    "Bear Notes.bear2bk/Trip.textbundle/assets/a b.png": "\u0000png",
    "Bear Notes.bear2bk/Trip.textbundle/info.json": info({
      uniqueIdentifier: "AAAA-1234-5678",
      creationDate: "2023-10-11T08:10:40Z",
      pinned: 1,
    }),
    "Bear Notes.bear2bk/Packing.textbundle/text.md": "# Packing\n",
    "Bear Notes.bear2bk/Packing.textbundle/info.json": info({ uniqueIdentifier: "BBBB-1234-5678" }),
    "Bear Notes.bear2bk/Old.textbundle/text.md": "# Old\n",
    "Bear Notes.bear2bk/Old.textbundle/info.json": info({ trashed: 1 }),
    "Bear Notes.bear2bk/Locked.textbundle/info.json": info({ encrypted: 1 }),
  });

  it("keeps texts, assets, tags, links and dates", async () => {
    const report = await run(BACKUP);
    expect(report).toMatchObject({ format: "bear", createdCount: 3, skippedCount: 2 });
    expect(await vault.read("Trip.md")).toBe(
      "---\ncreated: 2023-10-11T08:10:40Z\npinned: true\n---\n# Trip\n#travel/italy #two-words and `#not this#`\n![](Trip/a%20b.png)\n[n](Packing.md) [[Packing#What to take|list]]\n",
    );
    expect((await linksOf("Trip.md")).toSorted()).toEqual([
      ["Packing", "Packing.md"],
      ["Packing.md", "Packing.md"],
      ["Trip/a b.png", "Trip/a b.png"],
    ]);
    const { document } = await vault.documents.openByPath("Trip.md", vault.userId);
    expect(document.textTags).toEqual(["travel/italy", "two-words"]);
  });
});

describe("notes of basic-memory", () => {
  it("stay as they are, with links by title that work", async () => {
    const report = await run(
      text({
        "memory/coffee-methods.md":
          "---\ntitle: Coffee Methods\npermalink: memory/coffee-methods\n---\n- [method] Pour over #brewing\n- relates_to [[Tea Basics]]\n- see [[Coffee Methods|this]]\n",
        "memory/Tea Basics.md":
          "---\ntitle: Tea Basics\npermalink: memory/tea-basics\n---\n- contrasts [[Coffee Methods]] [[memory/coffee-methods]]\n",
      }),
    );
    expect(report).toMatchObject({ format: "basic-memory", createdCount: 2 });
    expect(await vault.read("Tea Basics.md")).toContain("[[coffee-methods]] [[memory/coffee-methods]]");
    expect(await linksOf("coffee-methods.md")).toEqual([
      ["Tea Basics", "Tea Basics.md"],
      ["coffee-methods", "coffee-methods.md"],
    ]);
  });
});
