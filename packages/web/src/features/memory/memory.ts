import type { Inputs, Outputs } from "../../api/api.ts";

export type Memory = Outputs["memory"]["list"]["data"][number];
export type ChunkType = Memory["chunkType"];
export type Citation = Memory["citations"][number];
export type NewMemory = Inputs["memory"]["store"];
export type MemoryPatch = Pick<
  Inputs["memory"]["update"],
  "content" | "chunkType" | "projectPath" | "relevanceScore" | "nearDuplicateOfId" | "supersededById"
>;

export const CHUNK_TYPES: readonly ChunkType[] = ["decision", "fact", "solution", "pattern", "preference", "summary"];

export const CHUNK_TYPE_LABELS: Readonly<Record<ChunkType, string>> = {
  decision: "Decision",
  fact: "Fact",
  solution: "Solution",
  pattern: "Pattern",
  preference: "Preference",
  summary: "Summary",
};

export function isChunkType(value: unknown): value is ChunkType {
  return CHUNK_TYPES.some((type) => type === value);
}

/** The last folder of a project's path, which serves as the project's name. */
export function projectNameOf(path: string): string {
  return path.split(/[\\/]/).findLast((part) => part !== "") ?? path;
}

/** "0.8" as "80 %" */
export function formatRelevance(score: number): string {
  return `${Math.round(score * 100)} %`;
}

/** The beginning of a memory's text, as its name. */
export function nameOf({ content }: Pick<Memory, "content">): string {
  const line = content.replace(/\s+/g, " ").trim();
  return line.length <= 60 ? line : `${line.slice(0, 59)}…`;
}

/** "src/main.ts:3–5" */
export function placeOf({ path, startLine, endLine }: Citation): string {
  if (startLine === null) return path;
  return endLine === null || endLine === startLine ? `${path}:${startLine}` : `${path}:${startLine}–${endLine}`;
}

/** The search parameters that open a memory on the memory page. */
export function memoryPanel(id: string): Record<string, string> {
  return { memory: id };
}
