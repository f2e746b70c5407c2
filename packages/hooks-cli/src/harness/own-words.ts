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

/** What a subagent or command in the background returned. */
export interface ReportedResult {
  readonly text: string;
  /** The call that started it. */
  readonly callId: string | undefined;
}

/** Undefined if a text does not report the end of something in the background. */
export function reportedResult(text: string): ReportedResult | undefined {
  if (!text.startsWith(NOTIFICATION) || !text.trimEnd().endsWith(NOTIFICATION_END)) return undefined;
  return {
    text: between(text, "<result>", "</result>") ?? between(text, "<summary>", "</summary>") ?? "",
    // Before the result, which may contain anything.
    callId: /<tool-use-id>([^<]{1,200})<\/tool-use-id>/.exec(text.slice(0, text.indexOf("<result>")))?.[1],
  };
}

function between(text: string, opening: string, closing: string): string | undefined {
  const start = text.indexOf(opening);
  const end = text.lastIndexOf(closing);
  return start === -1 || end < start ? undefined : text.slice(start + opening.length, end);
}
