import { expect, test } from "vitest";
import { createChatMessages } from "./chat-prompt.ts";
import type { ToldMessage } from "./message.queries.ts";

const question = (id: string, text: string, context: string | null = null): ToldMessage => ({
  id,
  parentId: null,
  role: "user",
  content: [{ type: "text", text }],
  context,
  attachments: [],
});
const answer = (id: string, text: string): ToldMessage => ({ ...question(id, text), role: "assistant" });

function history(messages: readonly ToldMessage[]): string[] {
  const input = { messages, images: new Map(), userName: "Ada", now: new Date(0), timeZone: "UTC" };
  return createChatMessages(input)
    .slice(1)
    .map(({ content }) => content);
}

test("what came with messages is given again in later answers, the latest of it, and its absence is mentioned", () => {
  const file = "x".repeat(200_000);
  const absent = "[What came with this message is too long to be given again.]";
  expect(
    history([
      question("1", "One", file),
      answer("2", "First."),
      question("3", "Two", file),
      answer("4", "Second."),
      question("5", "Three", file),
    ]),
  ).toEqual([`One\n\n${absent}`, "First.", `Two\n\n${file}`, "Second.", `Three\n\n${file}`]);
  const large = file.repeat(3);
  expect(history([question("1", "One", large), answer("2", "First."), question("3", "Two")])).toEqual([
    `One\n\n${absent}`,
    "First.",
    "Two",
  ]);
  expect(history([question("1", "One", large)])).toEqual([`One\n\n${large}`]);
});

test("a long conversation is sent without its oldest messages", () => {
  const long = "x".repeat(150_000);
  expect(
    history([question("1", "One"), answer("2", long), question("3", "Two"), answer("4", long), question("5", "Three")]),
  ).toEqual(["Two", long, "Three"]);
});
