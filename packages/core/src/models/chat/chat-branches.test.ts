import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { eventually } from "../../../testing/eventually.ts";
import { createTestWorkspace, type TestProcess, type TestWorkspace } from "../../../testing/test-assistance.ts";
import type { ChatSend } from "../../platform/realtime/frames.ts";

let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await createTestWorkspace();
});
afterEach(() => workspace.close());

const send = (process: TestProcess, frame: Partial<ChatSend> = {}) =>
  process.assistance.chat.send({ type: "chat:send", message: "Hi", ...frame }, workspace.user);

const get = (process: TestProcess, id: string) => process.assistance.conversations.get(id);

const ended = (process: TestProcess, id: string) =>
  eventually(async () => {
    const conversation = await get(process, id);
    return conversation.status !== "streaming" && conversation;
  });

describe("a branch", () => {
  const ask = async (process: TestProcess, frame: Partial<ChatSend>, answer: string) => {
    workspace.model.reply({ text: answer });
    const { conversationId } = await send(process, frame);
    return ended(process, conversationId);
  };
  const told = () =>
    workspace.model.requests.at(-1)?.messages.flatMap(({ role, content }) => (role === "system" ? [] : [content]));
  const textsOf = (messages: readonly { content: readonly object[] }[]) =>
    messages.map(({ content }) => content.map((block) => ("text" in block ? block.text : "")).join(""));

  test("begins where a message is sent again in other words, and only its own messages reach the model", async () => {
    const process = await workspace.start();
    const { id: conversationId } = await ask(process, { message: "One" }, "First.");
    const { messages } = await ask(process, { conversationId, message: "Two" }, "Second.");
    const [one, first, two, second] = messages;
    expect(messages.map(({ parentId }) => parentId)).toEqual([null, one?.id, first?.id, two?.id]);
    const edited = await ask(
      process,
      { conversationId, message: "Two, please", afterMessageId: first?.id ?? "" },
      "Second, as you please.",
    );
    expect(told()).toEqual(["One", "First.", "Two, please"]);
    expect(edited.messages.at(4)?.parentId).toBe(first?.id);
    expect(edited.messageCount).toBe(6);
    await ask(process, { conversationId, message: "Three", afterMessageId: second?.id ?? "" }, "Third.");
    expect(told()).toEqual(["One", "First.", "Two", "Second.", "Three"]);
    const restarted = await ask(process, { conversationId, message: "Uno", afterMessageId: null }, "Primo.");
    expect(told()).toEqual(["Uno"]);
    expect(restarted.messages.at(-2)?.parentId).toBe(null);
    await ask(process, { conversationId, message: "Due" }, "Secondo.");
    expect(told()).toEqual(["Uno", "Primo.", "Due"]);
  });

  test("begins where a message is answered again, and the earlier answer stays", async () => {
    const process = await workspace.start();
    const { id, messages } = await ask(process, { message: "One" }, "First.");
    workspace.model.reply({ text: "First, in other words." });
    const question = messages[0]?.id ?? "";
    await process.assistance.chat.answerAgain({ id, messageId: question }, workspace.user);
    const again = await ended(process, id);
    expect(told()).toEqual(["One"]);
    expect(textsOf(again.messages)).toEqual(["One", "First.", "First, in other words."]);
    expect(again.messages.map(({ parentId }) => parentId)).toEqual([null, question, question]);
    expect(again.messageCount).toBe(3);
    for (const messageId of [messages[1]?.id ?? "", "x", id]) {
      const attempt = process.assistance.chat.answerAgain({ id, messageId }, workspace.user);
      await expect(attempt).rejects.toMatchObject({ status: 404 });
    }
    await expect(send(process, { conversationId: id, afterMessageId: id })).rejects.toMatchObject({ status: 404 });
    expect(await get(process, id)).toEqual(again);
  });

  test("of messages from before there were branches follows them in time", async () => {
    const process = await workspace.start();
    const { id: conversationId } = await ask(process, { message: "One" }, "First.");
    await ask(process, { conversationId, message: "Two" }, "Second.");
    await workspace.db.pool.query("UPDATE messages SET parent_id = NULL");
    await ask(process, { conversationId, message: "Three" }, "Third.");
    expect(told()).toEqual(["One", "First.", "Two", "Second.", "Three"]);
  });
});
