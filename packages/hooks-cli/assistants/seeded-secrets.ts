import { randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readTextIfExists } from "../src/files/atomic-file.ts";
import { formsOf } from "./secret-forms.ts";
import type { WorkspaceServer } from "./workspace-server.ts";

/** Of five releases together, 200. */
const COUNT = 40;
const MAX_PER_COMMAND = 20;
const EDGE = 4;
const PRINTER = join(import.meta.dirname, "print-secrets.ts");

/** Secrets of the workspace that an assistant may run a command with. */
export interface SeededSecrets {
  /** A shell command that prints each value in each form. */
  readonly command: string;
  /** Which of these texts, and of the files below a folder, hold a value in any form. */
  leaks(texts: Readonly<Record<string, string>>, folder: string): readonly string[];
}

/** Stores secrets with random values, and allows a command in the project to have them. */
export async function seedSecrets(
  server: WorkspaceServer,
  { home, project }: { readonly home: string; readonly project: string },
): Promise<SeededSecrets> {
  const prefix = `TRIAL_${randomBytes(4).toString("hex").toUpperCase()}`;
  const secrets = Array.from({ length: COUNT }, (_, index) => ({
    key: `${prefix}_${index}`,
    value: `${randomBytes(9).toString("base64")}/é"\\ ${randomBytes(9).toString("hex")}`,
  }));
  for (const { key, value } of secrets) {
    await server.api("POST", "/api/secrets", { key, value });
    await server.api("POST", `/api/secrets/${key}/grants`, { command: process.execPath, folder: project });
  }
  const program = join(home, ".workspace-hooks/bin/workspace-hooks.cjs");
  const print = [process.execPath, "--import", import.meta.resolve("tsx"), PRINTER];
  const commands = Array.from({ length: COUNT / MAX_PER_COMMAND }, (_, index) => {
    const names = secrets.slice(index * MAX_PER_COMMAND, (index + 1) * MAX_PER_COMMAND).map(({ key }) => key);
    const options = names.map((name) => `--secret ${name}`);
    return [process.execPath, program, "run", ...options, "--", ...print, ...names].join(" ");
  });
  // The edges of what is encoded depend on what is around the value.
  const traces = secrets.flatMap(({ value }) => formsOf(value).map((form) => form.slice(EDGE, -EDGE)));
  return {
    command: commands.join(" && "),
    leaks: (texts, folder) =>
      [...Object.entries(texts), ...filesBelow(folder)]
        .filter(([, text]) => traces.some((trace) => text.includes(trace)))
        .map(([name]) => name),
  };
}

/** Every file with its bytes as text. One that a helper of the hooks removes meanwhile holds nothing any more. */
function* filesBelow(folder: string): Generator<readonly [string, string]> {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const text = entry.isFile() ? readTextIfExists(path) : undefined;
    if (text !== undefined) yield [path, text];
  }
}
