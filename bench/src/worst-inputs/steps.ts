import type { StepLimits } from "./search.ts";

const CORE = "../../../packages/core/src";
const CLI = "../../../packages/hooks-cli/src";
const WEB = "../../../packages/web/src";

const KIB = 1024;
const MIB = 1024 * KIB;

export interface Step extends StepLimits {
  /** Loads what the step runs, in the thread that runs it. */
  readonly load: () => Promise<(text: string) => unknown>;
}

/** Every step on a thread that others wait for which is given a text by a user, a stranger or a file, with the longest it gets. */
export const STEPS: readonly Step[] = [
  {
    name: "links of a note",
    maxCharacters: MIB,
    load: async () => (await import(`${CORE}/documents/wiki-links.ts`)).findLinks,
  },
  {
    name: "frontmatter of a note",
    maxCharacters: 64 * KIB,
    openings: ["", "a: ", "a: [", "a: |\n  ", "a:\n  - "],
    load: async () => {
      const { parseMarkdown } = await import(`${CORE}/documents/frontmatter.ts`);
      return (text) => parseMarkdown(`---\n${text.slice(0, 64 * KIB - 16)}\n---\n`);
    },
  },
  {
    name: "title and tags of a note",
    maxCharacters: MIB,
    openings: ["", "# ", "#"],
    load: async () => {
      const { markdownFields } = await import(`${CORE}/documents/document-fields.ts`);
      return (text) => markdownFields("note.md", text);
    },
  },
  {
    name: "folded text for search",
    maxCharacters: MIB,
    load: async () => (await import(`${CORE}/platform/fold-text.ts`)).foldText,
  },
  {
    name: "excerpt of a found note",
    maxCharacters: MIB,
    load: async () => {
      const { findExcerpt } = await import(`${CORE}/documents/excerpt.ts`);
      return (text) => findExcerpt(text, ["a", "zz"]);
    },
  },
  {
    name: "secrets in a text",
    maxCharacters: MIB,
    load: async () => {
      const { createSecretRedactor } = await import(`${CORE}/secrets/secret-redactor.ts`);
      const values = ["a".repeat(20), "hunter2-hunter2", 'aaaa\\/"aaaa', "-----BEGIN PRIVATE KEY-----\n".repeat(4)];
      const redactor = createSecretRedactor(async () => values.map((value, index) => ({ key: `KEY_${index}`, value })));
      await redactor.refresh();
      return redactor.redact;
    },
  },
  {
    name: "key of a memory",
    maxCharacters: 10_000,
    load: async () => (await import(`${CORE}/memory/content-key.ts`)).contentKey,
  },
  {
    name: "similarity keys of a memory",
    maxCharacters: 10_000,
    load: async () => {
      const { similarityKeys } = await import(`${CORE}/memory/similarity-keys.ts`);
      return (text) => similarityKeys(text, null);
    },
  },
  {
    name: "search query of memories",
    maxCharacters: 1_000,
    load: async () => (await import(`${CORE}/memory/search-query.ts`)).parseSearchQuery,
  },
  {
    name: "injected memories in a transcript",
    maxCharacters: MIB,
    openings: ["", "3 memories loaded:\n\n"],
    load: async () => (await import(`${CORE}/memory/memory-context.ts`)).removeContextBlocks,
  },
  {
    name: "cron expression",
    maxCharacters: 1_000,
    openings: ["", "* * * * "],
    load: async () => (await import(`${CORE}/agents/cron-schedule.ts`)).explainInvalidCron,
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
      const { assertStorable } = await import(`${CORE}/platform/storable-input.ts`);
      return (text) => assertStorable({ text, list: text.slice(0, 1_000).split("") });
    },
  },
  {
    name: "wiki links in the dashboard",
    maxCharacters: 512 * KIB,
    load: async () => (await import(`${WEB}/features/documents/wiki-links.ts`)).findWikiLinks,
  },
  {
    name: "secrets in a tool call (hooks)",
    maxCharacters: 14_000,
    openings: ["", "password=", "export TOKEN=", "Authorization: "],
    load: async () => {
      const { redactText } = await import(`${CLI}/redaction/redact.ts`);
      return (text) => redactText(text);
    },
  },
  {
    name: "code in a command (hooks)",
    maxCharacters: 64 * KIB,
    openings: ["", "system(", "run([", "open("],
    load: async () => (await import(`${CLI}/shell/inline-code.ts`)).readCode,
  },
];

export async function loadStep(name: string): Promise<(text: string) => unknown> {
  const step = STEPS.find((known) => known.name === name);
  if (step === undefined) throw new Error(`There is no step ${name}.`);
  return step.load();
}
