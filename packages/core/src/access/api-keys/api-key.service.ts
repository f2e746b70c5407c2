import type { Pool, PoolClient } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import { InvalidInputError, NotFoundError } from "../../platform/errors.ts";
import { isUuid } from "../../platform/ids.ts";
import { createPager, timeAndId, type Page, type Paging } from "../../platform/paging.ts";
import {
  deleteApiKey,
  insertApiKey,
  selectApiKeyByHash,
  selectApiKeys,
  updateApiKeyUses,
  type ApiKeyRecord,
  type NewApiKey,
} from "./api-key.queries.ts";
import type { ApiKey, CreateApiKey, CreatedApiKey, RevokedApiKey } from "./api-key.schema.ts";
import { bearerKeyHint, generateBearerKey, hashBearerKey } from "./bearer-key.ts";
import { createUseRecorder } from "./use-recorder.ts";

const readPage = createPager("api-keys", timeAndId, ({ createdAt, id }: ApiKey) => [createdAt, id]);

export interface ApiKeyServiceDeps extends Deps<"db" | "clock" | "ids" | "events" | "logger"> {
  /** Checks a folder of the vault and returns it in the form in which it is stored; null for the whole vault. */
  readonly parseFolder: (folder: string) => string | null;
}

/** What a key gives access to, and until when. */
export type KeyAccess = Pick<NewApiKey, "scopes" | "folder" | "expiresAt">;

export type ApiKeyService = ReturnType<typeof createApiKeyService>;

/** Creates, lists and revokes the keys by which other programs authenticate. */
export function createApiKeyService({ db, clock, ids, events, logger, parseFolder }: ApiKeyServiceDeps) {
  const uses = createUseRecorder({ write: (used) => updateApiKeyUses(db.pool, used), clock, logger });

  /**
   * Checks what a key is to give access to. Throws {@link InvalidInputError} if it has already expired, or has a folder that would
   * limit nothing.
   */
  function checkAccess({ scopes, folder, expiresAt }: Omit<CreateApiKey, "name">): KeyAccess {
    const expiry = typeof expiresAt === "string" ? new Date(expiresAt) : null;
    if (expiry !== null && expiry <= clock.now()) throw InvalidInputError.at("expiresAt", "must be in the future");
    if (typeof folder === "string" && !scopes.some((scope) => scope.startsWith("knowledge:")))
      throw InvalidInputError.at("folder", "is only for keys with knowledge:read or knowledge:write");
    // An agent acts for its creator, with all documents.
    if (typeof folder === "string" && scopes.includes("agents:ask"))
      throw InvalidInputError.at("folder", "cannot limit a key with agents:ask, since agents read all documents");
    return {
      scopes: [...new Set(scopes)],
      folder: typeof folder === "string" ? parseFolder(folder) : null,
      expiresAt: expiry,
    };
  }

  /** Stores a new key, which is announced once that is committed. */
  async function issue(
    target: Pool | PoolClient,
    {
      name,
      scopes,
      folder,
      expiresAt,
      creatorId,
      clientId,
    }: KeyAccess & Pick<NewApiKey, "name" | "creatorId" | "clientId">,
  ): Promise<CreatedApiKey> {
    const key = generateBearerKey();
    const created = { id: ids(), name, scopes: [...scopes], folder, hint: bearerKeyHint(key) };
    const createdAt = clock.now();
    await insertApiKey(target, {
      ...created,
      keyHash: hashBearerKey(key),
      creatorId,
      clientId,
      expiresAt,
      createdAt,
    });
    return { ...created, key, expiresAt: expiresAt?.toISOString() ?? null, createdAt: createdAt.toISOString() };
  }

  function announce({ id, name }: Pick<CreatedApiKey, "id" | "name">): void {
    events.publish({ resource: "api_key", action: "create", resourceId: id, resourceName: name });
  }

  return {
    checkAccess,
    issue,
    announce,

    /** Newest first. */
    async list(paging: Paging = {}): Promise<Page<ApiKey>> {
      return readPage(paging, (range) => selectApiKeys(db.pool, range));
    },

    /** Creates a key; this is the only time it is returned. Throws like `checkAccess`. */
    async create({ name, ...access }: CreateApiKey, creatorId: string): Promise<CreatedApiKey> {
      const created = await issue(db.pool, { name, ...checkAccess(access), creatorId, clientId: null });
      announce(created);
      return created;
    },

    /** Revokes a key with immediate effect in every process. Throws {@link NotFoundError}. */
    async revoke(id: string): Promise<RevokedApiKey> {
      const key = isUuid(id) ? await deleteApiKey(db.pool, id) : null;
      if (key === null) throw new NotFoundError("There is no such API key.");
      events.publish({ resource: "api_key", action: "delete", resourceId: key.id, resourceName: key.name });
      return key;
    },

    /** The key with this hash, expired or not; null if there is none. */
    findByHash(keyHash: string): Promise<ApiKeyRecord | null> {
      return selectApiKeyByHash(db.pool, keyHash);
    },

    /** Records a use of the key; cheap enough for every request. */
    recordUse: uses.record,

    /** Resolves once all recorded uses are stored. */
    close: uses.idle,
  };
}
