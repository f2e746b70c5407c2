import { createHash } from "node:crypto";
import { dateText, toDay } from "../../platform/search/named-days.ts";
import { inField, type SearchVector } from "../../platform/search/search-vector.ts";
import { searchWords } from "../../platform/search/search-words.ts";
import { foldersAbove } from "./project-path.ts";

/** What a memory's search vector is made of. */
export interface SearchableMemory {
  readonly id: string;
  readonly content: string;
  readonly sourceExcerpt: string | null;
  readonly projectPath: string | null;
  readonly createdAt: Date | string;
}

/** What a memory is found by. */
export interface MemorySearchVector extends SearchVector {
  readonly memoryId: string;
}

/** A memory is found by its words, those of its excerpt, the day it was created, and its project. */
export function toSearchVector(memory: SearchableMemory): MemorySearchVector {
  const { id, content, sourceExcerpt, projectPath, createdAt } = memory;
  const words = [
    ...inField(0, searchWords(content)),
    ...inField(1, searchWords(sourceExcerpt ?? "")),
    // Without the mere number of the day, which may mean anything.
    ...inField(
      2,
      searchWords(dateText(new Date(createdAt))).filter(({ text }) => toDay(text) === undefined),
    ),
  ];
  return { memoryId: id, words, scopes: projectScopes(projectPath) };
}

/** The lexemes of what belongs to a project. */
export function projectScopes(projectPath: string | null): string[] {
  const within = projectPath === null ? [] : foldersAbove(projectPath).map(withinLexeme);
  return [projectLexeme(projectPath), ...within];
}

/** The lexeme of the memories of exactly this project, or of none. No word begins with these characters. */
export function projectLexeme(projectPath: string | null): string {
  return projectPath === null ? "=" : `=${hash(projectPath)}`;
}

/** The lexeme of the memories of all folders within a folder. */
export function withinLexeme(folder: string): string {
  return `<${hash(folder)}`;
}

function hash(path: string): string {
  return createHash("sha256").update(path).digest("base64url").slice(0, 22);
}
