import type { Exchange } from "./ask.queries.ts";

/** More of a conversation than this is left out, the oldest first. */
const MAX_HISTORY_LENGTH = 20_000;

/** What an agent is asked: the message, after what was said before it in the same conversation. */
export function createAskPrompt(message: string, history: readonly Exchange[]): string {
  const kept: string[] = [];
  let length = 0;
  for (const { message: earlier, response } of history.toReversed()) {
    const text = `User: ${earlier}\n\nYou: ${response}`;
    length += text.length;
    if (length > MAX_HISTORY_LENGTH) break;
    kept.unshift(text);
  }
  if (kept.length === 0) return message;
  return `This is what was said before:\n\n${kept.join("\n\n")}\n\nThe user now says:\n\n${message}`;
}
