import { expect, test } from "vitest";
import { addEvent, type ConversationLog, type Message, type NextLog, type NumberedEvent } from "./conversation-log.ts";

const QUESTION: Message = {
  id: "question",
  conversationId: "c",
  role: "user",
  parentId: null,
  content: [{ type: "text", text: "Hi" }],
  mentions: [],
  attachments: [],
  costUsd: null,
  isCostKnown: true,
  durationMs: null,
  model: null,
  createdAt: "2026-06-01T12:00:00.000Z",
};
const LOG: ConversationLog = {
  id: "c",
  sessionId: "s",
  title: "Hi",
  summary: "",
  status: "idle",
  errorMessage: null,
  totalCostUsd: 0.01,
  isCostKnown: true,
  messageCount: 1,
  startedAt: "2026-06-01T12:00:00.000Z",
  endedAt: null,
  lastSeq: 4,
  messages: [QUESTION],
  model: null,
  approval: null,
};
const EVENTS: NumberedEvent[] = [
  { seq: 5, type: "chat:stream_start", messageId: "answer", userMessageId: "question", model: "m" },
  { seq: 6, type: "chat:text_delta", delta: "Let me " },
  { seq: 7, type: "chat:text_delta", delta: "look." },
  { seq: 8, type: "chat:tool_start", toolUseId: "t", toolName: "tasks_list", input: { limit: 1 } },
  { seq: 9, type: "chat:tool_end", toolUseId: "t", result: "[]", isError: false },
  { seq: 10, type: "chat:text_delta", delta: "Nothing." },
  { seq: 11, type: "chat:stream_end", costUsd: 0.02, isCostKnown: true, durationMs: 900 },
];

const addAll = (log: ConversationLog, events: readonly NumberedEvent[]) =>
  events.reduce<NextLog>((next, event) => (next === "refetch" ? next : addEvent(next, event)), log);

test("an answer is assembled from its events, each applied once even if delivered repeatedly", () => {
  const whole = addAll(LOG, EVENTS);
  expect(whole).toMatchObject({
    lastSeq: 11,
    status: "idle",
    totalCostUsd: 0.03,
    messages: [
      { id: "question" },
      {
        id: "answer",
        model: "m",
        costUsd: 0.02,
        durationMs: 900,
        content: [
          { type: "text", text: "Let me look." },
          { type: "tool_use", name: "tasks_list" },
          { type: "tool_result", content: "[]" },
          { type: "text", text: "Nothing." },
        ],
      },
    ],
  });
  for (let cut = 0; cut <= EVENTS.length; cut += 1) {
    expect(JSON.stringify(addAll(LOG, [...EVENTS.slice(0, cut), ...EVENTS])).length).toBe(JSON.stringify(whole).length);
  }
});

test("a call awaits approval until it is decided or the answer has ended", () => {
  const started = EVENTS.slice(0, 4);
  const request: NumberedEvent = {
    seq: 9,
    type: "chat:approval_request",
    approvalId: "a",
    toolUseId: "t",
    toolName: "fs_delete",
    input: { path: "diary.md" },
    effect: "destroys",
    subject: "diary.md",
    source: "fs_read",
    expiresAt: "2026-06-01T12:10:00.000Z",
  };
  expect(addAll(LOG, [...started, request])).toMatchObject({ approval: { approvalId: "a" }, status: "streaming" });
  const ends: NumberedEvent[] = [
    { seq: 10, type: "chat:approval_end", approvalId: "a", toolUseId: "t", outcome: "denied" },
    { seq: 10, type: "chat:interrupted" },
    { seq: 10, type: "chat:error", message: "Away." },
  ];
  for (const end of ends) expect(addAll(LOG, [...started, request, end])).toMatchObject({ approval: null });
});

test("missing events cause a refetch instead of a guess", () => {
  expect(addAll(LOG, EVENTS.slice(1))).toBe("refetch");
  expect(addAll({ ...LOG, messages: [] }, EVENTS)).toBe("refetch");
});

test("an interrupted or failed answer keeps its text", () => {
  const started = EVENTS.slice(0, 3);
  expect(addAll(LOG, [...started, { seq: 8, type: "chat:interrupted" }])).toMatchObject({
    status: "interrupted",
    messages: [{}, { content: [{ text: "Let me look." }] }],
  });
  expect(addAll(LOG, [...started, { seq: 8, type: "chat:error", message: "Out of budget." }])).toMatchObject({
    status: "error",
    errorMessage: "Out of budget.",
  });
});
