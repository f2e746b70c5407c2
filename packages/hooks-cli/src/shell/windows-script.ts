import { UNKNOWN } from "./unknown.ts";

/** A script of PowerShell or `cmd`, as far as it can be written as one of a POSIX shell. */
export function readableScript(text: string): string {
  return text
    .replaceAll("\\", "/")
    .replaceAll(/`(\r?\n)|`/g, (_, lineEnd: string | undefined) => (lineEnd === undefined ? "" : `\\${lineEnd}`))
    .replaceAll(/%\w+%/g, UNKNOWN)
    .replaceAll(
      /\[(?:System\.)?IO\.(?:File|Directory)\]::Delete\(([^,)\n]*)(?:,[^)\n]*)?\)/gi,
      "Remove-Item -Recurse $1",
    )
    .replaceAll(/(?<=^|[\s(&|;])(?<!\b(?:else)?if\s|\bwhile\s|\bfor(?:each)?\s|\bswitch\s)\((?!\))/gi, "$(");
}
