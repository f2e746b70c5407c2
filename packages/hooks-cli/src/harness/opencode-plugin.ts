import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The file beside the program that opencode is given a copy of. */
export const PLUGIN_FILE = "opencode-plugin.js";

export const PLUGIN_MARK = "// Made by workspace-hooks";

/** The plugin's source, with the command in it by which it reaches the hooks. */
export function opencodePlugin(program: string, command: readonly string[]): string {
  const source = readFileSync(join(dirname(program), PLUGIN_FILE), "utf8");
  return source.replace('["__COMMAND__"]', () => JSON.stringify(command));
}
