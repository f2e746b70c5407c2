import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { SigningSecret } from "@workspace/core";
import type { Config } from "./env.ts";
import { readSecretFile, writeSecretFile } from "./secret-files.ts";

const FILE_NAME = "service-secret";
/** 32 bytes, as written here. A person may have put another secret into the file. */
const GENERATED = /^[\w-]{43}$/;

/** The secret that a person has set, or the one kept in a file of the data directory, or else a new one, not saved yet. */
export async function openSigningSecret({
  secret,
  dataDir,
}: Pick<Config, "secret" | "dataDir">): Promise<SigningSecret> {
  const path = join(dataDir, FILE_NAME);
  if (secret !== null) return { text: secret, isRandom: false, save: () => Promise.resolve() };
  const stored = await readSecretFile(path);
  if (stored !== "") return { text: stored, isRandom: GENERATED.test(stored), save: () => Promise.resolve() };
  const text = randomBytes(32).toString("base64url");
  return { text, isRandom: true, save: () => writeSecretFile(path, text) };
}
