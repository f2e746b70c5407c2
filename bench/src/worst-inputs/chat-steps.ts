import { inSlices } from "../../../packages/core/src/platform/in-slices.ts";
import { CORE, type Step } from "./step.ts";

const CHAT = "../../../packages/web/src/features/chat";
const MIB = 1024 * 1024;

/** What chat processes of notes and of what models and tools return. */
export const CHAT_STEPS: readonly Step[] = [
  {
    name: "note that a message mentions",
    maxCharacters: MIB,
    load: async () => {
      const { toBlock } = await import(`${CORE}/models/chat/mentioned-items.ts`);
      return (text) => toBlock("document", { title: "", place: { path: "a.md" }, text, tool: "notes_read" });
    },
  },
  {
    name: "text that is attached to a message",
    maxCharacters: 200 * 1024,
    load: async () => {
      const { toAttached } = await import(`${CORE}/models/chat/mentioned-items.ts`);
      return (text) => toAttached("a.md", text);
    },
  },
  {
    name: "title of what a message mentions",
    maxCharacters: 10_000,
    load: async () => (await import(`${CORE}/models/chat/mentioned-items.ts`)).toTitle,
  },
  {
    name: "result of a call that changes something",
    maxCharacters: 5_000,
    load: async () => {
      const { targetOf } = await import(`${CHAT}/tool-target.ts`);
      return (content) => targetOf({ name: "notes_today", input: {} }, { content });
    },
  },
  {
    name: "answer in an exported conversation",
    maxCharacters: MIB,
    load: async () => {
      const { toMarkdown } = await import(`${CHAT}/conversation-markdown.ts`);
      const message = {
        role: "assistant",
        model: null,
        costUsd: null,
        durationMs: null,
        createdAt: "",
        mentions: [],
        attachments: [],
      };
      return (text) =>
        inSlices(
          toMarkdown(text.slice(0, 200), [
            {
              ...message,
              content: [
                { type: "tool_use", name: "", input: { text } },
                { type: "tool_result", is_error: true, content: text },
              ],
            },
          ]),
          () => {},
        );
    },
  },
];
