import { join } from "node:path";
import type { EncryptionKeyStore } from "@workspace/core";
import { readSecretFile, writeSecretFile } from "./secret-files.ts";

const FILE_NAME = "encryption-key";

/** The configured keys, or those stored in a file in the data directory: one per line, the current one first. */
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
      const lines = (await readSecretFile(path)).split("\n").map((line) => line.trim());
      return lines.filter((line) => line !== "");
    },
    replace: (texts) => writeSecretFile(path, texts.join("\n")),
  };
}
