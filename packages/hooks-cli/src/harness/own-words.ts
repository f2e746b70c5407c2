/** What Gemini CLI puts before a prompt: the context of hooks, in which every `<` is escaped. */
const HOOK_CONTEXT = /^(?:<hook_context>[^<]*<\/hook_context>\s*)+/;

const NOTIFICATION = "<task-notification>";
const NOTIFICATION_END = "</task-notification>";

/**
 * What a person wrote of a prompt. Claude Code reports the end of a subagent or command in the background as one, whose result
 * may contain anything, so that the notification extends to its last mark. Empty if no person wrote it.
 */
export function ownWords(prompt: string): string {
  const end = prompt.startsWith(NOTIFICATION) ? prompt.lastIndexOf(NOTIFICATION_END) : -1;
  if (end !== -1) return prompt.slice(end + NOTIFICATION_END.length).trim();
  return prompt.replace(HOOK_CONTEXT, "");
}

/** What a subagent or command in the background returned, if a text reports its end. */
export function reportedResult(text: string): string | undefined {
  if (!text.startsWith(NOTIFICATION) || !text.trimEnd().endsWith(NOTIFICATION_END)) return undefined;
  return between(text, "<result>", "</result>") ?? between(text, "<summary>", "</summary>") ?? "";
}

function between(text: string, opening: string, closing: string): string | undefined {
  const start = text.indexOf(opening);
  const end = text.lastIndexOf(closing);
  return start === -1 || end < start ? undefined : text.slice(start + opening.length, end);
}
