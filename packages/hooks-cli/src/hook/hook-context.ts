import { getContext } from "../delivery/workspace-api.ts";
import { readBreaker, writeBreaker } from "../delivery/breaker-file.ts";
import { afterFailure, allowsAttempt } from "../delivery/circuit-breaker.ts";
import type { Config } from "../files/config.ts";
import { storable } from "../redaction/redact.ts";
import { CONTEXT_CLOSING, CONTEXT_OPENING } from "../transcript/clean-transcript.ts";
import type { HookCall } from "./hook-session.ts";

/** The assistant accepts at most 10,000 characters. */
const MAX_CONTEXT_LENGTH = 9_800;

/** A resumed conversation already has the context from its start. */
const CONTINUED = new Set(["resume", "fork"]);

/** The project context for a new session; undefined if there is none, or no time. */
export async function fetchContext(
  call: HookCall,
  { connection, contextDeadlineMs }: Config,
): Promise<string | undefined> {
  const { home, project, cwd, now } = call;
  if (CONTINUED.has(call.input.source ?? "")) return undefined;
  const breaker = readBreaker(home.breaker);
  if (!allowsAttempt(breaker, now(), false)) return undefined;
  const result = await getContext(connection, { identity: project.identity, directory: cwd }, contextDeadlineMs);
  if (result.kind === "unavailable" && result.isTimeout)
    writeBreaker(home.breaker, afterFailure(breaker, now(), result.message));
  return result.kind === "ok" && result.value.trim() !== "" ? frame(result.value) : undefined;
}

/** Delimited, so that the assistant can distinguish it from the user's words, and we from new content. */
function frame(formatted: string): string {
  const room = MAX_CONTEXT_LENGTH - CONTEXT_OPENING.length - CONTEXT_CLOSING.length - 2;
  const text = storable(formatted.replaceAll(CONTEXT_OPENING, "").replaceAll(CONTEXT_CLOSING, "")).slice(0, room);
  return `${CONTEXT_OPENING}\n${text.toWellFormed()}\n${CONTEXT_CLOSING}`;
}
