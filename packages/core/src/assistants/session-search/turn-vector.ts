import { createHash } from "node:crypto";
import { inField, type SearchVector } from "../../platform/search/search-vector.ts";
import { searchWords } from "../../platform/search/search-words.ts";
import { projectScopes } from "../memory/memory-vector.ts";
import type { StoredTurn } from "../transcripts/turn-codec.ts";

/** The rest of a longer turn is not searched. What is given to tools is mostly files. */
const MAX_INDEXED_CHARS = 10_000;
const MAX_INDEXED_INPUT = 2_000;

/** What a turn is found by: its words, its session and its project. */
export function toTurnVector(
  { kind, toolName, text }: StoredTurn,
  { sessionId, projectPath }: { readonly sessionId: string; readonly projectPath: string | null },
): SearchVector {
  const own = kind === "tool_call" ? `${toolName ?? ""} ${inputText(text)}` : text;
  return {
    words: inField(0, searchWords(own.slice(0, kind === "tool_call" ? MAX_INDEXED_INPUT : MAX_INDEXED_CHARS))),
    scopes: [...projectScopes(projectPath), sessionLexeme(sessionId)],
  };
}

/** The lexeme of the turns of a session. No word begins with this character. */
export function sessionLexeme(sessionId: string): string {
  return `>${createHash("sha256").update(sessionId).digest("base64url").slice(0, 22)}`;
}

/** The texts in a tool's input, without the escapes of JSON. */
function inputText(json: string): string {
  const texts: string[] = [];
  try {
    JSON.parse(json, (_key, value: unknown) => {
      if (typeof value === "string") texts.push(value);
      return value;
    });
    return texts.join("\n");
  } catch {
    return json;
  }
}
