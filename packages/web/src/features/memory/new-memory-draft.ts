import { isChunkType, type ChunkType } from "./memory.ts";

/** A memory that is being written. */
export interface NewMemoryDraft {
  readonly content: string;
  readonly chunkType: ChunkType;
  readonly projectPath: string;
}

/** Whatever was kept as a draft, with what is missing or means nothing filled in. */
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
