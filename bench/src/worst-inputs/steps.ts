import { CHAT_STEPS } from "./chat-steps.ts";
import { IMPORT_STEPS } from "./import-steps.ts";
import { NOTE_STEPS } from "./note-steps.ts";
import { REQUEST_STEPS } from "./request-steps.ts";
import { CORE, type Step } from "./step.ts";
import { WORK_STEPS } from "./work-steps.ts";

const CLI = "../../../packages/hooks-cli/src";
const MARKDOWN = "../../../packages/markdown/src";
const WEB = "../../../packages/web/src";

const KIB = 1024;
const MIB = 1024 * KIB;

/**
 * Every step on a shared thread that processes a text from a user, a stranger or a file, with the maximum length of that
 * text.
 */
export const STEPS: readonly Step[] = [
  ...CHAT_STEPS,
  ...IMPORT_STEPS,
  ...NOTE_STEPS,
  ...REQUEST_STEPS,
  ...WORK_STEPS,
  {
    name: "folded text for search",
    maxCharacters: MIB,
    load: async () => (await import(`${CORE}/platform/fold-text.ts`)).foldText,
  },
  {
    name: "excerpt of a found note",
    maxCharacters: MIB,
    load: async () => {
      const { findExcerpt } = await import(`${CORE}/knowledge/documents/excerpt.ts`);
      return (text) => findExcerpt(text, ["a", "zz"]);
    },
  },
  {
    name: "secrets in a text",
    maxCharacters: MIB,
    load: async () => {
      const { createSecretRedactor } = await import(`${CORE}/access/secrets/secret-redactor.ts`);
      const values = ["a".repeat(20), "hunter2-hunter2", 'aaaa\\/"aaaa', "-----BEGIN PRIVATE KEY-----\n".repeat(4)];
      const redactor = createSecretRedactor(async () => values.map((value, index) => ({ key: `KEY_${index}`, value })));
      await redactor.refresh();
      return redactor.redact;
    },
  },
  {
    name: "key of a memory",
    maxCharacters: 10_000,
    load: async () => (await import(`${CORE}/assistants/memory/content-key.ts`)).contentKey,
  },
  {
    name: "marks of a memory",
    maxCharacters: 10_000,
    load: async () => (await import(`${CORE}/assistants/memory/memory-use.ts`)).marksOf,
  },
  {
    name: "memory: telling words",
    maxCharacters: 10_000,
    load: async () => (await import(`${CORE}/assistants/memory/telling-words.ts`)).tellingWords,
  },
  {
    name: "memory: number words",
    maxCharacters: 10_000,
    load: async () => (await import(`${CORE}/assistants/memory/plain-wording.ts`)).plainWording,
  },
  {
    name: "use of memories in a step of a session",
    maxCharacters: 4000,
    load: async () => {
      const { findUsedMemories } = await import(`${CORE}/assistants/memory/memory-use.ts`);
      const marks = Array.from({ length: 12 }, (_, index) => "aA0/".repeat(index + 1));
      const watched = Array.from({ length: 20 }, (_, index) => ({ memoryId: `${index}`, givenAt: "", marks }));
      return (text) => findUsedMemories(watched, [{ isOwn: true, text, occurredAt: null }]);
    },
  },
  {
    name: "similarity keys of a memory",
    maxCharacters: 10_000,
    load: async () => {
      const { similarityKeys } = await import(`${CORE}/assistants/memory/similarity-keys.ts`);
      return (text) => similarityKeys(text, null);
    },
  },
  {
    name: "memories that a part of a session may be about",
    maxCharacters: 4_000,
    load: async () => {
      const { isSameSubject } = await import(`${CORE}/assistants/memory/known-memories.ts`);
      return (text) => isSameSubject(text, "Tests run with vitest");
    },
  },
  {
    name: "proposed citations",
    maxCharacters: 24_000,
    load: async () => {
      const { provenCitations } = await import(`${CORE}/assistants/memory/proposed-citations.ts`);
      return (text) => provenCitations(text, [{ path: "a", quote: text.slice(0, 2000) }]);
    },
  },
  {
    name: "lines that a tool wrote",
    maxCharacters: MIB,
    openings: ["", "*** Begin Patch\n*** Add File: a\n+"],
    load: async () => {
      const { fileEdits, writtenKeys } = await import(`${CORE}/assistants/file-history/written-lines.ts`);
      return (text) =>
        [
          ...fileEdits({ command: text }),
          ...fileEdits({
            path: text.slice(0, 4096),
            old_string: text.slice(0, MIB / 2),
            new_string: text.slice(MIB / 2),
          }),
        ].map((edit) => writtenKeys(edit, 1000));
    },
  },
  {
    name: "search vector of a turn",
    maxCharacters: 50_000,
    load: async () => {
      const { toTurnVector } = await import(`${CORE}/assistants/session-search/turn-vector.ts`);
      const turn = { kind: "tool_call" as const, toolName: "Bash", occurredAt: null };
      return (text) => toTurnVector({ ...turn, text }, { sessionId: "s", projectPath: "/a/b" });
    },
  },
  {
    name: "excerpt of a found turn",
    maxCharacters: 50_000,
    load: async () => {
      const { matchingExcerpt } = await import(`${CORE}/assistants/session-search/matching-excerpt.ts`);
      return (text) => matchingExcerpt(text, text.slice(0, 1000).split(/\s+/).slice(0, 100));
    },
  },
  {
    name: "search query of memories",
    maxCharacters: 1_000,
    load: async () => (await import(`${CORE}/platform/search/search-query.ts`)).parseSearchQuery,
  },
  {
    name: "query of the search over everything",
    maxCharacters: 1_000,
    load: async () => {
      const { parseTypedQuery } = await import(`${CORE}/platform/search/search-query.ts`);
      const { wantedWords } = await import(`${CORE}/models/search/matched-words.ts`);
      return (text) => {
        const query = parseTypedQuery(text);
        return query === null ? [] : wantedWords(query);
      };
    },
  },
  {
    name: "search entry of a note",
    maxCharacters: 50_000,
    load: async () => {
      const { toSearchEntry } = await import(`${CORE}/models/search/search-entry.ts`);
      const row = { id: "i", shownId: "i", occurredAt: "2026-01-01T00:00:00.000Z", path: "a/b.md" };
      return (text) => toSearchEntry("document", { ...row, title: text.slice(0, 500), text }, { isTitled: true });
    },
  },
  {
    name: "marked excerpt of a hit",
    maxCharacters: 50_000,
    load: async () => {
      const { parseTypedQuery } = await import(`${CORE}/platform/search/search-query.ts`);
      const { wantedWords } = await import(`${CORE}/models/search/matched-words.ts`);
      const { markedExcerpt } = await import(`${CORE}/models/search/search-excerpt.ts`);
      return (text) => {
        const query = parseTypedQuery(text.slice(0, 1_000));
        return markedExcerpt(text, query === null ? [] : wantedWords(query));
      };
    },
  },
  {
    name: "injected memories in a transcript",
    maxCharacters: MIB,
    openings: ["", "3 memories loaded:\n\n"],
    load: async () => (await import(`${CORE}/assistants/memory/memory-context.ts`)).removeContextBlocks,
  },
  {
    name: "input of a tool in a transcript",
    maxCharacters: MIB,
    openings: ["", '{"content":"', '{"edits":['],
    load: async () => {
      const { cutMiddle } = await import(`${CORE}/assistants/transcripts/cut-middle.ts`);
      const { shortenInput } = await import(`${CORE}/assistants/transcripts/shorten-input.ts`);
      const { outlinedTurn } = await import(`${CORE}/assistants/session-view/session-prompts.ts`);
      return (text) => outlinedTurn({ kind: "tool_call", text: shortenInput(text, 12_000, cutMiddle) });
    },
  },
  {
    name: "cron expression",
    maxCharacters: 1_000,
    openings: ["", "* * * * "],
    load: async () => (await import(`${CORE}/models/agents/cron-schedule.ts`)).explainInvalidCron,
  },
  {
    name: "JSON body",
    maxCharacters: MIB,
    openings: ["", "[", '"', '{"a":'],
    load: async () => JSON.parse,
  },
  {
    name: "check of an input for the database",
    maxCharacters: MIB,
    load: async () => {
      const { assertStorable } = await import(`${CORE}/platform/procedures/storable-input.ts`);
      return (text) => assertStorable({ text, list: text.slice(0, 1_000).split("") });
    },
  },
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
      const { compute } = await import(`${WEB}/browser/compute-in-slices.ts`);
      const { compareTexts } = await import(`${WEB}/features/documents/merge/diff-rows.ts`);
      return (text) => compute(compareTexts(text, everyOther(text, "\n")));
    },
  },
  {
    name: "merge in the dashboard",
    maxCharacters: 512 * KIB,
    openings: ["", "a\n"],
    load: async () => {
      const { compute } = await import(`${WEB}/browser/compute-in-slices.ts`);
      const { mergeTexts } = await import(`${WEB}/features/documents/merge/three-way-merge.ts`);
      return (text) => compute(mergeTexts(text, everyOther(text, "\n"), `${text}\nx`));
    },
  },
  {
    name: "words in which two sides of a merge differ, in the dashboard",
    maxCharacters: 10_000,
    openings: ["", "a "],
    load: async () => {
      const { compute } = await import(`${WEB}/browser/compute-in-slices.ts`);
      const { markWords } = await import(`${WEB}/features/documents/merge/word-marks.ts`);
      return (text) => compute(markWords([text], [everyOther(text, " ")]));
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
      const { compute } = await import(`${WEB}/browser/compute-in-slices.ts`);
      const { statisticsOf } = await import(`${WEB}/features/documents/document-text.ts`);
      return (text) => compute(statisticsOf(text));
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
  {
    name: "secrets in a tool call (hooks)",
    maxCharacters: 16 * KIB,
    openings: ["", "password=", "export TOKEN=", "Authorization: "],
    load: async () => {
      const { redactText } = await import(`${CLI}/redaction/redact.ts`);
      return (text) => redactText(text);
    },
  },
  {
    name: "tokens of memories",
    maxCharacters: 64 * KIB,
    load: async () => (await import(`${CORE}/assistants/memory/token-estimate.ts`)).estimateTokens,
  },
  {
    name: "code in a command (hooks)",
    maxCharacters: 64 * KIB,
    openings: ["", "system(", "run([", "open("],
    load: async () => (await import(`${CLI}/shell/read-code.ts`)).readCode,
  },
  {
    name: "command before it runs (hooks)",
    maxCharacters: 64 * KIB,
    openings: ["", "rm ", "git push ", "docker run ", "kubectl ", "a=b;", "f(){ ", "echo '", "for i in ", "psql -c '"],
    load: async () => {
      const { PACKS, openDraft } = await import(`${CLI}/policy/draft.ts`);
      const { judge } = openDraft({ version: 1, packs: PACKS.map(({ id }: { id: string }) => id) });
      return (text) => judge({ tool: "Bash", input: { command: text } });
    },
  },
];

/** Reads a text as the editor does, with its lines divided so that none is too long to be read. */
async function loadEditorParser(lineLength: number): Promise<(text: string) => unknown> {
  const { calmMarkdown } = await import(`${WEB}/features/documents/editor/calm-markdown.ts`);
  const { parser } = calmMarkdown().language;
  const longLine = new RegExp(`.{${lineLength}}`, "gu");
  return (text) => parser.parse(text.replaceAll(longLine, "$&\n"));
}

function everyOther(text: string, separator: string): string {
  const parts = text.split(separator);
  return parts.map((part, index) => (index % 2 === 0 ? "x" : part)).join(separator);
}

export async function loadStep(name: string): Promise<(text: string) => unknown> {
  const step = STEPS.find((known) => known.name === name);
  if (step === undefined) throw new Error(`Unknown step: ${name}.`);
  return step.load();
}
