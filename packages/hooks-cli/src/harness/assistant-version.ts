import { readPart } from "./codex.ts";
import type { HarnessId, HookInput } from "./harness.ts";

/**
 * The version of the assistant, as far as it tells: Claude Code in the environment, Codex at the beginning of its transcript, opencode to
 * its plugin. Gemini CLI and Cursor do not.
 */
export function assistantVersion(
  harness: HarnessId,
  { transcriptPath, version }: Pick<HookInput, "transcriptPath" | "version">,
  variables: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const told =
    harness === "claude-code"
      ? variables["AI_AGENT"]
          ?.replace(/^claude-code_/, "")
          .replace(/_.*/, "")
          .replaceAll("-", ".")
      : harness === "codex"
        ? /"cli_version":"([^"]+)"/.exec(readPart(transcriptPath, "start"))?.[1]
        : version;
  return /^[0-9][0-9A-Za-z.+-]{0,39}$/.exec(told ?? "")?.[0];
}
