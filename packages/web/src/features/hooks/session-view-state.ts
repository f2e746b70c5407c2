import { useCallback, useState } from "react";
import { useOpenApprovals } from "../approvals/approvals.ts";
import { endedRun, holdsCall, useInstructions } from "../steering/steering.ts";
import type { SessionPrompt } from "./session-outline.ts";

/** An assistant that has done nothing for longer has finished, or waits for somebody. */
const AT_WORK_MS = 3 * 60_000;

/** What a session that has not ended does: it works, waits for a person to decide about a call, or was paused or stopped by one. */
export type SessionActivity = "work" | "decision" | "pause" | "stop";

/** What the session seems to do for its last prompt; undefined if nothing, or if it has ended. */
export function useSessionActivity(
  sessionId: string,
  prompts: readonly SessionPrompt[],
  hasEnded: boolean,
): SessionActivity | undefined {
  const { open = [] } = useOpenApprovals();
  const { rows } = useInstructions(sessionId);
  if (hasEnded) return undefined;
  if (rows.some(holdsCall)) return "pause";
  if (rows.some((row) => endedRun(row, prompts.at(-1)?.startedAt ?? null))) return "stop";
  if (open.some((approval) => approval.sessionId === sessionId)) return "decision";
  return isAtWork(prompts) ? "work" : undefined;
}

/** Whether the assistant seems to be at work on the last prompt. */
export function isAtWork(prompts: readonly SessionPrompt[]): boolean {
  const last = prompts.at(-1);
  return last?.lastAt != null && last.answer === null && Date.now() - Date.parse(last.lastAt) < AT_WORK_MS;
}

/** Which rows are unfolded. */
export interface Unfolded {
  readonly unfolded: ReadonlySet<string>;
  readonly toggle: (id: string) => void;
  readonly set: (ids: readonly string[], isUnfolded: boolean) => void;
}

export function useUnfolded(atFirst: () => readonly string[]): Unfolded {
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(() => new Set(atFirst()));
  const toggle = useCallback((id: string) => {
    setUnfolded((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
  }, []);
  const set = useCallback((ids: readonly string[], isUnfolded: boolean) => {
    setUnfolded((before) => {
      const others = [...before].filter((id) => !ids.includes(id));
      return new Set(isUnfolded ? [...others, ...ids] : others);
    });
  }, []);
  return { unfolded, toggle, set };
}
