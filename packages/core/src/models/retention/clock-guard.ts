import * as z from "zod";
import type { Deps } from "../../platform/deps.ts";
import { putSetting, selectSetting } from "../../platform/setting.queries.ts";
import { readPruning, readSince } from "./pruning-record.ts";

const KEY = "retention.clock";
const DAY_MS = 24 * 60 * 60 * 1000;
/** A clock that is further ahead of the last time the service was seen running is not believed at once. */
const MAX_AHEAD_MS = 40 * DAY_MS;
/** So long the service has to run by such a clock until it is believed. */
const TRIAL_MS = DAY_MS;
/** Between two looks that are further apart, the service was stopped, or the clock has been changed again. */
const MAX_STEP_MS = 30 * 60 * 1000;

const stateSchema = z.object({
  /** When the service was last seen running, by a clock that was believed. */
  seenAt: z.coerce.date(),
  /** How long it has run by a clock that is not believed, and when that was last added to; null by one that is. */
  trial: z.object({ lookedAt: z.coerce.date(), ranMs: z.number() }).nullable(),
});
type ClockState = z.infer<typeof stateSchema>;

/** The clock is so far ahead of the last time the service was seen running that nothing is removed for its age. */
export interface ClockJump {
  readonly seenAt: Date;
  readonly now: Date;
}

type GuardDeps = Deps<"db" | "clock">;

/** What to know about a jump, and what mends it, as sentences for the operator. */
export function describeClockJump({ seenAt, now }: ClockJump): { readonly message: string; readonly remedy: string } {
  const message =
    `It is ${now.toISOString()} by the clock, but the service was last seen running at ${seenAt.toISOString()}, ` +
    "so nothing is removed because of its age.";
  const remedy =
    "If the clock is wrong, set it. If it is right, run: npx workspace prune --accept-clock, or let the service run for a day.";
  return { message, remedy };
}

/** The jump of the clock since the service was last seen running; null if there is none. Changes nothing. */
export async function findClockJump(deps: GuardDeps): Promise<ClockJump | null> {
  const now = deps.clock.now();
  const state = await readState(deps);
  return state === null ? null : jumpOf(state, now);
}

/** Records that the service is running. Returns the jump of the clock; null if there is none, or it has been believed by now. */
export async function noteClock(deps: GuardDeps): Promise<ClockJump | null> {
  const now = deps.clock.now();
  const state = await readState(deps);
  const jump = state === null ? null : jumpOf(state, now);
  const trial = state?.trial ?? { lookedAt: now, ranMs: 0 };
  const stepMs = now.getTime() - trial.lookedAt.getTime();
  const ranMs = trial.ranMs + (stepMs > 0 && stepMs <= MAX_STEP_MS ? stepMs : 0);
  if (jump === null || ranMs >= TRIAL_MS) {
    await acceptClock(deps);
    return null;
  }
  await writeState(deps, { seenAt: jump.seenAt, trial: { lookedAt: now, ranMs } });
  return jump;
}

/** Believes the clock. */
export async function acceptClock(deps: GuardDeps): Promise<void> {
  await writeState(deps, { seenAt: deps.clock.now(), trial: null });
}

function jumpOf({ seenAt }: ClockState, now: Date): ClockJump | null {
  return now.getTime() - seenAt.getTime() > MAX_AHEAD_MS ? { seenAt, now } : null;
}

/** Null in a workspace that has never run. One that has run before this was recorded has looked for what is old. */
async function readState(deps: GuardDeps): Promise<ClockState | null> {
  const state = stateSchema.safeParse(await selectSetting(deps.db.pool, KEY)).data;
  if (state !== undefined) return state;
  const [since, last] = await Promise.all([readSince(deps), readPruning(deps)]);
  const seenAt = last === null ? since : new Date(last.startedAt);
  return seenAt && { seenAt, trial: null };
}

async function writeState({ db, clock }: GuardDeps, value: ClockState): Promise<void> {
  await putSetting(db.pool, { key: KEY, value, now: clock.now() });
}
