import { expect, test } from "vitest";
import { compute } from "../../browser/compute-in-slices.ts";
import { fileNameOf, toMarkdown } from "./conversation-markdown.ts";
import type { Message } from "./conversation-log.ts";

const QUESTION: Message = {
  id: "q",
  conversationId: "c",
  role: "user",
  parentId: null,
  content: [{ type: "text", text: "Which bird?" }],
  mentions: [{ kind: "document", id: "d", title: "Pond" }],
  attachments: [{ id: "f", name: "heron `1`.png", mediaType: "image/png", size: 12_345 }],
  costUsd: null,
  isCostKnown: true,
  durationMs: null,
  model: null,
  createdAt: "2026-06-01T12:00:30.000Z",
};
const ANSWER: Message = {
  ...QUESTION,
  id: "a",
  role: "assistant",
  parentId: "q",
  mentions: [],
  attachments: [],
  content: [
    { type: "text", text: "Let me *see*." },
    { type: "tool_use", id: "t", name: "notes_search", input: { query: "`bird`" } },
    { type: "tool_result", tool_use_id: "t", content: "no\nsuch note", is_error: true },
    { type: "text", text: "A heron." },
  ],
  costUsd: 0.02,
  durationMs: 900,
  model: "m",
};

test("a conversation is exported with its calls, costs and models", () => {
  expect(compute(toMarkdown("Birds\n# today", [QUESTION, ANSWER]))).toBe(
    [
      "# Birds # today",
      "## You, 2026-06-01 12:00 UTC",
      "Which bird?",
      "> Mentions `Pond`",
      "> Attached `` heron `1`.png `` (12 KB)",
      "## Answer, 2026-06-01 12:00 UTC, m, 900 ms, $0.02",
      "Let me *see*.",
      '> notes_search `` {"query":"`bird`"} ``',
      "> It failed: no such note",
      "A heron.\n",
    ].join("\n\n"),
  );
});

test("a file is named after the conversation, as any file system takes it", () => {
  expect(fileNameOf('What is a/b: "c"?')).toBe("What is a b c.md");
  expect(fileNameOf("...")).toBe("Conversation.md");
  expect(fileNameOf("x".repeat(200))).toBe(`${"x".repeat(80)}.md`);
});

test("a call with any number of backticks is exported as code", () => {
  const exported = (text: string) =>
    compute(toMarkdown("", [{ ...ANSWER, content: [{ type: "tool_use", id: "t", name: "n", input: { text } }] }]));
  expect(exported("`a``b")).toContain('> n ``` {"text":"`a``b"} ```');
  expect(exported("`a".repeat(500_000))).toContain("`` {");
});

test("what failed is exported on one line, however long it is", () => {
  const content = `${"a".repeat(65_535)} \n\n${"b ".repeat(100_000)}`;
  const failed = { type: "tool_result", tool_use_id: "t", content, is_error: true } as const;
  expect(compute(toMarkdown("", [{ ...ANSWER, content: [failed] }]))).toContain(
    `> It failed: ${"a".repeat(65_535)} ${"b ".repeat(100_000)}\n`,
  );
});
