import { isChunkType, type ChunkType } from "./memory.ts";

/** A memory being written. */
export interface NewMemoryDraft {
  readonly content: string;
  readonly chunkType: ChunkType;
  readonly projectPath: string;
}

/** Parses a stored draft, with defaults for missing or invalid fields. */
export function parseNewMemoryDraft(value: unknown): NewMemoryDraft {
  const fields = new Map<string, unknown>(typeof value === "object" && value !== null ? Object.entries(value) : []);
  const text = (name: string) => {
    const found = fields.get(name);
    return typeof found === "string" ? found : "";
  };
  const chunkType = fields.get("chunkType");
  return {
    content: text("content"),
    chunkType: isChunkType(chunkType) ? chunkType : "fact",
    projectPath: text("projectPath"),
  };
}
