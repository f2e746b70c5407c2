import * as fs from "node:fs";
import type { Environment } from "../environment.ts";
import { describeError } from "../files/atomic-file.ts";
import { readConfig } from "../files/config.ts";
import { logProblem } from "../files/problem-log.ts";
import type { Harness, HarnessEvent, HookOutcome } from "../harness/harness.ts";
import { findHarness } from "../harness/registry.ts";
import type { Verdict } from "../policy/evaluate-policy.ts";
import { type LoadedPolicy, loadPolicy } from "../policy/policy-store.ts";
import { outcomeOfAsking } from "./asked-outcome.ts";
import { fetchContext } from "./hook-context.ts";
import { healthRecord } from "./hook-health.ts";
import { contextForFile } from "./file-context.ts";
import { type HookPlan, STDIN_DEADLINE_MS, planFor } from "./hook-plan.ts";
import { type HookCall, type Report, effectiveSwitches, projectOf } from "./hook-session.ts";
import { givePasses, withdrawPasses } from "./passes.ts";
import { keepMessages } from "./kept-messages.ts";
import { type PromptQuestion, askForPrompt, contextForPrompt, findLocally } from "./prompt-context.ts";
import { readStdin } from "./read-stdin.ts";
import { recordEvent, spoolOf } from "./record-event.ts";
import {
  findWithheld,
  recordInjection,
  recordSession,
  isReadFromTranscript,
  recordTokens,
  refreshSettings,
  startHelperIfNeeded,
  startTrialIfDue,
  usesMemory,
} from "./session-steps.ts";
import { type SteeredCall, isWatched, steered } from "./steered-call.ts";
import {
  finishTurn,
  turnOf,
  readAheadOfTurns,
  recordBefore,
  recordIfChanging,
  startTurn,
  unrecordedBefore,
} from "./undo-steps.ts";
import { outcomeOf, verdictAfterFailure, verdictWithoutJudging } from "./verdict-outcome.ts";
import type { Injection } from "../memory/given-memories.ts";
import { writeAll, writeReply } from "./write-reply.ts";

/** Problems that fail no call. */
const NO_PASSES = "no passes";
const NO_MEMORIES = "no memories added";
const NOT_RECORDED = "the project could not be recorded";

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

/** The reply to the assistant, which stands regardless of later failures. */
interface PendingReply {
  exitCode: 0 | 2;
  /** Whether a call has been judged and the assistant told, so that nothing that fails later changes it. */
  isGiven: boolean;
  /** Lets this process live longer, since it is to wait for a person. */
  extend(byMs: number): void;
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

/** Lets what was asked reach the server, which then works at the same time as this process. */
function requestsToLeave(): Promise<void> {
  // The first turn of the event loop connects, the second sends.
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
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
  if (home === undefined) report("there is no home directory, so nothing is recorded and no rules apply");
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

/** What a hook works with besides its call. */
interface Work {
  readonly plan: HookPlan;
  /** The call after what a person has for its session; the first time this asks the server, unless another request does. */
  steer(isAsked?: Promise<boolean>): Promise<SteeredCall>;
  readonly pendingReply: PendingReply;
  readonly report: Report;
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

async function judgeAndRecord(asked: HookCall, work: Work): Promise<void> {
  const { plan, pendingReply, report } = work;
  const isPrompt = asked.input.event === "UserPromptSubmit";
  // Asked while the call is judged. The server is told of a prompt when it is known that no rule refuses it.
  if (!isPrompt) void work.steer();
  const loaded = loadPolicy(asked.home);
  const { policy } = loaded;
  for (const problem of loaded.problems) report(problem);
  if (isPrompt) await attempt(() => withdrawPasses(asked), NO_PASSES, report);
  let verdict: Verdict | undefined;
  try {
    verdict = verdictWithoutJudging(policy, asked.input) ?? (await import("./judge.ts")).judge(policy, asked);
  } catch (error) {
    const problem = describeError(error);
    report(`the policy could not be applied (${problem})`);
    verdict = verdictAfterFailure(policy, asked.input, problem);
  }
  if (isPrompt && outcomeOf(verdict, asked.input).decision === "allow") return replyToPrompt(asked, work, verdict);
  const { call, hadInstructions } = await work.steer();
  const record = verdict?.decision === "undo" ? await recordBefore(call) : undefined;
  let judged = call.overruled ?? outcomeOf(verdict, call.input, record);
  const warning =
    judged.decision === "deny" ? undefined : await attempt(() => recordIfChanging(call, report), NOT_RECORDED, report);
  if (verdict?.losesFiles === true && call.overruled === undefined) {
    const unrecorded = await attempt(() => unrecordedBefore(call), NOT_RECORDED, report);
    if (unrecorded !== undefined && unrecorded.length > 0) {
      const { judge } = await import("./judge.ts");
      verdict = judge(policy, call, unrecorded);
      judged = outcomeOf(verdict, call.input, record);
    }
  }
  const outcome = await outcomeOfAsking(call, judged, pendingReply.extend, report);
  const injection =
    outcome.decision === "allow" ? await attempt(() => contextForFile(call), NO_MEMORIES, report) : undefined;
  const warnings = warning === undefined ? outcome.warnings : [...outcome.warnings, warning];
  pendingReply.exitCode = reply(call, { ...outcome, warnings, context: injection?.context });
  pendingReply.isGiven = true;
  if (injection !== undefined) recordInjection(call, "file", injection, report);
  await recordEvent(call, plan, { verdict, exitCode: pendingReply.exitCode, health: undefined }, report);
  const hasNewPasses =
    hadInstructions === undefined && (await attempt(() => givePasses(call, loaded), NO_PASSES, report)) === true;
  if (hasNewPasses || !isWatched(call)) await startHelperIfNeeded(call, report, true);
}

/** What fails here must not fail the call. */
async function attempt<T>(work: () => T | Promise<T>, problem: string, report: Report): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    report(`${problem} (${describeError(error)})`);
    return undefined;
  }
}

/** The event is recorded while the server looks for memories. */
async function replyToPrompt(
  asked: HookCall,
  { plan, steer, report }: Work,
  verdict: Verdict | undefined,
): Promise<void> {
  const question = await attempt(() => askForPrompt(asked), NO_MEMORIES, report);
  const steering = steer(question?.answer.then((answer) => answer?.isSteered === true));
  await requestsToLeave();
  const started = startTurn(asked, report);
  const recorded = recordEvent(asked, plan, { verdict, exitCode: 0, health: undefined }, report);
  const injection = question && (await attempt(() => injectionFor(asked, question), NO_MEMORIES, report));
  const { call } = await steering;
  reply(call, { ...outcomeOf(verdict, call.input), context: injection?.context });
  recordInjection(call, "prompt", injection, report);
  await started;
  await recorded;
  if (question?.isDoubtful === true) await startTrialIfDue(call, report);
}

/** What a prompt is given, by the server or, without it, from the local index, which is read while a doubtful server may respond. */
async function injectionFor(call: HookCall, question: PromptQuestion): Promise<Injection | undefined> {
  const local = question.isDoubtful ? findLocally(call, question) : undefined;
  const answer = await question.answer;
  return contextForPrompt(call, question, answer?.memories ?? local ?? findLocally(call, question));
}

async function startSession(call: HookCall, plan: HookPlan, report: Report): Promise<void> {
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
async function endSession(call: HookCall, plan: HookPlan, report: Report): Promise<void> {
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

function reply(call: HookCall, outcome: HookOutcome): 0 | 2 {
  const pendingReply = call.harness.reply(call.event, outcome);
  writeReply(pendingReply);
  return pendingReply.exitCode;
}
