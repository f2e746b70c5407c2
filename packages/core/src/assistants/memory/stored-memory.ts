import type { Queryable } from "@workspace/db";
import { NotFoundError } from "../../platform/errors.ts";
import { toSearchText } from "../../platform/fold-text.ts";
import { isUuid } from "../../platform/ids.ts";
import { contentKey } from "./content-key.ts";
import { selectMemory } from "./memory.queries.ts";
import type { MemoryChunk } from "./memory.schema.ts";

/** The memory with another content, and what is stored beside the content so that it is found. */
export function withContent(memory: MemoryChunk, content: string) {
  const searchText = toSearchText(content, memory.sourceExcerpt);
  return { ...memory, content, contentKey: contentKey(content), searchText };
}

/** Throws NotFoundError. */
export async function requireMemory(db: Queryable, id: string): Promise<MemoryChunk> {
  const memory = isUuid(id) ? await selectMemory(db, id) : null;
  if (memory === null) throw noSuchMemory();
  return memory;
}

export function noSuchMemory(): NotFoundError {
  return new NotFoundError("There is no such memory.");
}
