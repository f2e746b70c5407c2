import { expect, test } from "vitest";
import { branchWith, versionsOf } from "./branches.ts";
import type { Message } from "./conversation-log.ts";

const message = (id: string, parentId: string | null, role: Message["role"] = "user"): Message => ({
  id,
  conversationId: "c",
  role,
  parentId,
  content: [],
  mentions: [],
  attachments: [],
  costUsd: null,
  isCostKnown: true,
  durationMs: null,
  model: null,
  createdAt: "2026-06-01T12:00:00.000Z",
});
const MESSAGES = [
  message("q1", null),
  message("a1", "q1", "assistant"),
  message("q2", "a1"),
  message("a2", "q2", "assistant"),
  message("a2-again", "q2", "assistant"),
  message("q2-edited", "a1"),
  message("a3", "q2-edited", "assistant"),
  message("q1-edited", null),
];
const idsOf = (messages: readonly Message[]) => messages.map(({ id }) => id).join(" ");

test("the branch of a message leads to it, and on along what was written last", () => {
  expect(idsOf(branchWith(MESSAGES, undefined))).toBe("q1-edited");
  expect(idsOf(branchWith(MESSAGES, "gone"))).toBe("q1-edited");
  expect(idsOf(branchWith(MESSAGES, "q1"))).toBe("q1 a1 q2-edited a3");
  expect(idsOf(branchWith(MESSAGES, "q2"))).toBe("q1 a1 q2 a2-again");
  expect(idsOf(branchWith(MESSAGES, "a2"))).toBe("q1 a1 q2 a2");
  expect(branchWith([], undefined)).toEqual([]);
});

test("versions of a message follow the same one", () => {
  const versionsAt = (index: number) => idsOf(versionsOf(MESSAGES, MESSAGES[index] ?? message("none", "none")));
  expect([0, 1, 2, 3].map(versionsAt)).toEqual(["q1 q1-edited", "a1", "q2 q2-edited", "a2 a2-again"]);
});
