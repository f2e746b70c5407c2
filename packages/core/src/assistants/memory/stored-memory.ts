import { NotFoundError } from "../../platform/errors.ts";
import { toSearchText } from "../../platform/fold-text.ts";
import { contentKey } from "./content-key.ts";
import type { MemoryChunk } from "./memory.schema.ts";

/** The memory with another content, and what is stored beside the content so that it is found. */
export function withContent(memory: MemoryChunk, content: string) {
  const searchText = toSearchText(content, memory.sourceExcerpt);
  return { ...memory, content, contentKey: contentKey(content), searchText };
}

export function noSuchMemory(): NotFoundError {
  return new NotFoundError("There is no such memory.");
}
