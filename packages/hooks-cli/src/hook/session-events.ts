import { type LoadedPolicy, loadPolicy } from "../policy/policy-store.ts";
import { fetchContext } from "./hook-context.ts";
import { healthRecord } from "./hook-health.ts";
import type { HookPlan } from "./hook-plan.ts";
import type { HookCall, Report } from "./hook-session.ts";
import { NOT_RECORDED, NO_PASSES, attempt, reply } from "./hook-work.ts";
import { withdrawPasses } from "./passes.ts";
import { recordEvent, spoolOf } from "./record-event.ts";
import {
  findWithheld,
  recordInjection,
  recordSession,
  recordTokens,
  refreshSettings,
  startHelperIfNeeded,
  usesMemory,
} from "./session-steps.ts";
import { readAheadOfTurns, turnOf } from "./undo-steps.ts";

/** Gives a session that starts what the project's memory has for it. */
export async function startSession(call: HookCall, plan: HookPlan, report: Report): Promise<void> {
  const loaded = loadPolicy(call.home);
  for (const problem of loaded.problems) report(problem);
  const work = [recordEvent(call, plan, sessionDetails(call, loaded), report)];
  if (call.config.kind === "ready") work.push(refreshSettings(call, call.config.config, plan.deliveryMs, report));
  const withheld = await findWithheld(call, report);
  const injection =
    call.config.kind === "ready" && usesMemory(call)
      ? await fetchContext(call, call.config.config, withheld)
      : undefined;
  reply(call, { decision: "allow", reason: undefined, warnings: loaded.problems, context: injection?.context });
  recordInjection(call, "session_start", injection, report, withheld);
  recordSession(call, report);
  recordTokens(call, report);
  await attempt(() => readAheadOfTurns(call), NOT_RECORDED, report);
  await Promise.all(work);
  await startHelperIfNeeded(call, report, false, withheld.length > 0);
}

/** Delegates the work and exits: the assistant is exiting, and kills whatever is still running. */
export async function endSession(call: HookCall, plan: HookPlan, report: Report): Promise<void> {
  await attempt(() => withdrawPasses(call), NO_PASSES, report);
  await (await import("./seldom-needed.ts")).untilChangesAreKnown(call, turnOf(call));
  await recordEvent(call, plan, sessionDetails(call, undefined), report);
  recordSession(call, report);
  recordTokens(call, report);
  await startHelperIfNeeded(call, report);
}

function sessionDetails(call: HookCall, loaded: LoadedPolicy | undefined): Parameters<typeof recordEvent>[2] {
  return { verdict: undefined, exitCode: 0, health: healthRecord(call.home, spoolOf(call), loaded?.problems ?? []) };
}
