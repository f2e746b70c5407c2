import { sinceStartMs } from "../clock.ts";
import { deliverBacklog, deliverClaimed, leaseFor } from "../delivery/deliver.ts";
import { postEvents } from "../delivery/workspace-api.ts";
import { describeError } from "../files/atomic-file.ts";
import type { Config } from "../files/config.ts";
import { assistantVersion } from "../harness/assistant-version.ts";
import { type HookEvent, type HookInput, isRecorded } from "../harness/harness.ts";
import type { JsonRecord } from "../json/json-value.ts";
import type { Verdict } from "../policy/evaluate-policy.ts";
import { count } from "../spool/counters.ts";
import type { ClaimedEvent, NewEvent } from "../spool/spool.ts";
import { Spool } from "../spool/spool.ts";
import { eventId } from "./event-id.ts";
import { toEvent } from "./event-record.ts";
import type { HookPlan } from "./hook-plan.ts";
import type { HookCall, Report } from "./hook-session.ts";
import { turnRecord } from "./undo-steps.ts";

export interface RecordDetails {
  readonly verdict: Verdict | undefined;
  readonly exitCode: 0 | 2;
  readonly health: JsonRecord | undefined;
}

/** What became of an event: stored on disk, not stored, or dropped. */
type SpoolOutcome =
  | { readonly kind: "spooled"; readonly event: ClaimedEvent }
  | { readonly kind: "unkept"; readonly body: string }
  | { readonly kind: "dropped" };

export function spoolOf(call: HookCall): Spool {
  const maxEvents = call.config.kind === "ready" ? call.config.config.maxSpooledEvents : DEFAULT_MAX_EVENTS;
  return new Spool(call.home, { maxEvents }, call.now);
}

const DEFAULT_MAX_EVENTS = 10_000;

/**
 * Records the event: redacts secrets, writes it to the spool, then sends it to the server, within the plan's time. An unsent
 * event stays in the spool. If the disk does not accept it, it is still sent to the server.
 */
export async function recordEvent(
  call: HookCall,
  plan: HookPlan,
  details: RecordDetails,
  report: Report,
): Promise<void> {
  const { config, switches, input } = call;
  // Without a server there is no one to record it for.
  if (!switches.events || config.kind === "missing" || !isRecorded(input)) return;
  const spool = spoolOf(call);
  const spooled = spoolEvent(spool, newEvent(call, input, details), plan, report);
  if (spooled.kind === "dropped") return;
  const isLater = plan.deliveryMs === 0 || (spooled.kind === "spooled" && isRoutine(call, details));
  if (config.kind === "broken" || isLater) {
    if (spooled.kind === "spooled") spool.release(spooled.event);
    return;
  }
  await send(call, config.config, spool, plan, spooled);
}

/**
 * Whether this is a tool call that no rule matched, and a hook with more time or a helper follows: it sends this event together with
 * its own, so that the tool can start sooner.
 */
function isRoutine({ input, harness }: HookCall, { verdict }: RecordDetails): boolean {
  return (
    input.event === "PreToolUse" &&
    verdict?.matches.length === 0 &&
    verdict.skippedRules === 0 &&
    harness.events.some(({ isAsync }) => isAsync === true)
  );
}

function newEvent(call: HookCall, input: HookInput<HookEvent>, { verdict, exitCode, health }: RecordDetails): NewEvent {
  const { project, config, cwd } = call;
  const nowMs = call.now();
  const id = eventId(nowMs);
  const event = toEvent({
    id,
    occurredAt: new Date(nowMs),
    harness: call.harness.id,
    ...(input.event === "SessionStart" && {
      harnessVersion: assistantVersion(call.harness.id, input, call.environment.variables),
    }),
    input,
    projectDir: cwd,
    project: project.identity,
    verdict,
    refusal: call.overruled?.reason,
    exitCode,
    turn: turnRecord(call),
    durationMs: sinceStartMs(),
    hookScript: process.argv[1] ?? "",
    health,
    knownSecrets: config.kind === "ready" ? [config.config.connection.key] : [],
  });
  return { id, occurredAtMs: nowMs, body: JSON.stringify(event), isImportant: exitCode === 2 };
}

function spoolEvent(spool: Spool, event: NewEvent, plan: HookPlan, report: Report): SpoolOutcome {
  try {
    const claimed = spool.add(event, leaseFor(plan.deliveryMs));
    if (claimed !== undefined) return { kind: "spooled", event: claimed };
    report("the spool is full; an event was dropped");
    return { kind: "dropped" };
  } catch (error) {
    report(`an event could not be stored (${describeError(error)})`);
    return { kind: "unkept", body: event.body };
  }
}

async function send(
  call: HookCall,
  { connection }: Config,
  spool: Spool,
  plan: HookPlan,
  spooled: Exclude<SpoolOutcome, { kind: "dropped" }>,
): Promise<void> {
  const { home, now } = call;
  if (spooled.kind === "unkept") {
    const result = await postEvents(connection, [spooled.body], plan.deliveryMs);
    if (result.kind !== "ok") count(home.counters, "dropped");
    return;
  }
  const deps = { home, spool, connection, now };
  if (plan.sendsBacklog) await deliverBacklog(deps, plan.deliveryMs, [spooled.event]);
  else await deliverClaimed(deps, [spooled.event], plan.deliveryMs, plan.isQuick);
}
