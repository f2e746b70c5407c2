import { ASSISTANT_STEPS } from "./assistant-steps.ts";
import { CHAT_STEPS } from "./chat-steps.ts";
import { DASHBOARD_STEPS } from "./dashboard-steps.ts";
import { HOOK_STEPS } from "./hook-steps.ts";
import { IMPORT_STEPS } from "./import-steps.ts";
import { NOTE_STEPS } from "./note-steps.ts";
import { REQUEST_STEPS } from "./request-steps.ts";
import { CORE, type Step } from "./step.ts";
import { WORK_STEPS } from "./work-steps.ts";

const MIB = 1024 * 1024;

/**
 * Every step on a shared thread that processes a text from a user, a stranger or a file, with the maximum length of that
 * text.
 */
export const STEPS: readonly Step[] = [
  ...ASSISTANT_STEPS,
  ...CHAT_STEPS,
  ...DASHBOARD_STEPS,
  ...HOOK_STEPS,
  ...IMPORT_STEPS,
  ...NOTE_STEPS,
  ...REQUEST_STEPS,
  ...WORK_STEPS,
  {
    name: "folded text of a note",
    maxCharacters: MIB,
    load: async () => (await import(`${CORE}/platform/fold-text.ts`)).foldLongText,
  },
  {
    name: "folded text of a task",
    maxCharacters: 100_500,
    load: async () => (await import(`${CORE}/platform/fold-text.ts`)).foldText,
  },
  {
    name: "excerpt of a found note",
    maxCharacters: MIB,
    load: async () => {
      const { findExcerpt } = await import(`${CORE}/knowledge/documents/excerpt.ts`);
      return (text) => findExcerpt(text, ["a", `${text.slice(0, 7_000)}z${text.slice(0, 7_000)}`]);
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
];

export async function loadStep(name: string): Promise<(text: string) => unknown> {
  const step = STEPS.find((known) => known.name === name);
  if (step === undefined) throw new Error(`Unknown step: ${name}.`);
  return step.load();
}
