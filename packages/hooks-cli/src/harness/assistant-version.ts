import * as fs from "node:fs";
import type { HarnessId, HookInput } from "./harness.ts";

/** More than the part of the first line before the instructions that it holds. */
const HEAD_BYTES = 4_096;
const VERSION = /^[0-9A-Za-z.+-]{1,40}$/;

/**
 * The version of the assistant, as far as it tells: Claude Code in the environment, Codex at the beginning of its transcript, opencode to
 * its plugin. Gemini CLI and Cursor do not.
 */
export function assistantVersion(
  harness: HarnessId,
  { transcriptPath, version }: Pick<HookInput, "transcriptPath" | "version">,
  variables: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const found = {
    "claude-code": () =>
      /^claude-code_([0-9]+(?:-[0-9]+)+)(?:_|$)/.exec(variables["AI_AGENT"] ?? "")?.[1]?.replaceAll("-", "."),
    codex: () => /"cli_version":"([^"]+)"/.exec(headOf(transcriptPath))?.[1],
    opencode: () => version,
    "gemini-cli": () => undefined,
    cursor: () => undefined,
  }[harness]();
  return found !== undefined && VERSION.test(found) ? found : undefined;
}

function headOf(path: string | undefined): string {
  if (path === undefined) return "";
  try {
    const descriptor = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
    try {
      const bytes = Buffer.alloc(HEAD_BYTES);
      return bytes.toString("utf8", 0, fs.readSync(descriptor, bytes, 0, HEAD_BYTES, 0));
    } finally {
      fs.closeSync(descriptor);
    }
  } catch {
    // It is not there yet.
    return "";
  }
}
