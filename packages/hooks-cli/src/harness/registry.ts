import { claudeCode } from "./claude-code.ts";
import { codex } from "./codex.ts";
import { cursor } from "./cursor.ts";
import { geminiCli } from "./gemini-cli.ts";
import type { Harness, HarnessId } from "./harness.ts";
import { opencode } from "./opencode.ts";

export const HARNESSES: Readonly<Record<HarnessId, Harness>> = {
  "claude-code": claudeCode,
  codex,
  "gemini-cli": geminiCli,
  cursor,
  opencode,
};

/** Finds an assistant by its id or by its common short name. */
export function findHarness(name: string): Harness | undefined {
  const id = { claude: "claude-code", gemini: "gemini-cli" }[name] ?? name;
  return Object.values(HARNESSES).find((harness) => harness.id === id);
}
