import fc from "fast-check";
import { expect, test } from "vitest";
import { createTestRedactor } from "../../../testing/test-deps.ts";
import { createRedactedStream } from "../../platform/redactor.ts";
import { createAnswerBuilder } from "./model-answer.ts";

const textChunk = (content: string) => ({ choices: [{ delta: { content } }] });
const finish = { choices: [{ delta: {}, finish_reason: "stop" }] };

const build = (chunks: readonly unknown[]) => {
  const deltas: string[] = [];
  const builder = createAnswerBuilder((delta) => deltas.push(delta), createRedactedStream(createTestRedactor()));
  for (const chunk of chunks) builder.add(chunk);
  return { deltas, answer: builder.answer };
};

test("every character is emitted once, even one that arrives in two halves", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.array(fc.nat({ max: 50 })), (text, cuts) => {
      const places = [0, ...cuts.filter((cut) => cut < text.length).toSorted((a, b) => a - b), text.length];
      const pieces = places.slice(1).map((end, index) => text.slice(places[index], end));
      const { deltas, answer } = build([...pieces.map(textChunk), finish]);
      const expected = text.replaceAll("\0", "\ufffd").toWellFormed();
      expect(deltas.join("")).toBe(expected);
      expect(answer.text).toBe(expected);
      expect(deltas.every((delta) => delta.isWellFormed() && !delta.includes("\0"))).toBe(true);
    }),
  );
});

test("tool calls are assembled from their pieces, each with its own id", () => {
  const call = (index: number, id: string | null, name: string | null, args: string) => ({
    choices: [{ delta: { tool_calls: [{ index, id, function: { name, arguments: args } }] } }],
  });
  const { answer } = build([
    call(0, "same", "one", '{"a"'),
    call(1, "same", "two", "{}"),
    call(0, null, null, ":1}"),
    call(2, null, "three", ""),
    { choices: [{ delta: {}, finish_reason: "tool_calls" }] },
  ]);
  expect(answer.toolCalls.map(({ name, argumentsJson }) => [name, argumentsJson])).toEqual([
    ["one", '{"a":1}'],
    ["two", "{}"],
    ["three", ""],
  ]);
  expect(new Set(answer.toolCalls.map(({ id }) => id)).size).toBe(3);
});

test("usage arrives with the last chunk, which has no choices, and cached tokens are part of the input", () => {
  const usage = { prompt_tokens: 10, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 4 } };
  const { answer } = build([textChunk("a"), finish, { choices: [], usage }]);
  expect(answer.usage).toEqual({ inputTokens: 10, cachedInputTokens: 4, outputTokens: 3 });
});

test.each([[null], ["text"], [{ choices: "none" }], [{ choices: [{ delta: { content: 5 } }] }]])(
  "%j is not a chunk",
  (chunk) => {
    expect(() => build([chunk])).toThrow();
  },
);
