/** The names of coding assistants by their ids. */
export const ASSISTANT_NAMES = {
  "claude-code": "Claude Code",
  codex: "Codex",
  "gemini-cli": "Gemini CLI",
  cursor: "Cursor",
  opencode: "opencode",
} as const;

/** The name of an assistant; of one that is not known, its id. */
export function assistantName(id: string): string {
  return new Map<string, string>(Object.entries(ASSISTANT_NAMES)).get(id) ?? id;
}
