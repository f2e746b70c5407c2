import { traced } from "@workspace/db";
import { ForbiddenError, InvalidInputError } from "../../platform/errors.ts";
import type { Logger } from "../../platform/logger.ts";
import type { Origin } from "../../platform/procedures/author.ts";
import type { CallInspection, Effect } from "../../platform/procedures/effect.ts";
import type { UserPrincipal } from "../../platform/procedures/principal.ts";
import { toPublicError } from "../../platform/procedures/public-error.ts";
import { assertStorable } from "../../platform/procedures/storable-input.ts";
import type { Redactor } from "../../platform/redactor.ts";
import type { ToolResult, ToolUse } from "../gateway/content-block.ts";
import { toStorableText } from "../gateway/model-answer.ts";
import type { ToolCall, ToolDefinition } from "../gateway/model-request.ts";
import { toCurrentToolName } from "./former-tool-names.ts";
import type { ToolGuard } from "./tool-guard.ts";

/** Something that a model can do in the workspace on behalf of a person. */
export interface Tool extends ToolDefinition {
  /** Only available if named explicitly; not one of "all tools". */
  readonly isOptIn?: true;
  /** The most severe effect that a call can have. */
  readonly effect: Effect;
  /** What it allows, in a plain sentence for people. */
  readonly allows: string;
  /** Whether its results may contain text that the user did not write: stored, shared, clipped, or from elsewhere. */
  readonly bringsText: boolean;
  /** What a call would do, and to what; by default, `effect` on an unnamed target. Throws like `run`. */
  inspect?(input: Record<string, unknown>, scope: ToolScope): Promise<CallInspection>;
  /** Throws if the input is invalid, and whatever the workspace throws. */
  run(input: Record<string, unknown>, scope: ToolScope): Promise<unknown>;
}

/** The tools of one answer or run, and on whose behalf they act. */
export interface ToolScope {
  readonly principal: UserPrincipal;
  readonly origin: Extract<Origin, { kind: "agent" | "chat" }>;
  /** Null is all tools except opt-in ones. */
  readonly names: readonly string[] | null;
  readonly guard: ToolGuard;
}

export interface Toolbox {
  /** All tools. */
  readonly tools: readonly Tool[];
  /** Finds a tool by its current or former name. */
  find(name: string): Tool | undefined;
  /** The definitions to send to the model. */
  definitionsFor(scope: Pick<ToolScope, "names">): ToolDefinition[];
  /** Parses the arguments of a call. Anything but a storable object becomes an empty object. */
  parseCall(call: ToolCall): ToolUse;
  /**
   * Makes a call if the scope's guard allows it. Never throws: a failure becomes the result. An abort ends the wait for a call,
   * not the call itself.
   */
  run(call: ToolCall, scope: ToolScope, signal: AbortSignal): Promise<ToolResult>;
}

/** Longer ids are not those of any endpoint, and are not stored with what a call has changed. */
const MAX_ID_LENGTH = 200;

/** Other ids could be content. */
const TRACED_ID = /^[\w.:-]{1,100}$/;

/** Results are truncated to this length, so that one call cannot fill the model's context. */
const MAX_RESULT_LENGTH = 20_000;

export interface ToolboxOptions {
  readonly tools: readonly Tool[];
  readonly redactor: Redactor;
  readonly logger: Logger;
}

export function createToolbox({ tools, redactor, logger }: ToolboxOptions): Toolbox {
  const isInScope = ({ names }: Pick<ToolScope, "names">, { name, isOptIn }: Tool) =>
    names === null ? isOptIn !== true : names.includes(name);
  const toDefinition = ({ name, description, parameters }: Tool): ToolDefinition => ({ name, description, parameters });

  const find = (name: string) => {
    const current = toCurrentToolName(name);
    return tools.find((tool) => tool.name === current);
  };

  function requireTool(call: ToolCall, scope: ToolScope): Tool {
    const tool = find(call.name);
    if (tool === undefined || !isInScope(scope, tool)) throw new InvalidInputError(`There is no tool ${call.name}.`);
    return tool;
  }

  /** Throws {@link ForbiddenError} if the guard refuses the call. */
  async function requirePermission(tool: Tool, use: ToolUse, scope: ToolScope, signal: AbortSignal): Promise<void> {
    const inspect = (): Promise<CallInspection> =>
      tool.inspect?.(use.input, scope) ?? Promise.resolve({ effect: tool.effect, subject: null });
    const refusal = await scope.guard.checkCall(use, inspect, signal);
    if (refusal !== null) throw new ForbiddenError(refusal);
  }

  async function runTool(tool: Tool, input: Record<string, unknown>, scope: ToolScope): Promise<string> {
    const output = await tool.run(input, scope);
    if (tool.bringsText) scope.guard.noteUntrustedText(tool.name);
    return JSON.stringify(output ?? null);
  }

  return {
    tools,
    find,
    definitionsFor: (scope) => tools.filter((tool) => isInScope(scope, tool)).map(toDefinition),
    parseCall: (call) => ({
      type: "tool_use",
      id: call.id,
      name: toCurrentToolName(call.name),
      input: tryParseArguments(call.argumentsJson),
    }),
    run: (call, ofAnswer, signal) => traceTool(find(call.name), call, () => makeCall(call, ofAnswer, signal)),
  };

  async function makeCall(call: ToolCall, ofAnswer: ToolScope, signal: AbortSignal): Promise<ToolResult> {
    const scope = withCall(ofAnswer, call);
    const toResult = (content: string, isError: boolean): ToolResult => ({
      type: "tool_result",
      tool_use_id: call.id,
      content: truncate(toStorableText(redactor.redact(content))),
      is_error: isError,
    });
    try {
      const tool = requireTool(call, scope);
      const input = parseArguments(call.argumentsJson);
      await requirePermission(tool, { type: "tool_use", id: call.id, name: tool.name, input }, scope, signal);
      return toResult(await unlessAborted(runTool(tool, input, scope), signal), false);
    } catch (error) {
      if (error instanceof AbortedWaitError)
        return toResult("The wait for the call was aborted; it may have taken effect.", true);
      const { status, message } = toPublicError(error);
      if (status >= 500) logger.error({ err: error, tool: call.name }, "a tool failed");
      return toResult(message, true);
    }
  }
}

/** A span for a call, by the conventions for calls of tools: without its arguments and result. */
function traceTool(tool: Tool | undefined, call: ToolCall, run: () => Promise<ToolResult>): Promise<ToolResult> {
  // The model may have made up a name, of anything.
  const name = tool?.name ?? "unknown";
  return traced(
    () => ({
      name: `execute_tool ${name}`,
      kind: "internal",
      beginsTrace: true,
      attributes: {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": name,
        "gen_ai.tool.type": "function",
        ...(TRACED_ID.test(call.id) && { "gen_ai.tool.call.id": call.id }),
      },
    }),
    async (attributes) => {
      const result = await run();
      if (attributes !== null && result.is_error) attributes["error.type"] = "tool_error";
      return result;
    },
  );
}

/** The scope in which a chat makes a call, so that what it changes names the call. */
function withCall(scope: ToolScope, { id }: ToolCall): ToolScope {
  const { origin } = scope;
  if (origin.kind !== "chat" || id.length > MAX_ID_LENGTH) return scope;
  return { ...scope, origin: { ...origin, toolUseId: toStorableText(id) } };
}

function parseArguments(json: string): Record<string, unknown> {
  const input: unknown = parseJson(json.trim() === "" ? "{}" : json);
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    throw new InvalidInputError("The arguments of a tool must be one JSON object.");
  }
  assertStorable(input);
  return { ...input };
}

function tryParseArguments(json: string): Record<string, unknown> {
  try {
    return parseArguments(json);
  } catch {
    return {};
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidInputError("The arguments are not valid JSON.");
  }
}

/** The wait for a call was aborted; the call itself continues. */
class AbortedWaitError extends Error {}

function unlessAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(new AbortedWaitError());
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

function truncate(text: string): string {
  if (text.length <= MAX_RESULT_LENGTH) return text;
  return `${text.slice(0, MAX_RESULT_LENGTH).toWellFormed()}\n… truncated here; the full result has ${text.length} characters.`;
}
