import { hashKey } from "@tanstack/react-query";
import type { KeptTexts } from "../../../local-copy/local-copy.ts";

/** The beginning of the keys of the answers that are documents with their texts, as they were opened. */
const OPENED = hashKey(["documents", "one"]).slice(0, -1);

/** The keys of the answers that are kept because documents were opened. */
export function openedKeys(texts: KeptTexts): Promise<string[]> {
  return texts.answerKeys(OPENED);
}

/** The id of the document in such a key. */
export function openedIdOf(key: string): string {
  return key.slice(`${OPENED},"`.length, -`"]`.length);
}
