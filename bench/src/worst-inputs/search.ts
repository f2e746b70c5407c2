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
    if (screening?.kind !== "screened") throw new Error(`${name}: a short text already takes too long`);
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

type Runner = ReturnType<typeof createRunner>;

/** Quadruples the size each time, so that an input that would take forever is abandoned early. */
async function grow(runner: Runner, candidate: Candidate, maxCharacters: number): Promise<Finding> {
  let previous: { characters: number; ms: number } | undefined;
  let exponent = 1;
  for (let size = SCREENING_CHARACTERS; ; size *= 4) {
    const characters = Math.min(size, maxCharacters);
    const answer = await runner.ask({ kind: "measure", candidate, characters }, DEADLINE_MS);
    const ms = answer?.kind === "measured" ? answer.ms : DEADLINE_MS;
    if (previous !== undefined && characters > previous.characters) {
      exponent = Math.log(ms / Math.max(previous.ms, 0.01)) / Math.log(characters / previous.characters);
    }
    if (answer === null || characters === maxCharacters) {
      return { candidate, characters, ms, isEnded: answer === null, exponent };
    }
    previous = { characters, ms };
  }
}

/** Runs a step in a process of its own, which can be terminated. */
function createRunner(step: string) {
  let child: ChildProcess | undefined;

  async function start(): Promise<ChildProcess> {
    const started = fork(new URL("run-step.ts", import.meta.url), [step]);
    await once(started, "message");
    return started;
  }

  return {
    /** Resolves to null if there was no reply in time. */
    async ask(job: Job, deadlineMs: number): Promise<Answer | null> {
      child ??= await start();
      const deadline = AbortSignal.timeout(deadlineMs);
      try {
        child.send(job);
        const [answer]: Answer[] = await once(child, "message", { signal: deadline });
        return answer ?? null;
      } catch (error) {
        if (!deadline.aborted) throw error;
        child.kill("SIGKILL");
        child = undefined;
        return null;
      }
    },
    close(): void {
      child?.kill();
    },
  };
}
