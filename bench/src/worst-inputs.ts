/**
 * Searches for the texts that block a thread longest, for every step that processes a text, and prints the worst of each:
 *
 *   npm run bench -- worst-inputs ["links of a note" …]
 *
 * The goal is 50 ms of processor time for the longest permitted text. It ends with code 1 if a step misses it. The growth is the
 * power of the text's length with which the time grows, which says little about times below some milliseconds.
 */
import { findWorst, GOAL_MS } from "./worst-inputs/search.ts";
import { STEPS } from "./worst-inputs/steps.ts";

const NAME_WIDTH = Math.max(...STEPS.map(({ name }) => name.length));
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !STEPS.some((step) => step.name === name));
if (unknown.length > 0) throw new Error(`Unknown steps: ${unknown.join(", ")}.`);

const steps = STEPS.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
const missed: string[] = [];
console.log(
  `${"step".padEnd(NAME_WIDTH)}  characters       ms  goal ${GOAL_MS}  growth  worst input: prefix, repeated part, suffix`,
);
for (const step of steps) {
  const { candidate, characters, ms, isEnded, exponent } = await findWorst(step);
  const { prefix, pump, suffix } = candidate;
  const isMissed = ms > GOAL_MS;
  if (isMissed) missed.push(step.name);
  console.log(
    step.name.padEnd(NAME_WIDTH),
    String(characters).padStart(11),
    `${isEnded ? "> " : ""}${ms.toFixed(1)}`.padStart(8),
    ` ${isMissed ? "MISSED" : "ok"}`.padEnd(8),
    ` n^${exponent.toFixed(1)} `,
    [prefix, pump, suffix].map((part) => JSON.stringify(part)).join(" "),
  );
}
console.log(`goal, at most ${GOAL_MS} ms for each of ${steps.length} steps: ${verdict()}`);
if (missed.length > 0) process.exitCode = 1;

function verdict(): string {
  return missed.length === 0 ? "ok" : `MISSED by ${missed.length}: ${missed.join(", ")}`;
}
