import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { SigningSecret } from "@workspace/core";
import type { Config } from "./env.ts";
import { readSecretFile, writeSecretFile } from "./secret-files.ts";

const FILE_NAME = "service-secret";

/** The secret that a person has set, or the one kept in a file of the data directory, or else a new one, not saved yet. */
export async function openSigningSecret({
  secret,
  dataDir,
}: Pick<Config, "secret" | "dataDir">): Promise<SigningSecret> {
  const path = join(dataDir, FILE_NAME);
  const stored = secret ?? (await readSecretFile(path));
  if (stored !== "") return { text: stored, save: () => Promise.resolve() };
  const text = randomBytes(32).toString("base64url");
  return { text, save: () => writeSecretFile(path, text) };
}
