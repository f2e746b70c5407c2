import { transaction, type PoolClient } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import { ConflictError, ForbiddenError, NotFoundError } from "../../platform/errors.ts";
import { isUuid } from "../../platform/ids.ts";
import { createPager, timeAndId, type Page, type Paging } from "../../platform/paging.ts";
import type { Principal } from "../../platform/procedures/principal.ts";
import { lockCurrentKey } from "../secrets/current-key.ts";
import type { EncryptionKeys } from "../secrets/encryption-keys.ts";
import { sealSecret } from "../secrets/secret-box.ts";
import { putSealedSetting } from "../secrets/sealed-setting.queries.ts";
import { secretNameOf } from "./webhook-attempt.ts";
import type { WebhookDispatcher } from "./webhook-dispatcher.ts";
import { isEventOfScopes } from "./webhook-events.ts";
import { failPending } from "./webhook-queue.queries.ts";
import { generateWebhookSecret } from "./webhook-request.ts";
import {
  deleteWebhook,
  insertWebhook,
  ownerOf,
  requireWebhook,
  selectWebhooks,
  updateWebhook,
} from "./webhook.queries.ts";
import type { CreatedWebhook, CreateWebhook, DeletedWebhook, UpdateWebhook, Webhook } from "./webhook.schema.ts";

/** Of all users: each has its own loop. */
const MAX_WEBHOOKS = 50;

const readPage = createPager("webhooks", timeAndId, ({ createdAt, id }: Webhook) => [createdAt, id]);

export interface WebhookServiceDeps extends Deps<"db" | "clock" | "ids"> {
  readonly keys: EncryptionKeys;
  readonly dispatcher: Pick<WebhookDispatcher, "wake">;
}

export type WebhookService = ReturnType<typeof createWebhookService>;

/** Manages the URLs to which changes are sent. Everybody has their own; a key has those that it created. */
export function createWebhookService({ db, clock, ids, keys, dispatcher }: WebhookServiceDeps) {
  const require = (principal: Principal, id: string): Promise<Webhook> =>
    requireWebhook(db.pool, ownerOf(principal), id);

  async function putSecret(client: PoolClient, id: string, secret: string): Promise<void> {
    const envelope = sealSecret(await lockCurrentKey(client, keys), secretNameOf(id), secret);
    await putSealedSetting(client, { name: secretNameOf(id), envelope, now: clock.now() });
  }

  return {
    /** Newest first. */
    list: (paging: Paging, principal: Principal): Promise<Page<Webhook>> =>
      readPage(paging, (range) => selectWebhooks(db.pool, ownerOf(principal), range)),

    /** Throws {@link NotFoundError}. */
    get: (id: string, principal: Principal): Promise<Webhook> => require(principal, id),

    /**
     * Creates a webhook; the secret is returned only this time. Throws {@link ForbiddenError} for events of which the key may not know,
     * {@link ConflictError} if there are too many.
     */
    async create({ name, url, events }: CreateWebhook, principal: Principal): Promise<CreatedWebhook> {
      assertPermitted(events, principal);
      const id = ids();
      const secret = generateWebhookSecret();
      await transaction(db.pool, async (client) => {
        const webhook = { id, name, url, events, ...ownerOf(principal), createdAt: clock.now() };
        if (!(await insertWebhook(client, webhook, MAX_WEBHOOKS)))
          throw new ConflictError(`There are at most ${MAX_WEBHOOKS} webhooks.`);
        await putSecret(client, id, secret);
      });
      dispatcher.wake();
      return { ...(await require(principal, id)), secret };
    },

    /** Replaces the secret, with immediate effect. Throws {@link NotFoundError}. */
    async renewSecret(id: string, principal: Principal): Promise<CreatedWebhook> {
      const webhook = await require(principal, id);
      const secret = generateWebhookSecret();
      await transaction(db.pool, (client) => putSecret(client, id, secret));
      return { ...webhook, secret };
    },

    /** Changes the given fields; turning it off gives up what is pending. Throws {@link NotFoundError} and {@link ForbiddenError}. */
    async update(update: UpdateWebhook, principal: Principal): Promise<Webhook> {
      await require(principal, update.id);
      assertPermitted(update.events ?? [], principal);
      await transaction(db.pool, async (client) => {
        await updateWebhook(client, ownerOf(principal), update);
        if (update.isEnabled === false) await failPending(client, update.id, "The webhook was turned off.");
      });
      dispatcher.wake();
      return require(principal, update.id);
    },

    /** Throws {@link NotFoundError}. */
    async delete(id: string, principal: Principal): Promise<DeletedWebhook> {
      const webhook = isUuid(id) ? await deleteWebhook(db.pool, ownerOf(principal), id) : null;
      if (webhook === null) throw new NotFoundError("There is no such webhook.");
      return webhook;
    },
  };
}

/** Throws {@link ForbiddenError} for events of resources that a key may not read. */
function assertPermitted(events: readonly string[], principal: Principal): void {
  if (principal.kind !== "api_key") return;
  const refused = events.filter((event) => !isEventOfScopes(event, principal.scopes));
  if (refused.length > 0) throw new ForbiddenError(`This API key may not read what ${refused.join(", ")} is about.`);
}
