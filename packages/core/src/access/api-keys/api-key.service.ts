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
} from "./api-key.queries.ts";
import type { ApiKey, CreateApiKey, CreatedApiKey, RevokedApiKey } from "./api-key.schema.ts";
import { bearerKeyHint, generateBearerKey, hashBearerKey } from "./bearer-key.ts";
import { createUseRecorder } from "./use-recorder.ts";

const readPage = createPager("api-keys", timeAndId, ({ createdAt, id }: ApiKey) => [createdAt, id]);

export interface ApiKeyServiceDeps extends Deps<"db" | "clock" | "ids" | "events" | "logger"> {
  /** Checks a folder of the vault and returns it in the form in which it is stored; null for the whole vault. */
  readonly parseFolder: (folder: string) => string | null;
}

export type ApiKeyService = ReturnType<typeof createApiKeyService>;

/** Creates, lists and revokes the keys by which other programs authenticate. */
export function createApiKeyService({ db, clock, ids, events, logger, parseFolder }: ApiKeyServiceDeps) {
  const uses = createUseRecorder({ write: (used) => updateApiKeyUses(db.pool, used), clock, logger });

  return {
    /** Newest first. */
    async list(paging: Paging = {}): Promise<Page<ApiKey>> {
      return readPage(paging, (range) => selectApiKeys(db.pool, range));
    },

    /**
     * Creates a key; this is the only time it is returned. Throws {@link InvalidInputError} if it has already expired, or has a
     * folder that would limit nothing.
     */
    async create({ name, scopes, folder, expiresAt }: CreateApiKey, creatorId: string): Promise<CreatedApiKey> {
      const now = clock.now();
      const expiry = typeof expiresAt === "string" ? new Date(expiresAt) : null;
      if (expiry !== null && expiry <= now) throw InvalidInputError.at("expiresAt", "must be in the future");
      if (typeof folder === "string" && !scopes.some((scope) => scope.startsWith("knowledge:")))
        throw InvalidInputError.at("folder", "is only for keys with knowledge:read or knowledge:write");
      // An agent acts for its creator, with all documents.
      if (typeof folder === "string" && scopes.includes("agents:ask"))
        throw InvalidInputError.at("folder", "cannot limit a key with agents:ask, since agents read all documents");
      const key = generateBearerKey();
      const created = {
        id: ids(),
        name,
        scopes: [...new Set(scopes)],
        folder: typeof folder === "string" ? parseFolder(folder) : null,
        hint: bearerKeyHint(key),
      };
      await insertApiKey(db.pool, {
        ...created,
        keyHash: hashBearerKey(key),
        creatorId,
        expiresAt: expiry,
        createdAt: now,
      });
      events.publish({ resource: "api_key", action: "create", resourceId: created.id, resourceName: name });
      return { ...created, key, expiresAt: expiry?.toISOString() ?? null, createdAt: now.toISOString() };
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
