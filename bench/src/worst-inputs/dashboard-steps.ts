import { inSlices } from "../../../packages/core/src/platform/in-slices.ts";
import type { Step } from "./step.ts";

const MARKDOWN = "../../../packages/markdown/src";
const WEB = "../../../packages/web/src";

const KIB = 1024;

/** What the dashboard does with texts, on the thread of the page. */
export const DASHBOARD_STEPS: readonly Step[] = [
  {
    name: "wiki links in the dashboard",
    maxCharacters: 512 * KIB,
    load: async () => (await import(`${MARKDOWN}/syntax/wiki-links.ts`)).findWikiLinks,
  },
  {
    name: "short note in the dashboard",
    maxCharacters: 2_980,
    load: async () => {
      const { isQuick, notePieces } = await import(`${MARKDOWN}/pieces/note-pieces.ts`);
      // A single long paragraph is rendered in the worker.
      const inParagraphs = (text: string) => text.replaceAll(/[^]{960}/g, "$&\n\n");
      return (text) => isQuick(inParagraphs(text)) && [...notePieces(inParagraphs(text))];
    },
  },
  {
    name: "comparison in the dashboard",
    maxCharacters: 512 * KIB,
    openings: ["", "a\n"],
    load: async () => {
      const { compareTexts } = await import(`${WEB}/features/documents/merge/diff-rows.ts`);
      return (text) => inPauses(compareTexts(text, everyOther(text, "\n")));
    },
  },
  {
    name: "merge in the dashboard",
    maxCharacters: 512 * KIB,
    openings: ["", "a\n"],
    load: async () => {
      const { mergeTexts } = await import(`${WEB}/features/documents/merge/three-way-merge.ts`);
      return (text) => inPauses(mergeTexts(text, everyOther(text, "\n"), `${text}\nx`));
    },
  },
  {
    name: "words in which two sides of a merge differ, in the dashboard",
    maxCharacters: 10_000,
    openings: ["", "a "],
    load: async () => {
      const { markWords } = await import(`${WEB}/features/documents/merge/word-marks.ts`);
      return (text) => inPauses(markWords([text], [everyOther(text, " ")]));
    },
  },
  {
    name: "ticking a task in the dashboard",
    maxCharacters: 512 * KIB,
    load: async () => {
      const { withToggledTask } = await import(`${MARKDOWN}/task-lines.ts`);
      return (text) => withToggledTask(text, Number.MAX_SAFE_INTEGER);
    },
  },
  {
    name: "words of a note in the dashboard",
    maxCharacters: 512 * KIB,
    load: async () => {
      const { statisticsOf } = await import(`${WEB}/features/documents/document-text.ts`);
      return (text) => inPauses(statisticsOf(text));
    },
  },
  {
    name: "words found in a kept note in the dashboard",
    maxCharacters: 512 * KIB,
    load: async () => {
      const { findFolded } = await import(`${WEB}/features/documents/offline/folded-text.ts`);
      return (text) => findFolded(`${text}é needle`, ["needle", "e"]);
    },
  },
  {
    // What goes on for longer is read in parts.
    name: "paragraph in the editor",
    maxCharacters: 8_000,
    openings: ["", "- ", "> "],
    load: () => loadEditorParser(3_900),
  },
  {
    name: "table in the editor",
    maxCharacters: 32_000,
    openings: ["a|b\n-|-\n"],
    load: () => loadEditorParser(1_000),
  },
  {
    name: "search in the editor",
    maxCharacters: 512 * KIB,
    load: async () => {
      const { searchText } = await import(`${WEB}/features/documents/editor/text-search.ts`);
      return (text) => {
        const words = `${text.slice(0, 199)}x`;
        searchText(text, { words, isCaseSensitive: false, isWholeWord: true }).next(0);
      };
    },
  },
  {
    name: "search backwards in the editor",
    maxCharacters: 512 * KIB,
    load: async () => {
      const { searchText } = await import(`${WEB}/features/documents/editor/text-search.ts`);
      return (text) => {
        const query = { words: text.slice(0, 1), isCaseSensitive: false, isWholeWord: false };
        searchText(text, query).previous(text.length);
      };
    },
  },
];

/** Reads a text as the editor does, block by block, with its lines divided so that none is too long to be read. */
async function loadEditorParser(lineLength: number): Promise<(text: string) => Promise<void>> {
  const { calmMarkdown } = await import(`${WEB}/features/documents/editor/calm-markdown.ts`);
  const { parser } = calmMarkdown().language;
  const longLine = new RegExp(`.{${lineLength}}`, "gu");
  function* blocks(text: string): Generator<undefined> {
    const parse = parser.startParse(text.replaceAll(longLine, "$&\n"));
    while (parse.advance() === null) yield;
  }
  return (text) => inPauses(blocks(text));
}

/** What the page computes in slices. */
async function inPauses(computation: Iterable<unknown>): Promise<void> {
  await inSlices(computation, () => {});
}

function everyOther(text: string, separator: string): string {
  const parts = text.split(separator);
  return parts.map((part, index) => (index % 2 === 0 ? "x" : part)).join(separator);
}
