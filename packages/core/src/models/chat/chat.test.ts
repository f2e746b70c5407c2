import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { eventually } from "../../../testing/eventually.ts";
import { createTestWorkspace, type TestProcess, type TestWorkspace } from "../../../testing/test-assistance.ts";
import type { ChatEvent, ChatSend } from "../../platform/realtime/frames.ts";
import type { Tool } from "../tools/toolbox.ts";
import type { NumberedChatEvent } from "./chat-event.queries.ts";

let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await createTestWorkspace();
});
afterEach(() => workspace.close());

const long: Tool = {
  name: "long",
  description: "Long",
  effect: "reads",
  allows: "Nothing.",
  bringsText: false,
  parameters: { type: "object", properties: {} },
  run: async () => "x".repeat(9000),
};
/** Different words, so that a missing or duplicate one is noticed. */
const words = (count: number) => Array.from({ length: count }, (_, index) => `w${index} `);

const send = (process: TestProcess, frame: Partial<ChatSend> = {}) =>
  process.assistance.chat.send({ type: "chat:send", message: "Hi", ...frame }, workspace.user);

const get = (process: TestProcess, id: string) => process.assistance.conversations.get(id);

/** Subscribes to a conversation and records its events. */
async function follow(process: TestProcess, conversationId: string, afterSeq = 0) {
  const received: NumberedChatEvent[] = [];
  const gaps: number[] = [];
  const stop = await process.assistance.conversationFeed.subscribe(conversationId, afterSeq, {
    onEvents: (events) => received.push(...events),
    onGap: (lastSeq) => gaps.push(lastSeq),
  });
  const isOver = () => received.some(({ event }) => END_TYPES.has(event.type));
  return { received, gaps, stop, text: () => textOf(received), isOver };
}

const END_TYPES = new Set<ChatEvent["type"]>(["chat:stream_end", "chat:interrupted", "chat:error"]);

const textOf = (events: readonly NumberedChatEvent[]) =>
  events.map(({ event }) => (event.type === "chat:text_delta" ? event.delta : "")).join("");

const ended = (process: TestProcess, id: string) =>
  eventually(async () => {
    const conversation = await get(process, id);
    return conversation.status !== "streaming" && conversation;
  });

describe("an answer", () => {
  test("is sent as events without gaps, and stored as it was sent", async () => {
    const process = await workspace.start();
    workspace.model.reply({ text: words(20), usage: { inputTokens: 100, cachedInputTokens: 0, outputTokens: 20 } });
    const { conversationId, title, afterSeq, isFirst } = await send(process, { message: "  What is up?  " });
    expect([title, afterSeq, isFirst]).toEqual(["What is up?", 0, true]);
    const listener = await follow(process, conversationId);
    const conversation = await ended(process, conversationId);
    await eventually(listener.isOver);
    expect(listener.received.map(({ seq }) => seq)).toEqual(listener.received.map((_, index) => index + 1));
    expect(listener.received.at(0)?.event.type).toBe("chat:stream_start");
    expect(listener.received.at(-1)?.event).toMatchObject({
      type: "chat:stream_end",
      costUsd: 0.0002,
      isCostKnown: true,
    });
    expect(listener.text()).toBe(words(20).join(""));
    expect(conversation).toMatchObject({
      status: "idle",
      messageCount: 2,
      totalCostUsd: 0.0002,
      lastSeq: listener.received.length,
      summary: words(20).join("").trim(),
      messages: [
        { role: "user", content: [{ type: "text", text: "  What is up?  " }], costUsd: null },
        { role: "assistant", content: [{ type: "text", text: words(20).join("") }], costUsd: 0.0002 },
      ],
    });
    expect(conversation.endedAt).not.toBeNull();
  });

  test("knows the earlier messages, and adds its cost to the conversation, with one usage record each", async () => {
    const process = await workspace.start();
    const { conversationId } = await send(process, { message: "First" });
    await ended(process, conversationId);
    const { isFirst, afterSeq } = await send(process, { message: "Second", conversationId });
    expect(isFirst).toBe(false);
    expect(afterSeq).toBeGreaterThan(0);
    const conversation = await ended(process, conversationId);
    expect(workspace.model.requests[1]?.messages.slice(1).map(({ role, content }) => [role, content])).toEqual([
      ["user", "First"],
      ["assistant", "Hello."],
      ["user", "Second"],
    ]);
    expect(conversation).toMatchObject({ messageCount: 4, totalCostUsd: 0.0004 });
    const { data } = await process.assistance.usage.list({ period: "24h", page: 1, limit: 10 });
    expect(data).toMatchObject([
      { source: "chat", sourceId: conversationId, sourceName: "First", costUsd: 0.0002 },
      { source: "chat", sourceId: conversationId, sourceName: "First", costUsd: 0.0002 },
    ]);
  });

  test("shows its tool calls, with results truncated to 5,000 characters", async () => {
    const process = await workspace.start({ tools: [long] });
    workspace.model.reply(
      { text: "Let me see.", toolCalls: [{ name: "long", arguments: { a: 1 } }] },
      { text: "Seen." },
    );
    const { conversationId } = await send(process);
    const listener = await follow(process, conversationId);
    const { messages } = await ended(process, conversationId);
    await eventually(listener.isOver);
    const events = listener.received.map(({ event }) => event);
    expect(events.map(({ type }) => type)).toEqual([
      "chat:stream_start",
      "chat:text_delta",
      "chat:tool_start",
      "chat:tool_end",
      "chat:text_delta",
      "chat:stream_end",
    ]);
    expect(events[2]).toMatchObject({ toolName: "long", input: { a: 1 } });
    expect(events[3]).toMatchObject({ isError: false, result: expect.stringMatching(/^"x{4999}$/) });
    expect(messages[1]?.content.map(({ type }) => type)).toEqual(["text", "tool_use", "tool_result", "text"]);
  });

  test("names itself and its call in what a tool changes", async () => {
    const origins: unknown[] = [];
    const recording: Tool = { ...long, run: async (_input, { origin }) => origins.push(origin) };
    const process = await workspace.start({ tools: [recording] });
    workspace.model.reply({ toolCalls: [{ name: "long", arguments: {} }] }, { text: "Done." });
    const { conversationId } = await send(process);
    const { messages } = await ended(process, conversationId);
    const answer = messages[1];
    const call = answer?.content.find((block) => block.type === "tool_use");
    expect(origins).toEqual([{ kind: "chat", conversationId, messageId: answer?.id, toolUseId: call?.id }]);
  });

  test("is announced to all other clients", async () => {
    const process = await workspace.start();
    const { conversationId } = await send(process);
    const received = () =>
      process.changes.filter(({ resource }) => resource === "conversation").map(({ action }) => action);
    // What is stored is announced a moment later.
    await eventually(() => received().includes("complete"));
    await process.assistance.conversations.delete(conversationId);
    expect(received()).toEqual(["create", "complete", "delete"]);
  });
});

describe("resuming", () => {
  test("misses and repeats nothing, wherever it starts and whichever process it uses", async () => {
    const processes = await Promise.all([workspace.start(), workspace.start()]);
    workspace.model.reply({ text: words(150), delayMs: 4 });
    const { conversationId } = await send(processes[0]);
    const whole = words(150).join("");
    let seen = 0;
    let text = "";
    let drops = 0;
    while (text.length < whole.length) {
      const listener = await follow(processes[drops % 2] ?? processes[0], conversationId, seen);
      const wanted = seen + 1 + (drops % 3);
      await eventually(() => (listener.received.at(-1)?.seq ?? 0) >= wanted || listener.isOver());
      listener.stop();
      text += listener.text();
      seen = listener.received.at(-1)?.seq ?? seen;
      drops += 1;
      expect(listener.gaps).toEqual([]);
    }
    expect(text).toBe(whole);
    expect(drops).toBeGreaterThan(3);
  });

  test("after the end delivers what was missed", async () => {
    const process = await workspace.start();
    const { conversationId } = await send(process);
    await ended(process, conversationId);
    const listener = await follow(process, conversationId, 1);
    await eventually(listener.isOver);
    expect(listener.text()).toBe("Hello.");
  });

  test("from events that were deleted or never existed asks the client to reload the conversation", async () => {
    const process = await workspace.start();
    const { conversationId } = await send(process);
    const { lastSeq } = await ended(process, conversationId);
    expect((await follow(process, conversationId, 999)).gaps).toEqual([lastSeq]);
    await workspace.db.pool.query("DELETE FROM chat_events");
    expect((await follow(process, conversationId, 1)).gaps).toEqual([lastSeq]);
    expect((await follow(process, conversationId, lastSeq)).gaps).toEqual([]);
  });

  test("continues from a loaded conversation in the middle of an answer", async () => {
    const process = await workspace.start();
    workspace.model.reply({ text: "One." }, { text: words(50), delayMs: 5 });
    const { conversationId } = await send(process);
    await ended(process, conversationId);
    await send(process, { conversationId });
    const page = await get(process, conversationId);
    const listener = await follow(process, conversationId, page.lastSeq);
    await eventually(listener.isOver);
    expect(listener.text()).toBe(words(50).join(""));
  });

  test("is 404 if there is no such conversation", async () => {
    const process = await workspace.start();
    for (const id of ["x", workspace.user.userId])
      await expect(follow(process, id)).rejects.toMatchObject({ status: 404 });
  });
});

describe("sending", () => {
  test("a request repeatedly sends it once, even concurrently and to several processes", async () => {
    const processes = await Promise.all([workspace.start(), workspace.start()]);
    const sent = await Promise.all(
      Array.from({ length: 10 }, (_, index) => send(processes[index % 2] ?? processes[0], { requestId: "r1" })),
    );
    expect(new Set(sent.map(({ conversationId }) => conversationId)).size).toBe(1);
    const [first] = sent;
    const conversation = await ended(processes[0], first?.conversationId ?? "");
    expect(await send(processes[1], { requestId: "r1" })).toEqual(first);
    expect(conversation.messageCount).toBe(2);
    expect(workspace.model.requests).toHaveLength(1);
  });

  test("while an answer is in progress is rejected", async () => {
    const process = await workspace.start();
    workspace.model.reply({ text: ["a", "b"], fault: { kind: "hang", afterChunks: 1 } });
    const { conversationId } = await send(process);
    await expect(send(process, { conversationId })).rejects.toMatchObject({ status: 409 });
    expect((await get(process, conversationId)).messageCount).toBe(1);
  });

  test("to a conversation that does not exist is rejected", async () => {
    const process = await workspace.start();
    await expect(send(process, { conversationId: workspace.user.userId })).rejects.toMatchObject({ status: 404 });
  });

  test("without a model is rejected, and stores nothing", async () => {
    const process = await workspace.start({ model: null });
    await expect(send(process)).rejects.toMatchObject({
      status: 503,
      message: "No model is configured.",
    });
    expect((await process.assistance.conversations.list({ limit: 50 })).items).toEqual([]);
  });

  test("what cannot be stored is rejected", async () => {
    const process = await workspace.start();
    await expect(send(process, { message: "a\0b" })).rejects.toMatchObject({ status: 400 });
  });
});

describe("an answer that does not finish", () => {
  test("keeps its text when it is interrupted, from any process", async () => {
    const [here, there] = [await workspace.start(), await workspace.start()];
    for (const interrupter of [here, there]) {
      workspace.model.reply({ text: ["Half", "."], fault: { kind: "hang", afterChunks: 1 } });
      const { conversationId } = await send(here);
      const listener = await follow(here, conversationId);
      await eventually(() => listener.text() === "Half");
      await interrupter.assistance.chat.interrupt(conversationId);
      const conversation = await ended(here, conversationId);
      await eventually(listener.isOver);
      expect(listener.received.at(-1)?.event.type).toBe("chat:interrupted");
      expect(conversation).toMatchObject({ status: "interrupted", isCostKnown: false });
      expect(conversation.messages[1]?.content).toEqual([{ type: "text", text: "Half" }]);
      await here.assistance.chat.interrupt(conversationId);
    }
    await eventually(() => workspace.model.abortedCount === 2);
  });

  test("keeps its text when the model fails, and says why", async () => {
    const process = await workspace.start();
    workspace.model.reply({ text: ["Half", "."], fault: { kind: "disconnect", afterChunks: 1 } });
    const { conversationId } = await send(process);
    const listener = await follow(process, conversationId);
    const conversation = await ended(process, conversationId);
    await eventually(listener.isOver);
    expect(conversation).toMatchObject({ status: "error", errorMessage: expect.any(String) });
    expect(conversation.messages[1]?.content).toEqual([{ type: "text", text: "Half" }]);
    expect(listener.received.at(-1)?.event.type).toBe("chat:error");
    await send(process, { conversationId });
    expect(await ended(process, conversationId)).toMatchObject({ status: "idle", errorMessage: null });
  });

  test("that the daily budget does not cover reports so, and no call is made", async () => {
    const process = await workspace.start({ dailyBudgetUsd: 0.0001 });
    const { conversationId } = await send(process);
    const conversation = await ended(process, conversationId);
    expect(conversation).toMatchObject({ status: "error", messageCount: 1 });
    expect(conversation.errorMessage).toContain("the workspace's daily budget");
    expect(workspace.model.requests).toHaveLength(0);
    await eventually(() =>
      process.changes.some(({ resource, action }) => resource === "conversation" && action === "fail"),
    );
  });

  test("keeps its text when its process stops", async () => {
    const process = await workspace.start();
    workspace.model.reply({ text: ["Half", "."], fault: { kind: "hang", afterChunks: 1 } });
    const { conversationId } = await send(process);
    const listener = await follow(process, conversationId);
    await eventually(() => listener.text() === "Half");
    await process.close();
    expect(await get(process, conversationId)).toMatchObject({ status: "interrupted", messageCount: 2 });
  });

  test("keeps what was sent when its process dies, and the dead process adds nothing", async () => {
    const [dying, living] = [await workspace.start(), await workspace.start()];
    workspace.model.reply({ text: ["Half", "."], fault: { kind: "hang", afterChunks: 1 } });
    const { conversationId } = await send(dying);
    const listener = await follow(living, conversationId);
    await eventually(() => listener.text() === "Half");
    await workspace.db.pool.query(
      "DELETE FROM server_processes WHERE id = (SELECT process_id FROM conversations WHERE id = $1)",
      [conversationId],
    );
    const conversation = await ended(living, conversationId);
    await eventually(listener.isOver);
    expect(conversation).toMatchObject({ status: "error", messageCount: 2, lastSeq: listener.received.length });
    expect(conversation.messages[1]?.content).toEqual([{ type: "text", text: "Half" }]);
    await eventually(() => workspace.model.abortedCount === 1);
    await dying.close();
    expect(await get(living, conversationId)).toEqual(conversation);
  });

  test("stops when its conversation is deleted, and its cost remains in the usage", async () => {
    const process = await workspace.start();
    workspace.model.reply({ text: ["Half", "."], fault: { kind: "hang", afterChunks: 1 } });
    const { conversationId } = await send(process);
    await eventually(() => workspace.model.requests.length === 1);
    await process.assistance.conversations.delete(conversationId);
    await eventually(() => workspace.model.abortedCount === 1);
    await eventually(
      async () => (await process.assistance.usage.list({ period: "24h", page: 1, limit: 9 })).data.length === 1,
    );
    await expect(get(process, conversationId)).rejects.toMatchObject({ status: 404 });
  });
});

describe("the history", () => {
  test("is searched by content, and read in pages that neither skip nor repeat", async () => {
    const process = await workspace.start();
    workspace.model.replyAlways(({ messages }) => ({ text: `Answer to ${messages.at(-1)?.content}` }));
    for (let index = 0; index < 5; index += 1) {
      await ended(process, (await send(process, { message: `Größe 100% ${index}` })).conversationId);
    }
    const { list } = process.assistance.conversations;
    expect((await list({ search: "GRÖSSE 100%", limit: 50 })).items).toHaveLength(5);
    expect((await list({ search: "answer to größe 100% 3", limit: 50 })).items.map(({ title }) => title)).toEqual([
      "Größe 100% 3",
    ]);
    expect((await list({ search: "100_", limit: 50 })).items).toEqual([]);
    const first = await list({ limit: 3 });
    const second = await list({ limit: 3, cursor: first.nextCursor });
    expect([...first.items, ...second.items].map(({ title }) => title)).toEqual(
      [4, 3, 2, 1, 0].map((index) => `Größe 100% ${index}`),
    );
    expect(second.nextCursor).toBeUndefined();
  });
});
