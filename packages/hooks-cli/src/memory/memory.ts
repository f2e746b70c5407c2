import { type JsonValue, isRecord, stringAt } from "../json/json-value.ts";

/** What is given of a memory. */
export interface Memory {
  readonly id: string;
  /** Its type: decision, fact and so on. */
  readonly chunkType: string;
  readonly content: string;
  readonly createdAt: string;
}

/** A memory in a response of the server; none if it is incomplete. */
export function readMemory(value: JsonValue): readonly Memory[] {
  if (!isRecord(value)) return [];
  const [id, content] = [stringAt(value, "id"), stringAt(value, "content")];
  const [chunkType = "fact", createdAt = ""] = [stringAt(value, "chunkType"), stringAt(value, "createdAt")];
  return id === undefined || content === undefined ? [] : [{ id, chunkType, content, createdAt }];
}
