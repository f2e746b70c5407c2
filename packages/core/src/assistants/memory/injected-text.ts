import { inSlices, inTurns } from "../../platform/in-slices.ts";
import { PIECE_CHARACTERS } from "../../platform/text-pieces.ts";
import type { Turn } from "../transcripts/transcript-turns.ts";
import { removeContextBlocks } from "./memory-context.ts";

/** What assistants and their hooks put into a session beside what was said. An element that is never closed goes to the end. */
const INJECTED_ELEMENTS = [
  "workspace-memory",
  "hook_context",
  "system-reminder",
  "session_context",
  "task-notification",
  "environment_context",
  "environment_details",
  "user_instructions",
  "user-memory-input",
  "session-start-hook",
  "user-prompt-submit-hook",
  "local-command-stdout",
  "local-command-caveat",
  "command-name",
  "command-message",
  "command-args",
];
/** Its attributes are bounded, so that text made to look like many openings is not read again and again. */
const OPENING = new RegExp(String.raw`<(${INJECTED_ELEMENTS.join("|")})\b[^<>]{0,200}>`, "gi");
const CLOSINGS = new Map(INJECTED_ELEMENTS.map((name) => [name, new RegExp(`</${name}>`, "gi")]));
/** No tag is longer. */
const MAX_TAG_CHARACTERS = 250;

/**
 * The turns without what was not said or done in this session: reminders of the assistant's harness, and memories, whether
 * they were injected or looked up. Otherwise memories would be taken from memories, session after session. Pauses for other work.
 */
export async function removeInjectedText(turns: readonly Turn[]): Promise<Turn[]> {
  const said: Turn[] = [];
  for await (const turn of inTurns(turns)) {
    if (turn.kind === "tool_result" && isMemoryLookUp(turn.text)) continue;
    const own = await removeContextBlocks(await removeElements(turn.text));
    // The first line of a result aligns with the second.
    const text = turn.kind === "tool_result" ? own.trimEnd() : own.trim();
    if (text !== "" || turn.toolName !== undefined) said.push({ ...turn, text });
  }
  return said;
}

async function removeElements(text: string): Promise<string> {
  if (!text.includes("<")) return text;
  const kept: string[] = [];
  await inSlices(outsideElements(text), (piece) => kept.push(piece));
  return kept.join("");
}

/** What is outside the injected elements of a text, of each of its pieces in turn. */
function* outsideElements(text: string, length = PIECE_CHARACTERS): Generator<string> {
  let at = 0;
  let closing: RegExp | undefined;
  for (let start = 0; start < text.length; start += length) {
    const piece = text.slice(start, start + length + MAX_TAG_CHARACTERS);
    const kept: string[] = [];
    while (at < length) {
      const tag = closing ?? OPENING;
      tag.lastIndex = at;
      const found = tag.exec(piece);
      const end = Math.min(found?.index ?? length, length);
      if (closing === undefined) kept.push(piece.slice(at, end));
      if (found === null || end === length) at = length;
      else {
        at = tag.lastIndex;
        closing = closing === undefined ? CLOSINGS.get(found[1]?.toLowerCase() ?? "") : undefined;
      }
    }
    at -= length;
    yield kept.join("");
  }
}

/** The answer of our own search, as tools print it. */
function isMemoryLookUp(text: string): boolean {
  return text.includes('"chunkType"') && text.includes('"sourceExcerpt"');
}
