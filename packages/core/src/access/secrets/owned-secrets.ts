import type { Deps } from "../../platform/deps.ts";
import { NotFoundError } from "../../platform/errors.ts";
import type { SecretService } from "./secret.service.ts";

export interface OwnedSecretsDeps extends Deps<"ids"> {
  readonly secrets: Pick<SecretService, "create" | "delete" | "useValue">;
  /** What the keys of the secrets begin with. */
  readonly prefix: string;
  /** Who reads them, in the record of accesses. */
  readonly reader: string;
}

/** The secrets that settings refer to. None of them is ever replaced: a new value is a new secret. */
export function createOwnedSecrets({ ids, secrets, prefix, reader }: OwnedSecretsDeps) {
  return {
    /** Stores a value, and returns its key. */
    async store(value: string, description: string, actor: string): Promise<string> {
      const key = prefix + ids().replaceAll("-", "").slice(-12).toUpperCase();
      await secrets.create({ key, value, description }, actor);
      return key;
    },

    /** Undefined if the secret was deleted. */
    async read(key: string): Promise<string | undefined> {
      try {
        return await secrets.useValue(key, reader);
      } catch (error) {
        if (error instanceof NotFoundError) return undefined;
        throw error;
      }
    },

    /** Deletes those that are still there. */
    async remove(keys: readonly string[], actor: string): Promise<void> {
      for (const key of keys)
        await secrets.delete(key, actor).catch((error: unknown) => {
          if (!(error instanceof NotFoundError)) throw error;
        });
    },
  };
}
