import { storable } from "../redaction/redact.ts";
import type { PersonMessage } from "./steering-api.ts";

/** What an assistant is told, with who says it and when: it stands among what no person wrote. */
export function toldText(messages: readonly PersonMessage[]): string {
  const parts = messages.map(({ text, by, createdAt }) => `[${by}, ${clockTime(createdAt)}]\n${storable(text)}`);
  return [
    "The user of this session has sent you this from the Workspace dashboard while you work. It counts like a prompt of theirs:",
    ...parts,
  ].join("\n\n");
}

function clockTime(instant: string): string {
  return `${instant.slice(11, 16)} UTC`;
}
