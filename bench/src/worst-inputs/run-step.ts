import { setImmediate as nextTurn } from "node:timers/promises";
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
  | { readonly kind: "measured"; readonly ms: number; readonly isUnfinished: boolean };

const SAMPLES = 4_000;
/** A slow step is not tried on every candidate. */
const SCREENING_MS = 20_000;
/** A step that gives way is not observed for longer. */
const OBSERVED_MS = 2_000;

const run = await loadStep(process.argv[2] ?? "");

process.on("message", (job: Job) => {
  void (async () => {
    if (job.kind === "measure")
      return answer({ kind: "measured", ...(await measure(toText(job.candidate, job.characters))) });
    answer({ kind: "screened", slowest: await screen(job.openings, job.characters, job.keep) });
  })();
});
answer({ kind: "ready" });

async function screen(openings: readonly string[], characters: number, keep: number): Promise<Candidate[]> {
  const end = performance.now() + SCREENING_MS;
  const timed = [];
  for (const candidate of candidates(openings, SAMPLES)) {
    if (performance.now() > end) break;
    const text = toText(candidate, characters);
    timed.push({ candidate, text, ms: await elapsedMs(text) });
  }
  // Slowness by chance, such as a garbage collection or uncompiled code, does not occur three times in a row.
  const again = [];
  for (const { candidate, text } of slowest(timed, keep * 10)) {
    const times = [await elapsedMs(text), await elapsedMs(text), await elapsedMs(text)];
    again.push({ candidate, ms: Math.min(...times) });
  }
  return slowest(again, keep).map(({ candidate }) => candidate);
}

function slowest<Timed extends { readonly ms: number }>(timed: readonly Timed[], count: number): Timed[] {
  return timed.toSorted((one, other) => other.ms - one.ms).slice(0, count);
}

async function elapsedMs(text: string): Promise<number> {
  const start = performance.now();
  await tryRun(text);
  return performance.now() - start;
}

/** The processor time of the longest turn of the event loop, since a step that gives way does not block during the others. */
async function measure(text: string): Promise<{ ms: number; isUnfinished: boolean }> {
  const end = performance.now() + OBSERVED_MS;
  let [longest, isUnfinished, before] = [0, true, process.cpuUsage()];
  const endTurn = () => {
    longest = Math.max(longest, process.cpuUsage(before).user / 1_000);
    before = process.cpuUsage();
  };
  const finished = tryRun(text).then(() => (isUnfinished = false));
  while (isUnfinished && performance.now() < end) {
    await Promise.race([finished, nextTurn()]);
    endTurn();
  }
  return { ms: longest, isUnfinished };
}

async function tryRun(text: string): Promise<void> {
  try {
    const result = run(text);
    if (result instanceof Promise) await result;
  } catch {
    // Rejecting a text is a valid result; only the time counts.
  }
}

function answer(message: Answer): void {
  process.send?.(message);
}
