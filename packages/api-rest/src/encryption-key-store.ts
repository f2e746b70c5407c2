import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { EncryptionKeyStore } from "@workspace/core";
import { readOrCreateSecretFile, replaceSecretFile } from "./secret-files.ts";

const FILE_NAME = "encryption-key";

/** The keys that a person has set, or those kept in a file of the data directory: one on each line, the newest first. */
export function createEncryptionKeyStore(configured: readonly string[] | null, dataDir: string): EncryptionKeyStore {
  if (configured !== null) {
    return {
      canReplace: false,
      load: () => Promise.resolve(configured),
      replace: () => Promise.reject(new Error("Keys from the environment cannot be replaced.")),
    };
  }
  const path = join(dataDir, FILE_NAME);
  return {
    canReplace: true,
    async load() {
      await readOrCreateSecretFile(path);
      const lines = (await readFile(path, "utf8")).split("\n").map((line) => line.trim());
      return lines.filter((line) => line !== "");
    },
    replace: (texts) => replaceSecretFile(path, texts.join("\n")),
  };
}
