import { readFileSync } from "node:fs";
import { join } from "node:path";
import { TOOL_KINDS, toolsOfKind } from "../policy/tool-kinds.ts";

/** The file beside the program of which opencode gets a copy. */
export const PLUGIN_FILE = "opencode-plugin.js";

export const PLUGIN_MARK = "// Made by workspace-hooks";

/**
 * The plugin's source, with the command for calling the hooks filled in. `places` are where it finds passes and rules, and keeps calls.
 * Without them, in a plugin that a team shares, it calls a hook before and after each call.
 */
export function opencodePlugin(programFolder: string, command: readonly string[], places: readonly string[]): string {
  const kinds = TOOL_KINDS.flatMap((kind) =>
    kind === "other" ? [] : toolsOfKind(kind).map((name) => [name, kind] as const),
  );
  const values = { COMMAND: command, PLACES: places, KINDS: Object.fromEntries(kinds) };
  const source = readFileSync(join(programFolder, PLUGIN_FILE), "utf8");
  return Object.entries(values).reduce(
    (text, [name, value]) => text.replace(`["__${name}__"]`, () => JSON.stringify(value)),
    source,
  );
}
