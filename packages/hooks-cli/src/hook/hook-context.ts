import { estimateTokens } from "@workspace/core/token-estimate";
import { readBreaker, writeBreaker } from "../delivery/breaker-file.ts";
import { BRIEF_MS, afterFailure, afterSuccess, allowsQuestion } from "../delivery/circuit-breaker.ts";
import { getContext } from "../delivery/workspace-api.ts";
import type { Config } from "../files/config.ts";
import type { HookInput } from "../harness/harness.ts";
import type { Injection } from "../memory/given-memories.ts";
import { MIN_ASKED_TOKENS, readLimits } from "../memory/memory-limits.ts";
import { storable } from "../redaction/redact.ts";
import { FRAME_LENGTH, frameContext } from "../transcript/injected-context.ts";
import type { HookCall } from "./hook-session.ts";

/** The assistant accepts at most 10,000 characters. */
const MAX_CONTEXT_LENGTH = 9_800;
const MAX_MEMORIES = 10;

/** A resumed conversation already has the context from its start. */
const CONTINUED = new Set(["resume", "fork"]);

/** Whether a session continues an earlier one, whose context it has. */
export function isContinued({ source }: HookInput): boolean {
  return CONTINUED.has(source ?? "");
}

/** The project context for a new session, without what is withheld; undefined if there is none, or no time. */
export async function fetchContext(
  call: HookCall,
  { connection, contextDeadlineMs }: Config,
  withheld: readonly string[],
): Promise<Injection | undefined> {
  const { home, project, cwd, now } = call;
  const { sessionStart: maxTokens } = readLimits(home, project);
  if (isContinued(call.input) || maxTokens === 0) return undefined;
  const breaker = readBreaker(home.breaker);
  const question = {
    project: { identity: project.identity, directory: cwd },
    limit: MAX_MEMORIES,
    maxTokens: Math.max(MIN_ASKED_TOKENS, maxTokens - estimateTokens(frameContext(""))),
    exclude: withheld,
  };
  const isBrief = !allowsQuestion(breaker, now());
  const result = await getContext(connection, question, isBrief ? BRIEF_MS : contextDeadlineMs);
  if (result.kind === "ok" && breaker.failures > 0) writeBreaker(home.breaker, afterSuccess(breaker, now(), isBrief));
  if (result.kind === "unavailable" && result.isTimeout && !isBrief)
    writeBreaker(home.breaker, afterFailure(breaker, now(), result));
  if (result.kind !== "ok" || result.value.formatted.trim() === "") return undefined;
  const text = storable(result.value.formatted).slice(0, MAX_CONTEXT_LENGTH - FRAME_LENGTH);
  const context = frameContext(text.toWellFormed());
  return { context, memoryIds: result.value.memories.map(({ id }) => id), tokens: estimateTokens(context) };
}
