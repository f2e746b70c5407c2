import { existsSync, readFileSync } from "node:fs";

const STAT = "/proc/self/stat";
/** Linux counts in these. */
const TICK_MS = 10;

/**
 * Processor time of all processes that this one has waited for, and of those that they have waited for, in milliseconds. It does not
 * depend on what else the machine does. 0 where the system does not say.
 */
export function childrenCpuMs(): number {
  if (!existsSync(STAT)) return 0;
  // The name of the program, in brackets, may contain anything.
  const fields = readFileSync(STAT, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  return (Number(fields[13]) + Number(fields[14])) * TICK_MS;
}
