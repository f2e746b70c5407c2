/**
 * Searches for the texts that block a thread longest, for every step that processes a text, and prints the worst of each:
 *
 *   npm run bench -- worst-inputs ["links of a note" …]
 */
import { findWorst } from "./worst-inputs/search.ts";
import { STEPS } from "./worst-inputs/steps.ts";

const wanted = process.argv.slice(2);
console.log(`${"step".padEnd(34)} ${"size".padStart(9)} ${"ms".padStart(9)} growth  worst input`);
for (const step of STEPS.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  const { candidate, characters, ms, isEnded, exponent } = await findWorst(step);
  const { prefix, pump, suffix } = candidate;
  const shown = [prefix, pump, suffix].map((part) => JSON.stringify(part)).join(" ");
  const time = (isEnded ? "> " : "") + ms.toFixed(1);
  console.log(
    step.name.padEnd(34),
    String(characters).padStart(9),
    time.padStart(9),
    `n^${exponent.toFixed(1)} `,
    shown,
  );
}
