import { candidates, toText, type Candidate } from "./candidates.ts";
import { loadStep } from "./steps.ts";

export type Job =
  | {
      readonly kind: "screen";
      readonly openings: readonly string[];
      readonly characters: number;
      readonly keep: number;
    }
  | { readonly kind: "measure"; readonly candidate: Candidate; readonly characters: number };

export type Answer =
  | { readonly kind: "ready" }
  | { readonly kind: "screened"; readonly slowest: readonly Candidate[] }
  | { readonly kind: "measured"; readonly ms: number };

const SAMPLES = 4_000;
/** A slow step is not tried on every candidate. */
const SCREENING_MS = 20_000;
const REPEATS = 3;

const run = await loadStep(process.argv[2] ?? "");

process.on("message", (job: Job) => {
  if (job.kind === "screen") answer({ kind: "screened", slowest: screen(job.openings, job.characters, job.keep) });
  else answer({ kind: "measured", ms: measure(toText(job.candidate, job.characters)) });
});
answer({ kind: "ready" });

function screen(openings: readonly string[], characters: number, keep: number): Candidate[] {
  const all = [...candidates(openings, SAMPLES)].map((candidate) => ({
    candidate,
    text: toText(candidate, characters),
  }));
  const end = performance.now() + SCREENING_MS;
  const timed = all.map((one) => ({ ...one, ms: performance.now() < end ? elapsedMs(one.text) : 0 }));
  // Slowness by chance, such as a garbage collection or uncompiled code, does not occur three times in a row.
  const again = timed
    .toSorted((one, other) => other.ms - one.ms)
    .slice(0, keep * 10)
    .map((one) => ({ ...one, ms: Math.min(...Array.from({ length: REPEATS }, () => elapsedMs(one.text))) }));
  return again
    .toSorted((one, other) => other.ms - one.ms)
    .slice(0, keep)
    .map(({ candidate }) => candidate);
}

function elapsedMs(text: string): number {
  const start = performance.now();
  tryRun(text);
  return performance.now() - start;
}

function measure(text: string): number {
  const before = process.cpuUsage();
  tryRun(text);
  return process.cpuUsage(before).user / 1_000;
}

function tryRun(text: string): void {
  try {
    run(text);
  } catch {
    // Rejecting a text is a valid result; only the time counts.
  }
}

function answer(message: Answer): void {
  process.send?.(message);
}
