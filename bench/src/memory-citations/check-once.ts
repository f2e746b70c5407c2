/**
 * Looks for the citations in a file once, as a hook does, and prints how long that took in this process, which has run none of
 * it before, also as processor time: `tsx check-once.ts <citations.json> <root>`.
 */
import { readFileSync } from "node:fs";
import { findBrokenMemories } from "../../../packages/hooks-cli/src/citations/project-citations.ts";
import { readCitation } from "../../../packages/hooks-cli/src/citations/citation.ts";

const LIMIT_MS = 1_000;

const [, , file = "", root = ""] = process.argv;
const startedAt = performance.now();
const cpuBefore = process.cpuUsage();
const citations = (JSON.parse(readFileSync(file, "utf8")) as never[]).flatMap(readCitation);
const broken = findBrokenMemories(citations, root, LIMIT_MS);
const { user, system } = process.cpuUsage(cpuBefore);
console.log(
  JSON.stringify({ ms: performance.now() - startedAt, cpuMs: (user + system) / 1000, broken: broken.length }),
);
