import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The file beside the program of which opencode gets a copy. */
export const PLUGIN_FILE = "opencode-plugin.js";

export const PLUGIN_MARK = "// Made by workspace-hooks";

/** The plugin's source, with the command for calling the hooks filled in. */
export function opencodePlugin(programFolder: string, command: readonly string[]): string {
  const source = readFileSync(join(programFolder, PLUGIN_FILE), "utf8");
  return source.replace('["__COMMAND__"]', () => JSON.stringify(command));
}
