import { sinceStartMs } from "../clock.ts";
import { readBreaker } from "../delivery/breaker-file.ts";
import { allowsAttempt } from "../delivery/circuit-breaker.ts";
import { fetchServerSettings } from "../delivery/server-settings.ts";
import type { HookTool, JudgedOutcome } from "../harness/harness.ts";
import type { HookCall } from "../hook/hook-session.ts";
import type { ApprovalRequest, ToolDecision } from "./approval-api.ts";
import { readApprovalSettings } from "./approval-settings.ts";
import { callDigest, describeCall, withoutSecrets } from "./asked-call.ts";
import { waitForDecision } from "./wait-for-decision.ts";

/** What a person has said about a call, now or before. */
type Answer =
  { readonly kind: "allowed"; readonly reason: string } | { readonly kind: "denied"; readonly reason: string };

/** What the hook needs after the decision: to reply, and to store its event. A busy machine needs more than a second. */
const RESERVE_MS = 2_500;
const MIN_WAIT_MS = 2_000;
const MAX_EFFECT_LENGTH = 3_900;
const MAX_NAME_LENGTH = 255;
const MAX_PATH_LENGTH = 4_096;
const REFRESH_MS = 500;

/** The outcome of a call that a rule asks about: as a person decides, or unchanged, so that the assistant asks. */
export async function askAbout(call: HookCall, outcome: JudgedOutcome): Promise<JudgedOutcome> {
  const { tool } = call.input;
  const answer = tool && (await askPerson(call, tool, outcome.reason ?? ""));
  if (answer === undefined) return outcome;
  const { kind, reason } = answer;
  return {
    ...outcome,
    reason,
    ...(kind === "denied" ? { decision: "deny" } : { decision: "allow", isApproved: true }),
  };
}

/** Asks a person in the dashboard, if that is set, unless they have allowed this call in the project. */
async function askPerson(call: HookCall, tool: HookTool, reason: string): Promise<Answer | undefined> {
  const { home, config, project, cwd, now } = call;
  if (config.kind !== "ready") return undefined;
  const { connection } = config.config;
  const settings = readApprovalSettings(home, project);
  const place = { cwd, root: project.root };
  if (settings.allowed.has(callDigest(tool, place)))
    return { kind: "allowed", reason: "Allowed in this project in the dashboard." };
  const waitMs = Math.min(settings.waitMs, call.limitMs - RESERVE_MS - sinceStartMs());
  if (waitMs < MIN_WAIT_MS || !allowsAttempt(readBreaker(home.breaker), now(), false)) return undefined;
  const decision = await waitForDecision(connection, toRequest(call, tool, reason, connection.key), waitMs);
  if (decision?.outcome === "allowed_here") await refresh(call).catch(() => undefined);
  return decision && toAnswer(decision);
}

function toRequest(
  { harness, input, project, cwd }: HookCall,
  tool: HookTool,
  reason: string,
  key: string,
): Omit<ApprovalRequest, "timeoutMs"> {
  const { digest, call, diff } = describeCall(tool, { cwd, root: project.root }, [key]);
  const text = (value: string, limit: number): string => withoutSecrets(value, limit, [key]).slice(0, limit);
  return {
    id: process.getBuiltinModule("node:crypto").randomUUID(),
    digest,
    harness: harness.id,
    ...(input.sessionId !== undefined && { sessionId: text(input.sessionId, MAX_NAME_LENGTH) }),
    project: project.identity.slice(0, MAX_PATH_LENGTH),
    folder: cwd.slice(0, MAX_PATH_LENGTH),
    toolName: text(tool.name, MAX_NAME_LENGTH),
    call,
    effect: text(reason, MAX_EFFECT_LENGTH),
    ...(diff !== undefined && { diff }),
  };
}

function toAnswer({ outcome, note }: ToolDecision): Answer {
  const said = note === undefined || note.trim() === "" ? "" : ` They say: ${note}`;
  return outcome === "denied"
    ? { kind: "denied", reason: `The user denied this call in the dashboard.${said}` }
    : { kind: "allowed", reason: "The user allowed this call in the dashboard." };
}

/** So that the next call like this one need not wait until the settings are fetched again. */
async function refresh({ home, config }: HookCall): Promise<void> {
  if (config.kind === "ready") await fetchServerSettings(home, config.config.connection, REFRESH_MS);
}
