import { sinceStartMs } from "../clock.ts";
import { readBreaker } from "../delivery/breaker-file.ts";
import { allowsQuestion } from "../delivery/circuit-breaker.ts";
import { getApprovalSettings } from "../delivery/workspace-api.ts";
import type { HookTool, JudgedOutcome } from "../harness/harness.ts";
import type { HookCall } from "../hook/hook-session.ts";
import type { ApprovalRequest, ToolDecision } from "./approval-api.ts";
import { readApprovalSettings, storeApprovalSettings } from "./approval-settings.ts";
import { callDigest, describeCall, folderInRepository, seenText } from "./asked-call.ts";
import { waitForDecision } from "./wait-for-decision.ts";

/** What a person has said about a call, now or before, or why they cannot in the dashboard. */
interface Answer {
  readonly kind: "allowed" | "denied" | "undecidable";
  readonly reason: string;
}

/** What the hook needs after the decision: to reply, and to store its event. A busy machine needs more than a second. */
const RESERVE_MS = 2_500;
const MIN_WAIT_MS = 2_000;
const MAX_EFFECT_LENGTH = 3_900;
const MAX_NAME_LENGTH = 255;
const MAX_PATH_LENGTH = 4_096;
const REFRESH_MS = 500;

const UNDECIDABLE =
  "It cannot be decided in the dashboard: parts of it are hidden as secret or private, or it is too long.";
const REFUSED = "The dashboard did not take the question.";

/** The outcome of a call that a rule asks about: as a person decides, or unchanged, so that the assistant asks. */
export async function askAbout(call: HookCall, outcome: JudgedOutcome): Promise<JudgedOutcome> {
  const { tool } = call.input;
  const answer = tool && (await askPerson(call, tool, outcome.reason ?? ""));
  if (answer === undefined) return outcome;
  const { kind, reason } = answer;
  if (kind === "undecidable") return { ...outcome, reason: `${outcome.reason ?? ""} ${reason}`.trim() };
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
  let settings = readApprovalSettings(home, project);
  const digest = callDigest(tool, folderInRepository(cwd, call.environment.projectDir ?? cwd));
  const isReachable = allowsQuestion(readBreaker(home.breaker), now());
  if (settings.allowed.has(digest) && isReachable) {
    // It may have been removed since the settings were fetched.
    await refresh(call).catch(() => undefined);
    settings = readApprovalSettings(home, project);
  }
  if (settings.allowed.has(digest)) return { kind: "allowed", reason: "Allowed in this project in the dashboard." };
  const waitMs = Math.min(settings.waitMs, call.limitMs - RESERVE_MS - sinceStartMs());
  if (waitMs < MIN_WAIT_MS || !isReachable) return undefined;
  const request = toRequest(call, tool, { digest, reason, key: connection.key });
  if (request === undefined) return { kind: "undecidable", reason: UNDECIDABLE };
  const decision = await waitForDecision(connection, request, waitMs);
  if (decision === "refused") return { kind: "undecidable", reason: REFUSED };
  if (decision?.outcome === "allowed_here") await refresh(call).catch(() => undefined);
  return decision && toAnswer(decision);
}

/** Undefined if the person would not see the whole call: what they do not see would run too. */
function toRequest(
  { harness, input, project, cwd }: HookCall,
  tool: HookTool,
  { digest, reason, key }: { readonly digest: string; readonly reason: string; readonly key: string },
): Omit<ApprovalRequest, "timeoutMs"> | undefined {
  const { call, diff } = describeCall(tool, cwd, [key]);
  const seen = (value: string, limit: number) => seenText(value, limit, [key]);
  const [name, effect] = [seen(tool.name, MAX_NAME_LENGTH), seen(reason, MAX_EFFECT_LENGTH)];
  const texts = [call, name, effect, ...(diff === undefined ? [] : [diff])];
  if (cwd.length > MAX_PATH_LENGTH || !texts.every(({ isWhole }) => isWhole)) return undefined;
  return {
    id: process.getBuiltinModule("node:crypto").randomUUID(),
    digest,
    harness: harness.id,
    ...(input.sessionId !== undefined && {
      sessionId: seen(input.sessionId, MAX_NAME_LENGTH).text.slice(0, MAX_NAME_LENGTH),
    }),
    project: project.identity.slice(0, MAX_PATH_LENGTH),
    folder: cwd,
    toolName: name.text,
    call: call.text,
    effect: effect.text,
    ...(diff !== undefined && { diff: diff.text }),
  };
}

function toAnswer({ outcome, note }: ToolDecision): Answer {
  const said = note === undefined || note.trim() === "" ? "" : ` They say: ${note}`;
  return outcome === "denied"
    ? { kind: "denied", reason: `The user denied this call in the dashboard.${said}` }
    : { kind: "allowed", reason: "The user allowed this call in the dashboard." };
}

/** Fetches where a person is asked and what they always allow, which otherwise happens only every few minutes. */
async function refresh({ home, config }: HookCall): Promise<void> {
  if (config.kind !== "ready") return;
  const settings = await getApprovalSettings(config.config.connection, REFRESH_MS);
  if (settings.kind === "ok") storeApprovalSettings(home, settings.value);
}
