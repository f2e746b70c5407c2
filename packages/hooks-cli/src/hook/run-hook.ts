import * as fs from "node:fs";
import type { Environment } from "../environment.ts";
import { describeError } from "../files/atomic-file.ts";
import { readConfig } from "../files/config.ts";
import { logProblem } from "../files/problem-log.ts";
import type { Harness, HarnessEvent } from "../harness/harness.ts";
import { findHarness } from "../harness/registry.ts";
import { loadPolicy } from "../policy/policy-store.ts";
import { judgeAndRecord } from "./before-call.ts";
import { STDIN_DEADLINE_MS, planFor } from "./hook-plan.ts";
import { type HookCall, type Report, effectiveSwitches, projectOf } from "./hook-session.ts";
import { NO_PASSES, type PendingReply, type Work, attempt } from "./hook-work.ts";
import { keepMessages } from "./kept-messages.ts";
import { withdrawPasses } from "./passes.ts";
import { readStdin } from "./read-stdin.ts";
import { recordEvent } from "./record-event.ts";
import { endSession, startSession } from "./session-events.ts";
import {
  isReadFromTranscript,
  recordSession,
  recordTokens,
  refreshSettings,
  startHelperIfNeeded,
} from "./session-steps.ts";
import { type SteeredCall, steered } from "./steered-call.ts";
import { finishTurn } from "./undo-steps.ts";
import { writeAll } from "./write-reply.ts";

/** Exits the process: with 2 only for a rule that refused the call. */
export type EndProcess = (exitCode: 0 | 2) => never;

/** The command by which an assistant calls a hook. */
export interface HookCommand {
  /** The assistant's own name for the event. */
  readonly eventName: string;
  readonly harnessName: string;
  /** How long the assistant waits. */
  readonly limitMs: number;
}

/**
 * One hook call, from standard input to exit. Whatever goes wrong (server, disk, home, JSON, clock), it ends within its limit, and
 * logs the problem where `status` finds it. It exits with 0, unless there are rules that could not be applied to a call, and an
 * assistant that cannot ask.
 */
export async function runHook(
  { eventName, harnessName, limitMs }: HookCommand,
  environment: Environment,
  end: EndProcess,
): Promise<void> {
  const harness = findHarness(harnessName);
  const event = harness?.events.find(({ name }) => name === eventName);
  if (harness === undefined || event === undefined || environment.isOff) end(0);
  if (environment.probe !== undefined) {
    fs.appendFileSync(environment.probe, `${harness.id} ${eventName}\n`);
    end(0);
  }
  const plan = planFor(event);
  const endLate = (): void => {
    const asked = askUnjudged(harness, event, "there was no time for it", pendingReply, environment);
    void asked.catch(() => undefined).then(() => end(pendingReply.exitCode));
  };
  const startLimit = (ms: number): NodeJS.Timeout => setTimeout(endLate, ms);
  let limit: NodeJS.Timeout | undefined;
  const pendingReply: PendingReply = {
    exitCode: 0,
    isGiven: false,
    extend(byMs) {
      clearTimeout(limit);
      limit = startLimit(plan.hardLimitMs + byMs);
    },
  };
  limit = startLimit(plan.hardLimitMs);
  const report = reporter(eventName, environment);
  try {
    const call = await readCall(harness, event, { environment, limitMs, pendingReply, report });
    if (call !== undefined) {
      let steering: Promise<SteeredCall> | undefined;
      const steer: Work["steer"] = (isAsked) => (steering ??= steered(call, isAsked, pendingReply.extend, report));
      await replyAndRecord(call, { plan, steer, pendingReply, report });
      await (await steering)?.finish?.();
    }
  } catch (error) {
    const problem = describeError(error);
    report(problem);
    await askUnjudged(harness, event, problem, pendingReply, environment);
  }
  end(pendingReply.exitCode);
}

/** A call that nothing could judge, or not in time, is not let through where there are rules. */
async function askUnjudged(
  harness: Harness,
  event: HarnessEvent,
  problem: string,
  pendingReply: PendingReply,
  { home }: Environment,
): Promise<void> {
  if (home === undefined) return;
  const { askUnread } = await import("./seldom-needed.ts");
  if (pendingReply.isGiven) return;
  pendingReply.isGiven = true;
  pendingReply.exitCode = askUnread(harness, event, loadPolicy(home), problem);
}

function reporter(eventName: string, { home }: Environment): Report {
  return (message) => {
    writeAll(2, `workspace-hooks: ${message}\n`);
    if (home !== undefined) logProblem(home.problems, `${eventName}: ${message}`, new Date());
  };
}

interface ReadOptions {
  readonly environment: Environment;
  readonly limitMs: number;
  readonly pendingReply: PendingReply;
  readonly report: Report;
}

/** Undefined if there is nothing to do: no input, no home, or an event that another harness handles. */
async function readCall(
  harness: Harness,
  event: HarnessEvent,
  { environment, limitMs, pendingReply, report }: ReadOptions,
): Promise<HookCall | undefined> {
  const stdin = await readStdin(STDIN_DEADLINE_MS);
  const { home } = environment;
  if (stdin.kind === "failed") report(stdin.message);
  if (home === undefined) report("no home directory: nothing is recorded, no rules apply");
  if (stdin.kind === "failed") await askUnjudged(harness, event, stdin.message, pendingReply, environment);
  if (stdin.kind === "failed" || home === undefined) return undefined;
  const payload = stdin.record;
  // Cursor also runs Claude Code's hooks; if it has hooks of ours itself, these would record everything twice.
  if (harness.id === "claude-code" && payload["cursor_version"] !== undefined) return undefined;
  const input = harness.readInput(event, payload);
  if (input === undefined) return undefined;
  // A prompt that no person wrote is neither judged nor recorded.
  const isAssistants = input.agentId !== undefined || (input.prompt === "" && payload["prompt"] !== "");
  if (input.event === "UserPromptSubmit" && isAssistants) return undefined;
  const config = readConfig(home.config);
  if (config.kind === "broken") report(config.message);
  const { project, cwd } = projectOf(input, environment);
  const switches = effectiveSwitches(config, project, environment);
  const transcriptPath =
    input.transcriptPath ?? (await keepMessages(home, input.sessionId, payload["messages"], switches));
  return {
    harness,
    event,
    input: { ...input, transcriptPath },
    environment,
    home,
    config,
    project,
    cwd,
    switches,
    limitMs,
    now: Date.now,
  };
}

async function replyAndRecord(asked: HookCall, work: Work): Promise<void> {
  const { plan, report } = work;
  const { event } = asked.input;
  if (event === "PreToolUse" || event === "UserPromptSubmit") return judgeAndRecord(asked, work);
  const steering = work.steer();
  // At once, since whatever is changed until it is recorded counts as the turn's.
  if (event === "Stop" || event === "SessionEnd") await finishTurn(asked, report);
  const { call } = await steering;
  switch (event) {
    case "SessionStart":
      return startSession(call, plan, report);
    case "SessionEnd":
      return endSession(call, plan, report);
    case "Stop":
    case "PreCompact":
      await attempt(() => withdrawPasses(call), NO_PASSES, report);
      recordSession(call, report);
      recordTokens(call, report);
      return startHelperIfNeeded(call, report);
    case "SubagentStop":
      recordTokens(call, report);
      return startHelperIfNeeded(call, report);
    case "Wait": {
      const { reportWait } = await import("./seldom-needed.ts");
      return reportWait(call);
    }
    case "PostToolUse":
    case "PostToolUseFailure":
      // Settings of an older version still call for it.
      if (isReadFromTranscript(call)) return;
      await recordEvent(call, plan, { verdict: undefined, exitCode: 0, health: undefined }, report);
      if (plan.sendsBacklog && call.config.kind === "ready")
        await refreshSettings(call, call.config.config, plan.deliveryMs, report);
  }
}
