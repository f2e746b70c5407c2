import { describeFormerKey, rotateStoredSecrets } from "../rotate-secrets.ts";
import type { Command } from "./command.ts";
import { count } from "./sizes.ts";

export const rotateSecretsCommand: Command = {
  name: "rotate-secrets",
  parameters: [],
  summary: "encrypt all stored secrets with a new key, while the service is stopped",
  options: {},
  async run({ config, logger, migrationsDir, tell }) {
    const { rotated, keyId } = await rotateStoredSecrets({ config, logger, migrationsDir, onWaiting: tell });
    return {
      text: `Encrypted ${count(rotated, "secret")} again; the current key is ${keyId}${describeFormerKey(config)}`,
      json: { rotated, keyId },
    };
  },
};
