import { storable } from "../redaction/redact.ts";
import type { PersonMessage } from "./steering-api.ts";

/** What an assistant is told, with who says it and when: it stands among what no person wrote. */
export function toldText(messages: readonly PersonMessage[]): string {
  const parts = messages.map(
    ({ text, by, createdAt }) => `[${inOneLine(by)}, ${clockTime(createdAt)}]\n${storable(text)}`,
  );
  return [
    "The user of this session has sent you this from the Workspace dashboard while you work. It counts like a prompt of theirs:",
    ...parts,
  ].join("\n\n");
}

/** A name without what breaks lines, hides or reorders characters, so that nothing in it looks like the beginning of a message. */
function inOneLine(name: string): string {
  return storable(name).replaceAll(/[\p{C}\p{Z}[\]]+/gu, " ");
}

function clockTime(instant: string): string {
  return `${instant.slice(11, 16)} UTC`;
}
