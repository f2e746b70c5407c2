import type { ToolResult, ToolUse } from "../models/content-block.ts";
import { toStorableText } from "../models/model-answer.ts";
import type { ToolCall, ToolDefinition } from "../models/model-request.ts";
import { ForbiddenError, InvalidInputError } from "../platform/errors.ts";
import type { Logger } from "../platform/logger.ts";
import type { UserPrincipal } from "../platform/principal.ts";
import { toPublicError } from "../platform/public-error.ts";
import type { Redactor } from "../platform/redactor.ts";
import { assertStorable } from "../platform/storable-input.ts";
import type { CallInspection, ToolEffect } from "./tool-effect.ts";
import type { ToolGuard } from "./tool-guard.ts";

/** Something that a model may do in the workspace, in the name of a person. */
export interface Tool extends ToolDefinition {
  /** It is there only for those that name it, and not among "all tools". */
  readonly mustBeNamed?: true;
  /** The most that a call of it can do. */
  readonly effect: ToolEffect;
  /** What a person is told that it allows, in a plain sentence. */
  readonly allows: string;
  /** Whether its results hold text that the user may not have written: stored, shared, clipped, or from elsewhere. */
  readonly bringsText: boolean;
  /** What a call would do, and to what; without it `effect`, to nothing that has a name. Throws as `run` does. */
  inspect?(input: Record<string, unknown>, scope: ToolScope): Promise<CallInspection>;
  /** Throws for input that does not fit, and whatever the workspace throws. */
  run(input: Record<string, unknown>, scope: ToolScope): Promise<unknown>;
}

/** The tools of one answer or run: in whose name they act, and which there are. */
export interface ToolScope {
  readonly principal: UserPrincipal;
  /** What makes the calls, for the record: `agent_run:<id>` or `conversation:<id>`. */
  readonly actor: string;
  /** Null is all of them, but for those that must be named. */
  readonly names: readonly string[] | null;
  readonly guard: ToolGuard;
}

export interface Toolbox {
  /** Every tool there is. */
  readonly tools: readonly Tool[];
  /** What the model is told of. */
  definitionsFor(scope: Pick<ToolScope, "names">): ToolDefinition[];
  /** Reads the arguments of a call. Those that are no object that could be stored become an empty one. */
  parseCall(call: ToolCall): ToolUse;
  /**
   * Makes a call, if the scope's guard lets it. Never throws: what goes wrong is the result. An abort ends the wait, not
   * what was begun.
   */
  run(call: ToolCall, scope: ToolScope, signal: AbortSignal): Promise<ToolResult>;
}

/** More than this of a result is cut off, so that one call cannot fill the model's memory. */
const MAX_RESULT_LENGTH = 20_000;

export interface ToolboxOptions {
  readonly tools: readonly Tool[];
  readonly redactor: Redactor;
  readonly logger: Logger;
}

export function createToolbox({ tools, redactor, logger }: ToolboxOptions): Toolbox {
  const isIn = ({ names }: Pick<ToolScope, "names">, { name, mustBeNamed }: Tool) =>
    names === null ? mustBeNamed !== true : names.includes(name);
  const toDefinition = ({ name, description, parameters }: Tool): ToolDefinition => ({ name, description, parameters });

  function findTool(call: ToolCall, scope: ToolScope): Tool {
    const tool = tools.find(({ name }) => name === call.name);
    if (tool === undefined || !isIn(scope, tool)) throw new InvalidInputError(`There is no tool ${call.name}.`);
    return tool;
  }

  /** Throws {@link ForbiddenError} where the guard refuses the call. */
  async function requirePermission(tool: Tool, use: ToolUse, scope: ToolScope, signal: AbortSignal): Promise<void> {
    const inspect = (): Promise<CallInspection> =>
      tool.inspect?.(use.input, scope) ?? Promise.resolve({ effect: tool.effect, subject: null });
    const refusal = await scope.guard.refusalOf(use, inspect, signal);
    if (refusal !== null) throw new ForbiddenError(refusal);
  }

  async function runTool(tool: Tool, input: Record<string, unknown>, scope: ToolScope): Promise<string> {
    const output = await tool.run(input, scope);
    if (tool.bringsText) scope.guard.noteText(tool.name);
    return JSON.stringify(output ?? null);
  }

  return {
    tools,
    definitionsFor: (scope) => tools.filter((tool) => isIn(scope, tool)).map(toDefinition),
    parseCall: (call) => ({
      type: "tool_use",
      id: call.id,
      name: call.name,
      input: tryParseArguments(call.argumentsJson),
    }),
    async run(call, scope, signal) {
      const toResult = (content: string, isError: boolean): ToolResult => ({
        type: "tool_result",
        tool_use_id: call.id,
        content: cut(toStorableText(redactor.redact(content))),
        is_error: isError,
      });
      try {
        const tool = findTool(call, scope);
        const input = parseArguments(call.argumentsJson);
        await requirePermission(tool, { type: "tool_use", id: call.id, name: call.name, input }, scope, signal);
        return toResult(await unlessAborted(runTool(tool, input, scope), signal), false);
      } catch (error) {
        if (error instanceof GivenUpError) return toResult("The call was given up; it may have taken effect.", true);
        const { status, message } = toPublicError(error);
        if (status >= 500) logger.error({ err: error, tool: call.name }, "a tool failed");
        return toResult(message, true);
      }
    },
  };
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

/** The wait for a call was ended; the call itself was not. */
class GivenUpError extends Error {}

function unlessAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new GivenUpError());
    if (signal.aborted) giveUp();
    signal.addEventListener("abort", giveUp, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", giveUp));
  });
}

function cut(text: string): string {
  if (text.length <= MAX_RESULT_LENGTH) return text;
  return `${text.slice(0, MAX_RESULT_LENGTH).toWellFormed()}\n… cut here; the whole has ${text.length} characters.`;
}
