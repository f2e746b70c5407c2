import { readFile } from "node:fs/promises";

/** Where the script names its server; a string literal of Python and of JSON alike. */
const SERVER_URL = '"https://workspace.invalid"';

/** A way to get the skill script with this server's address in it; read from the template once, when it is first wanted. */
export function createSkillLoader(templatePath: string, serverUrl: string): () => Promise<string> {
  let script: Promise<string> | undefined;
  const load = async (): Promise<string> => {
    const template = await readFile(templatePath, "utf8");
    return template.replaceAll(SERVER_URL, () => JSON.stringify(serverUrl));
  };
  return () =>
    (script ??= load().catch((error: unknown) => {
      script = undefined;
      throw error;
    }));
}
