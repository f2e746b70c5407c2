import { readFile } from "node:fs/promises";

/** The placeholder for the server's URL in the script: a string literal in both Python and JSON. */
const SERVER_URL = '"https://workspace.invalid"';

/** Creates a function that loads the skill script and fills in this server's URL; the template is read once, on first use. */
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
