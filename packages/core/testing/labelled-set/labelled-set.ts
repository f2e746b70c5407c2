import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { chunkType } from "../../src/assistants/memory/memory.schema.ts";

const sessionTurn = z.union([
  z.strictObject({ user: z.string() }),
  z.strictObject({ assistant: z.string() }),
  z.strictObject({ tool: z.string(), input: z.record(z.string(), z.unknown()), output: z.string() }),
]);
export type SessionTurn = z.infer<typeof sessionTurn>;

const labelledMemory = z.strictObject({
  type: chunkType,
  content: z.string(),
  excerpt: z.string(),
  relevance: z.number(),
  gain: z.number().int().min(0).max(3),
  /** Whether an earlier session of the project contains nearly the same. */
  repeats: z.boolean().default(false),
});
export type LabelledMemory = z.infer<typeof labelledMemory>;

const labelledSession = z.strictObject({
  id: z.string(),
  format: z.enum(["claude", "codex", "gemini", "cursor", "opencode"]),
  language: z.string(),
  project: z.string(),
  daysAgo: z.number(),
  /** The minimum length of the transcript in characters. */
  padTo: z.number().optional(),
  turns: z.array(sessionTurn),
  memories: z.array(labelledMemory),
});
export type LabelledSession = z.infer<typeof labelledSession>;

/** Loads all sessions, oldest first. */
export function loadLabelledSet(): LabelledSession[] {
  const folder = join(import.meta.dirname, "sessions");
  return readdirSync(folder)
    .flatMap((name) => z.array(labelledSession).parse(JSON.parse(readFileSync(join(folder, name), "utf8"))))
    .toSorted((one, other) => other.daysAgo - one.daysAgo);
}
