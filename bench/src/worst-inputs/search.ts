import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { Candidate } from "./candidates.ts";
import type { Answer, Job } from "./run-step.ts";
import type { StepLimits } from "./step.ts";

/** Long enough for quadratic time to show, short enough to try thousands of texts per second. */
const SCREENING_CHARACTERS = 2_000;
/** How many of the slowest candidates are grown to the largest permitted size. */
const FINALISTS = 12;
/** A step that takes longer is terminated, and counts as this long. */
const DEADLINE_MS = 5_000;
/** The longest that a step may block a thread that others share, in processor time. */
export const GOAL_MS = 50;
/** What takes longer is measured again, and its least time counts, since it includes collecting the garbage of others. */
const REPEATS = 3;
const SCREENING_DEADLINE_MS = 120_000;

export interface Finding {
  readonly candidate: Candidate;
  readonly characters: number;
  readonly ms: number;
  /** Whether the step had to be terminated. */
  readonly isEnded: boolean;
  /** The exponent of the growth in time: 1 for linear, 2 for quadratic. */
  readonly exponent: number;
}

/** The slowest input that the search finds for a step. Times are CPU times, which other processes do not affect. */
export async function findWorst({ name, maxCharacters, openings = [""] }: StepLimits): Promise<Finding> {
  const runner = createRunner(name);
  try {
    const characters = Math.min(SCREENING_CHARACTERS, maxCharacters);
    const screening = await runner.ask(
      { kind: "screen", openings, characters, keep: FINALISTS },
      SCREENING_DEADLINE_MS,
    );
    if (screening?.kind !== "screened") return endedAt({ prefix: "", pump: "", suffix: "" }, characters);
    let worst: Finding | undefined;
    for (const candidate of screening.slowest) {
      const finding = await grow(runner, candidate, maxCharacters);
      if (worst === undefined || finding.ms > worst.ms) worst = finding;
      if (worst.isEnded) break;
    }
    if (worst === undefined) throw new Error(`${name}: no candidates were tried`);
    return worst;
  } finally {
    runner.close();
  }
}

interface Measured {
  readonly characters: number;
  readonly ms: number;
}

type Runner = ReturnType<typeof createRunner>;

/** Quadruples the size each time, so that an input that would take forever is abandoned early. */
async function grow(runner: Runner, candidate: Candidate, maxCharacters: number): Promise<Finding> {
  let previous: Measured | undefined;
  for (let size = SCREENING_CHARACTERS; ; size *= 4) {
    const characters = Math.min(size, maxCharacters);
    const ms = await leastMs(runner, candidate, characters);
    if (ms === null) return endedAt(candidate, characters, previous);
    const exponent = exponentOf(previous, { characters, ms });
    if (characters === maxCharacters) return { candidate, characters, ms, isEnded: false, exponent };
    previous = { characters, ms };
  }
}

/** Resolves to null if the step was terminated. */
async function leastMs(runner: Runner, candidate: Candidate, characters: number): Promise<number | null> {
  let least = Infinity;
  for (let repeat = 0; repeat < REPEATS && least > GOAL_MS; repeat += 1) {
    const answer = await runner.ask({ kind: "measure", candidate, characters }, DEADLINE_MS);
    if (answer?.kind !== "measured") return null;
    least = Math.min(least, answer.ms);
  }
  return least;
}

function endedAt(candidate: Candidate, characters: number, previous?: Measured): Finding {
  const exponent = exponentOf(previous, { characters, ms: DEADLINE_MS });
  return { candidate, characters, ms: DEADLINE_MS, isEnded: true, exponent };
}

function exponentOf(previous: Measured | undefined, { characters, ms }: Measured): number {
  if (previous === undefined || characters === previous.characters) return 1;
  return Math.log(ms / Math.max(previous.ms, 0.01)) / Math.log(characters / previous.characters);
}

/** Runs a step in a process of its own, which can be terminated. */
function createRunner(step: string) {
  let child: ChildProcess | undefined;

  async function start(): Promise<ChildProcess> {
    const started = fork(new URL("run-step.ts", import.meta.url), [step]);
    const ended = once(started, "exit").then(() => Promise.reject(new Error(`${step}: its process ended`)));
    await Promise.race([once(started, "message"), ended]);
    return started;
  }

  function stop(): void {
    child?.kill("SIGKILL");
    child = undefined;
  }

  return {
    /** Resolves to null if there was no reply in time. */
    async ask(job: Job, deadlineMs: number): Promise<Answer | null> {
      child ??= await start();
      const deadline = AbortSignal.timeout(deadlineMs);
      try {
        child.send(job);
        const [answer]: Answer[] = await once(child, "message", { signal: deadline });
        if (answer?.kind === "measured" && answer.isUnfinished) stop();
        return answer ?? null;
      } catch (error) {
        if (!deadline.aborted) throw error;
        stop();
        return null;
      }
    },
    close: stop,
  };
}
