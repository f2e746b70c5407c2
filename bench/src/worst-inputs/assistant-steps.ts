import { CORE, type Step } from "./step.ts";

const KIB = 1024;
const MIB = 1024 * KIB;

/** What sessions of assistants and memories consist of. */
export const ASSISTANT_STEPS: readonly Step[] = [
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
    name: "tokens of memories",
    maxCharacters: 64 * KIB,
    load: async () => (await import(`${CORE}/assistants/memory/token-estimate.ts`)).estimateTokens,
  },
];
