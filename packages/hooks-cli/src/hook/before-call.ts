import { describeError } from "../files/atomic-file.ts";
import type { Injection } from "../memory/given-memories.ts";
import type { Verdict } from "../policy/evaluate-policy.ts";
import { loadPolicy } from "../policy/policy-store.ts";
import { outcomeOfAsking } from "./asked-outcome.ts";
import { contextForFile } from "./file-context.ts";
import type { HookCall } from "./hook-session.ts";
import { NOT_RECORDED, NO_MEMORIES, NO_PASSES, type Work, attempt, reply } from "./hook-work.ts";
import { givePasses, withdrawPasses } from "./passes.ts";
import { type PromptQuestion, askForPrompt, contextForPrompt, findLocally } from "./prompt-context.ts";
import { recordEvent } from "./record-event.ts";
import { recordInjection, startHelperIfNeeded, startTrialIfDue } from "./session-steps.ts";
import { isWatched } from "./steered-call.ts";
import { recordBefore, recordIfChanging, startTurn, unrecordedBefore } from "./undo-steps.ts";
import { outcomeOf, verdictAfterFailure, verdictWithoutJudging } from "./verdict-outcome.ts";

/** Judges a call before it, or a prompt, and does what is due then. */
export async function judgeAndRecord(asked: HookCall, work: Work): Promise<void> {
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

/** Lets what was asked reach the server, which then works at the same time as this process. */
function requestsToLeave(): Promise<void> {
  // The first turn of the event loop connects, the second sends.
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
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
