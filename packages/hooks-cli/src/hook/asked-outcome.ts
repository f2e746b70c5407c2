import { existsSync } from "node:fs";
import { describeError } from "../files/atomic-file.ts";
import type { JudgedOutcome } from "../harness/harness.ts";
import type { HookCall, Report } from "./hook-session.ts";

/**
 * What a person decides in the dashboard about a call that a rule asks about. Without their decision it stays as it is, and the
 * assistant asks. `extend` moves the time at which this process ends, whatever happens.
 */
export async function outcomeOfAsking(
  call: HookCall,
  outcome: JudgedOutcome,
  extend: (byMs: number) => void,
  report: Report,
): Promise<JudgedOutcome> {
  // Without settings of the server there is nothing to load.
  if (outcome.decision !== "ask" || !existsSync(call.home.approvalSettings)) return outcome;
  try {
    const { askAbout } = await import("./seldom-needed.ts");
    extend(call.limitMs);
    return await askAbout(call, outcome);
  } catch (error) {
    report(`not asked (${describeError(error)})`);
    return outcome;
  }
}
