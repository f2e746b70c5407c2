import * as z from "zod";
import { inSlices } from "../../platform/in-slices.ts";
import { forEachRecord, type TranscriptRecord } from "./transcript-records.ts";

/** Something that was said or done in a session. */
export interface Turn {
  readonly kind: "user" | "assistant" | "tool_call" | "tool_result";
  /** What was said, or the input or the output of a tool. */
  readonly text: string;
  /** The tool of a call. */
  readonly toolName?: string | undefined;
  /** Of the output of a tool: whether the tool failed. */
  readonly hasFailed?: boolean | undefined;
  /** Of a call and of its output: what pairs them, if the assistant has ids. */
  readonly callId?: string | undefined;
  /** ISO 8601, if the assistant recorded it. */
  readonly occurredAt?: string | undefined;
}

/** A turn and, if known, the answer that it is part of. */
interface RecordedTurn extends Turn {
  readonly messageId?: string | undefined;
}

/** Content as written by assistants: a text, one block, or a list of blocks, which are parsed one by one. */
const content = z.union([z.string(), z.array(z.unknown()), z.looseObject({})]);
const role = z.enum(["user", "assistant"]);

const textBlock = z.object({ type: z.enum(["text", "input_text", "output_text"]).optional(), text: z.string() });
const callId = z.string().min(1).max(200).optional().catch(undefined);
const toolUseBlock = z.object({ type: z.literal("tool_use"), id: callId, name: z.string(), input: z.unknown() });
const toolResultBlock = z.object({
  type: z.literal("tool_result"),
  tool_use_id: callId,
  content: content.optional(),
  is_error: z.boolean().optional().catch(undefined),
});

const claudeRecord = z.object({
  type: role,
  message: z.object({ id: z.string().optional(), content }),
  isMeta: z.literal(false).optional(),
  isCompactSummary: z.literal(false).optional(),
});
const codexRecord = z.object({ type: z.literal("response_item"), payload: z.record(z.string(), z.unknown()) });
const codexMessage = z.object({ type: z.literal("message"), role, content });
const codexCall = z.object({
  type: z.enum(["function_call", "custom_tool_call", "local_shell_call"]),
  call_id: callId,
  name: z.string().default("shell"),
  arguments: z.string().optional(),
  input: z.string().optional(),
});
const codexOutput = z.object({
  type: z.enum(["function_call_output", "custom_tool_call_output"]),
  call_id: callId,
  output: z.union([
    z.string(),
    z.array(z.unknown()),
    z.object({ content: z.string(), success: z.boolean().optional().catch(undefined) }),
  ]),
});
/** Codex begins the output of a command with its exit code, or has it in JSON. */
const CODEX_FAILURE =
  /^(?:(?!Output:|Exit code: )[^\n]*\n){0,3}(?:Exit code: |Process exited with code )(?!0\n)\d+\n|^\{"output":[^]*"exit_code":(?!0\b)\d/;
/** What Codex writes before the output, and the exit code in it. */
const CODEX_HEADER = /^(?=Chunk ID: |Wall time: |Exit code: )(?:(?!Output:)[^\n]*\n){1,6}Output:(?:\n|$)/;
const CODEX_EXIT = /^(?:Exit code: |Process exited with code )(\d+)$/m;
const codexJson = z.object({ output: z.string() });
const geminiResult = z.object({
  functionResponse: z.object({ response: z.object({ output: z.string().optional(), error: z.string().optional() }) }),
});
const geminiRecord = z.object({
  type: z.enum(["user", "gemini"]),
  id: z.string().optional().catch(undefined),
  content,
  toolCalls: z
    .array(
      z.object({
        id: callId,
        name: z.string(),
        args: z.unknown(),
        /** A text for the terminal; of a file that was changed, an object. */
        resultDisplay: z.string().optional().catch(undefined),
        result: z.array(z.unknown()).optional().catch(undefined),
        status: z.unknown().optional(),
      }),
    )
    .optional(),
});
const opencodeRecord = z.object({ info: z.object({ role }), parts: z.array(z.unknown()) });
const opencodeTool = z.object({
  type: z.literal("tool"),
  callID: callId,
  tool: z.string(),
  state: z.object({ input: z.unknown(), output: z.string().optional(), status: z.unknown().optional() }),
});
const nestedRecord = z.object({ role, message: z.object({ content }) });
const plainRecord = z.object({ role, content });
const recordTime = z.object({
  timestamp: z.union([z.string(), z.number()]).optional().catch(undefined),
  info: z
    .object({ time: z.object({ created: z.number().optional() }).optional() })
    .optional()
    .catch(undefined),
});

/**
 * Reads the transcript of a session: of Claude Code, Codex, Gemini CLI, Cursor or opencode, any list of messages with `role`
 * and `content`, or plain text, which counts as said by the user. Other kinds of records are skipped, because the formats are
 * internal to the assistants and change. An answer recorded repeatedly while it streamed appears once, complete. Pauses for
 * other work. Throws like {@link forEachRecord}.
 */
export async function readTurns(transcript: string): Promise<Turn[]> {
  const turns: RecordedTurn[] = [];
  const isJson = await forEachRecord(transcript, (record) => {
    const found = readRecord(record);
    const occurredAt = found.length === 0 ? undefined : timeOf(record);
    for (const turn of found) turns.push({ ...turn, occurredAt });
  });
  if (!isJson) return transcript.trim() === "" ? [] : [{ kind: "user", text: transcript }];
  const said: Turn[] = [];
  await inSlices(await mergeRepeats(turns), ({ messageId: _messageId, ...turn }) => said.push(turn));
  return said;
}

function timeOf(record: TranscriptRecord): string | undefined {
  const { data } = recordTime.safeParse(record);
  const time = new Date(data?.timestamp ?? data?.info?.time?.created ?? Number.NaN);
  const year = time.getUTCFullYear();
  return year >= 1970 && year <= 9999 ? time.toISOString() : undefined;
}

function readRecord(record: TranscriptRecord): RecordedTurn[] {
  const claude = claudeRecord.safeParse(record);
  if (claude.success) {
    const { id, content } = claude.data.message;
    return readContent(content, claude.data.type).map((turn) => ({ ...turn, messageId: id }));
  }
  const codex = codexRecord.safeParse(record);
  if (codex.success) return readCodexItem(codex.data.payload);
  const gemini = geminiRecord.safeParse(record);
  if (gemini.success) return readGemini(gemini.data);
  const opencode = opencodeRecord.safeParse(record);
  if (opencode.success) return opencode.data.parts.flatMap((part) => readOpencodePart(part, opencode.data.info.role));
  const nested = nestedRecord.safeParse(record);
  if (nested.success) return readContent(nested.data.message.content, nested.data.role);
  const plain = plainRecord.safeParse(record);
  return plain.success ? readContent(plain.data.content, plain.data.role) : readCodexItem(record);
}

/** Codex's items, which in older files are not wrapped in records. */
function readCodexItem(item: TranscriptRecord): RecordedTurn[] {
  const message = codexMessage.safeParse(item);
  if (message.success) return readContent(message.data.content, message.data.role);
  const call = codexCall.safeParse(item);
  if (call.success) return [toolCall(call.data.name, call.data.arguments ?? call.data.input ?? "", call.data.call_id)];
  const output = codexOutput.safeParse(item);
  if (!output.success) return [];
  const { call_id: id, output: returned } = output.data;
  const text = typeof returned === "string" ? returned : Array.isArray(returned) ? textOf(returned) : returned.content;
  const isCalledFailure = typeof returned === "object" && !Array.isArray(returned) && returned.success === false;
  return [toolResult(codexText(text), isCalledFailure || CODEX_FAILURE.test(text), id)];
}

/** What a tool returned to Codex, without what Codex says about it; if it returned nothing, with what exit code. */
function codexText(text: string): string {
  const header = CODEX_HEADER.exec(text)?.[0];
  if (header === undefined) return jsonOutput(text) ?? text;
  const output = text.slice(header.length);
  const exitCode = CODEX_EXIT.exec(header)?.[1];
  return output.trim() !== "" ? output : exitCode === undefined ? text : `Exit code ${exitCode}`;
}

function jsonOutput(text: string): string | undefined {
  if (!text.startsWith('{"output":')) return undefined;
  try {
    const { data } = codexJson.safeParse(JSON.parse(text));
    return data?.output.trim() === "" ? undefined : data?.output;
  } catch {
    return undefined;
  }
}

/** Gemini CLI records a message once when it has been said, and again, with the same id, when its calls have ended. */
function readGemini({ type, id, content, toolCalls = [] }: z.infer<typeof geminiRecord>): RecordedTurn[] {
  const calls = toolCalls.flatMap((call): RecordedTurn[] => {
    const returned = call.resultDisplay || geminiOutput(call.result ?? []);
    return [
      toolCall(call.name, toJson(call.args), call.id),
      ...(returned === undefined ? [] : [toolResult(returned, call.status === "error", call.id)]),
    ];
  });
  const turns = [...readContent(content, type === "user" ? "user" : "assistant"), ...calls];
  return type === "gemini" ? turns.map((turn) => ({ ...turn, messageId: id })) : turns;
}

/** What the model was given as the result of a call. */
function geminiOutput(result: readonly unknown[]): string | undefined {
  const parts = result.flatMap((part) => {
    const { response } = geminiResult.safeParse(part).data?.functionResponse ?? {};
    return response?.output ?? response?.error ?? [];
  });
  return parts.length === 0 ? undefined : parts.join("\n");
}

function readOpencodePart(part: unknown, role: "user" | "assistant"): RecordedTurn[] {
  const tool = opencodeTool.safeParse(part);
  if (!tool.success) return readBlock(part, role);
  const { input, output, status } = tool.data.state;
  const { callID: id } = tool.data;
  const call = toolCall(tool.data.tool, toJson(input), id);
  return output === undefined ? [call] : [call, toolResult(output, status === "error", id)];
}

function readContent(content: unknown, role: "user" | "assistant"): RecordedTurn[] {
  if (typeof content === "string") return [{ kind: role, text: content }];
  return Array.isArray(content) ? content.flatMap((block) => readBlock(block, role)) : readBlock(content, role);
}

/** Thinking, images and unknown blocks contain nothing to remember. */
function readBlock(block: unknown, role: "user" | "assistant"): RecordedTurn[] {
  const text = textBlock.safeParse(block);
  if (text.success) return [{ kind: role, text: text.data.text }];
  const toolUse = toolUseBlock.safeParse(block);
  if (toolUse.success) return [toolCall(toolUse.data.name, toJson(toolUse.data.input), toolUse.data.id)];
  const result = toolResultBlock.safeParse(block);
  if (!result.success) return [];
  return [toolResult(textOf(result.data.content), result.data.is_error === true, result.data.tool_use_id)];
}

/** The text of a tool result. Results do not contain further results, so this does not recurse. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  const blocks = Array.isArray(content) ? content : [content];
  return blocks
    .flatMap((block: unknown) => {
      const text = textBlock.safeParse(block);
      return text.success ? [text.data.text] : [];
    })
    .join("\n");
}

function toolCall(toolName: string, text: string, id: string | undefined): RecordedTurn {
  return { kind: "tool_call", toolName, text, ...(id !== undefined && { callId: id }) };
}

function toolResult(text: string, hasFailed: boolean, id: string | undefined): RecordedTurn {
  return { kind: "tool_result", text, ...(hasFailed && { hasFailed }), ...(id !== undefined && { callId: id }) };
}

/** Leaves out what is nested too deeply to be serialized. */
function toJson(value: unknown): string {
  try {
    return JSON.stringify(value ?? null);
  } catch {
    return "…";
  }
}

/** Repeats follow soon after, so older blocks of an answer are not compared, which keeps the time linear. */
const MAX_COMPARED_BLOCKS = 50;

/** A streaming answer is recorded each time it has grown. Keeps only its last state, at its first position. */
async function mergeRepeats(turns: readonly RecordedTurn[]): Promise<RecordedTurn[]> {
  const merged: RecordedTurn[] = [];
  const indicesByMessage = new Map<string, number[]>();
  const indicesOf = (messageId: string): number[] => {
    const indices = indicesByMessage.get(messageId) ?? [];
    indicesByMessage.set(messageId, indices);
    return indices;
  };
  await inSlices(turns, (turn) => {
    if (turn.text.trim() === "" && turn.toolName === undefined) return;
    const indices = turn.messageId === undefined ? [] : indicesOf(turn.messageId);
    const repeated = indices.slice(-MAX_COMPARED_BLOCKS).find((index) => isSameTurn(merged[index], turn));
    if (repeated === undefined) {
      indices.push(merged.push(turn) - 1);
    } else if (turn.text.length > (merged[repeated]?.text.length ?? 0)) {
      merged[repeated] = turn;
    }
  });
  return merged;
}

function isSameTurn(one: RecordedTurn | undefined, other: RecordedTurn): boolean {
  if (one?.kind !== other.kind || one.toolName !== other.toolName || one.callId !== other.callId) return false;
  return one.text.startsWith(other.text) || other.text.startsWith(one.text);
}
