import { transaction } from "@workspace/db";
import { limitFunction } from "p-limit";
import type { Deps } from "../../platform/deps.ts";
import * as z from "zod";
import { ConflictError, NotFoundError } from "../../platform/errors.ts";
import { givesFields } from "../../platform/given-fields.ts";
import { createPager, cursorText, timeAndId, type Page, type Paging } from "../../platform/paging.ts";
import { lockCurrentKey, missingKey } from "./current-key.ts";
import type { EncryptionKeys } from "./encryption-keys.ts";
import { openSecret, SecretBoxError, sealSecret } from "./secret-box.ts";
import type { SecretRedactor } from "./secret-redactor.ts";
import { createSecretGrants } from "./secret-grants.ts";
import { rotateSecrets } from "./secret-rotation.ts";
import {
  deleteSecret,
  insertAccess,
  insertSecret,
  selectAccesses,
  selectEnvelope,
  selectSecrets,
  updateSecret,
} from "./secret.queries.ts";
import type {
  CreateSecret,
  ListSecretAccesses,
  RevealedSecret,
  Secret,
  SecretAccess,
  SecretRotation,
  UpdateSecret,
} from "./secret.schema.ts";

const readPage = createPager("secrets", z.tuple([cursorText]), ({ key }: Secret) => [key]);
const readAccessPage = createPager("secret-accesses", timeAndId, ({ createdAt, id }: SecretAccess) => [createdAt, id]);

export interface SecretServiceDeps extends Deps<"db" | "clock" | "ids" | "events"> {
  readonly keys: EncryptionKeys;
  readonly redactor: SecretRedactor;
}

export type SecretService = ReturnType<typeof createSecretService>;

/** Values that programs need and nobody should see: stored encrypted, with every access recorded. */
export function createSecretService(deps: SecretServiceDeps) {
  const { db, clock, ids, events, keys, redactor } = deps;
  const announce = async (action: "create" | "edit" | "delete", id: string, key: string) => {
    await redactor.refresh();
    events.publish({ resource: "secret", action, resourceId: id, resourceName: key });
  };
  const access = (secretKey: string, actor: string, action: SecretAccess["action"]) => ({
    id: ids(),
    secretKey,
    actor,
    action,
    createdAt: clock.now(),
  });

  async function open(key: string, actor: string, action: "reveal" | "use"): Promise<string> {
    const envelope = await selectEnvelope(db.pool, access(key, actor, action));
    if (envelope === null) throw noSuchSecret();
    try {
      return openSecret(keys.find, key, envelope);
    } catch (error) {
      throw error instanceof SecretBoxError && error.reason === "unknown_key" ? missingKey(error) : error;
    }
  }

  const useValue = (key: string, actor: string): Promise<string> => open(key, actor, "use");

  return {
    grants: createSecretGrants({ ...deps, useValue }),

    /** Without values, by key. */
    async list(paging: Paging = {}): Promise<Page<Secret>> {
      return readPage(paging, (range) => selectSecrets(db.pool, range));
    },

    /** Throws {@link ConflictError} if the key is taken. */
    async create({ key, value, description = null }: CreateSecret, actor: string): Promise<Secret> {
      const secret = await transaction(db.pool, async (client) => {
        const envelope = sealSecret(await lockCurrentKey(client, keys), key, value);
        const stored = await insertSecret(client, { id: ids(), key, envelope, description, createdAt: clock.now() });
        if (stored === null) throw new ConflictError("A secret with this key exists.");
        await insertAccess(client, access(key, actor, "create"));
        return stored;
      });
      await announce("create", secret.id, key);
      return secret;
    },

    /** Records the access before returning the value. Throws {@link NotFoundError}. */
    async reveal(key: string, actor: string): Promise<RevealedSecret> {
      return { key, value: await open(key, actor, "reveal") };
    },

    /** Returns the value for use by a tool; the caller must not disclose it. Throws {@link NotFoundError}. */
    useValue,

    /** Changes only the fields given. Throws {@link NotFoundError}. */
    async update({ key, value, description }: UpdateSecret, actor: string): Promise<Secret> {
      const hasChanged = givesFields({ value, description });
      const secret = await transaction(db.pool, async (client) => {
        const envelope = value === undefined ? undefined : sealSecret(await lockCurrentKey(client, keys), key, value);
        const updatedAt = hasChanged ? clock.now() : null;
        const updated = await updateSecret(client, key, { envelope, description, updatedAt });
        if (updated === null) throw noSuchSecret();
        if (hasChanged) await insertAccess(client, access(key, actor, "update"));
        return updated;
      });
      if (hasChanged) await announce("edit", secret.id, key);
      return secret;
    },

    /** Deletes permanently: the value cannot be restored. Throws {@link NotFoundError}. */
    async delete(key: string, actor: string): Promise<{ deleted: true }> {
      const id = await transaction(db.pool, async (client) => {
        const deletedId = await deleteSecret(client, key);
        if (deletedId === null) throw noSuchSecret();
        await insertAccess(client, access(key, actor, "delete"));
        return deletedId;
      });
      await announce("delete", id, key);
      return { deleted: true };
    },

    /** Who did what with the secret, newest first; available even after it was deleted. */
    async listAccesses({ key, limit, cursor }: ListSecretAccesses): Promise<Page<SecretAccess>> {
      return readAccessPage({ limit, cursor, filter: { key } }, (range) => selectAccesses(db.pool, key, range));
    },

    /** Re-encrypts all secrets with a new key; concurrent calls are queued. See {@link rotateSecrets}. */
    rotate: limitFunction(
      async (actor: string): Promise<SecretRotation> => {
        const rotation = await rotateSecrets(deps, actor);
        events.publish({ resource: "secret", action: "edit", resourceId: "*", resourceName: "All secrets" });
        return rotation;
      },
      { concurrency: 1 },
    ),
  };
}

function noSuchSecret(): NotFoundError {
  return new NotFoundError("There is no such secret.");
}
