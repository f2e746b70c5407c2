import { CORE, type Step } from "./step.ts";

const KIB = 1024;
const MIB = 1024 * KIB;

/** The steps that process a note as a whole. */
export const NOTE_STEPS: readonly Step[] = [
  {
    name: "links of a note",
    maxCharacters: MIB,
    openings: ["", "[a](", "[[a#", "[a]: ", "<!-- ", "- ", "> ", "1. ", "| [[a\\|"],
    load: async () => (await import(`${CORE}/knowledge/markdown/wiki-links.ts`)).findLinks,
  },
  {
    name: "links rewritten in a note",
    maxCharacters: MIB,
    openings: ["", "[a](", "[[a#", "[a]: ", "[[a|"],
    load: async () => {
      const { rewriteLinks } = await import(`${CORE}/knowledge/markdown/link-rewrite.ts`);
      const { createLinkResolver } = await import(`${CORE}/knowledge/markdown/wiki-links.ts`);
      const document = { id: "1", path: "folder/New (name) #1.md" };
      const resolve = createLinkResolver([document]);
      const meant = ({ target }: { target: string }) => ({ document, written: { target, form: "ending" } });
      return (text) => rewriteLinks({ text, to: MIB, path: "a.md", resolve, meant });
    },
  },
  {
    name: "mentions in a note",
    maxCharacters: MIB,
    openings: ["", "name", "http://"],
    load: async () => {
      const { findMentions } = await import(`${CORE}/knowledge/markdown/mentions.ts`);
      return (text) => findMentions(text, 0, [text.slice(0, 100), "name of a note"]);
    },
  },
  {
    name: "tag renamed in a note",
    maxCharacters: MIB,
    openings: ["", "#", " #a", "#a/", "---\ntags: [a]\n---\n"],
    load: async () => {
      const { renameTag } = await import(`${CORE}/knowledge/markdown/tag-rename.ts`);
      return (text) => renameTag(text, { from: "a", to: "b" }, MIB);
    },
  },
  {
    name: "template filled in",
    maxCharacters: 100_000,
    openings: ["", "{{", "{{title}}", "{{date:", "{{ "],
    load: async () => {
      const { fillTemplate } = await import(`${CORE}/knowledge/daily-notes/note-template.ts`);
      const values = { title: "t", folder: "f", author: "a", date: "2026-01-01", time: "09:00" };
      return (text) => fillTemplate(text, values);
    },
  },
  {
    name: "name of a daily note",
    maxCharacters: 250,
    load: async () => {
      const { namesEachDay, readDay } = await import(`${CORE}/knowledge/daily-notes/day-name.ts`);
      const patterns = ["YYYY-MM-DD", `YYYY-MM-${"D[]".repeat(30)}`];
      return (text) => [
        ...patterns.map((pattern) => readDay(pattern, `2026-01-${text}`)),
        namesEachDay(`YYYY-M-${text.replaceAll("a", "D[]").slice(0, 93)}`),
      ];
    },
  },
  {
    name: "frontmatter of a note",
    maxCharacters: 64 * KIB,
    openings: ["", "a: ", "a: [", "a: |\n  ", "a:\n  - "],
    load: async () => {
      const { parseMarkdown } = await import(`${CORE}/knowledge/markdown/frontmatter.ts`);
      return (text) => parseMarkdown(`---\n${text.slice(0, 64 * KIB - 16)}\n---\n`);
    },
  },
  {
    name: "title and tags of a note",
    maxCharacters: MIB,
    openings: ["", "# ", "#"],
    load: async () => {
      const { markdownFields } = await import(`${CORE}/knowledge/markdown/document-fields.ts`);
      return (text) => markdownFields("note.md", text);
    },
  },
  {
    name: "properties of a note",
    maxCharacters: 65_000,
    openings: ["---\na: ", "---\n- ", "---\na: {", "---\na: [", "---\n? "],
    load: async () => {
      const { noteProperties } = await import(`${CORE}/knowledge/markdown/properties.ts`);
      return (text) => noteProperties(`${text}\n---\n`);
    },
  },
  {
    name: "query in a note",
    maxCharacters: 4_000,
    openings: ["where ", "where a = ", "where (", "where not ", "sort ", "where a in (", "\n"],
    load: async () => {
      const { parseQuery } = await import(`${CORE}/knowledge/queries/query-language.ts`);
      return (text) => parseQuery(text);
    },
  },
  {
    name: "views of a base",
    maxCharacters: 100_000,
    openings: ["filters: ", "filters: 'a == ", "filters: { and: [", "views: [{ filters: '(", "filters: '!", "- "],
    load: async () => {
      const { readBaseFile } = await import(`${CORE}/knowledge/queries/base-file.ts`);
      return (text) => readBaseFile(text);
    },
  },
  {
    name: "lines of a note",
    maxCharacters: 1_000_000,
    load: async () => {
      const { takeLines } = await import(`${CORE}/knowledge/notes/note-text.ts`);
      return (text) => takeLines(text, { fromLine: 100, lineCount: 2_000 });
    },
  },
  {
    name: "text found in a note",
    maxCharacters: 1_000_000,
    load: async () => {
      const { findText } = await import(`${CORE}/knowledge/notes/find-text.ts`);
      return (text) => findText(text, `${text.slice(0, 100_000)}b${text.slice(0, 100_000)}`);
    },
  },
  {
    name: "text replaced in a note",
    maxCharacters: 1_000_000,
    load: async () => {
      const { replaceTexts } = await import(`${CORE}/knowledge/notes/note-text.ts`);
      // What occurs too often is refused.
      return (text) =>
        replaceTexts(text, [{ oldText: text.slice(0, 10) || "a", newText: "b", all: true }]).catch(() => text);
    },
  },
  {
    name: "formula",
    maxCharacters: 4_000,
    openings: ["", "\\frac{", "\\left(", "\\begin{matrix}", "\\def\\a{", "\\sqrt{"],
    load: async () => {
      const { renderMath } = await import("../../../packages/markdown/src/figures/math.ts");
      return (text) => renderMath(text, true);
    },
  },
  {
    name: "callout of a line",
    maxCharacters: MIB,
    openings: ["", "[!", "[!note]"],
    load: async () => (await import("../../../packages/markdown/src/syntax/callouts.ts")).readCalloutHeader,
  },
  {
    // As much as a cell field of the editor reads for each key.
    name: "table that is edited",
    maxCharacters: 64 * KIB,
    openings: ["|a|b|\n|-|-|\n"],
    load: async () => {
      const { readTable, withCell, writeTable } =
        await import("../../../packages/web/src/features/documents/editor/table-source.ts");
      return (text) => writeTable(withCell(readTable(text), 1, 1, text.slice(0, 1_000)));
    },
  },
];
