import { createHash } from "node:crypto";
import { dateText, toDay } from "./named-days.ts";
import { foldersAbove } from "./project-path.ts";
import { searchWords, type SearchWord } from "./search-words.ts";

/** What a memory's search vector is made of. */
export interface SearchableMemory {
  readonly id: string;
  readonly content: string;
  readonly sourceExcerpt: string | null;
  readonly projectPath: string | null;
  readonly createdAt: Date | string;
}

/** Where in a memory a word stands: in its content, its excerpt, or its date. */
export type SearchField = 0 | 1 | 2;

/** What a text is found by. */
export interface SearchVector {
  readonly words: readonly (SearchWord & { readonly field: SearchField })[];
  /** Lexemes that restrict a search to projects. */
  readonly scopes: readonly string[];
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

export function inField(field: SearchField, words: readonly SearchWord[]): SearchVector["words"] {
  return words.map((word) => ({ ...word, field }));
}

function hash(path: string): string {
  return createHash("sha256").update(path).digest("base64url").slice(0, 22);
}
