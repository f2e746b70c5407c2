/** The delimiters of the context that we add to a session, so that it is recognised and never extracted as a memory. */
const CONTEXT_OPENING = "<workspace-memory>";
const CONTEXT_CLOSING = "</workspace-memory>";

/** What assistants and their hooks add to a text; Gemini CLI puts a hook's context into the prompt, in `hook_context`. */
const INJECTED =
  /<(workspace-memory|system-reminder|hook_context|session_context|environment_context)>[\s\S]*?(?:<\/\1>|$)/g;

/** What a context could use to end its own block or to speak for somebody else. */
const CONTROL_TAG = /<(?=\/?(?:workspace-memory|system|user|assistant|human|function|tool|antml|hook|memor))/gi;

/** How many characters the delimiters take. */
export const FRAME_LENGTH = CONTEXT_OPENING.length + CONTEXT_CLOSING.length + 2;

/** Delimits a context, so that the assistant can distinguish it from the user's words, and we from new content. */
export function frameContext(text: string): string {
  return `${CONTEXT_OPENING}\n${text.replaceAll(CONTROL_TAG, "‹")}\n${CONTEXT_CLOSING}`;
}

export function withoutInjectedContext(text: string): string {
  return text.includes("<") ? text.replaceAll(INJECTED, "") : text;
}
