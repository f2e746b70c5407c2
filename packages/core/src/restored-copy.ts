import type { Queryable } from "@workspace/db";
import { turnOffBackups } from "./access/backups/backup-settings.service.ts";
import { deleteAllPushSubscriptions } from "./access/push/push-subscription.queries.ts";
import { disableAllWebhooks } from "./access/webhooks/webhook-queue.queries.ts";
import { setAgentsEnabled } from "./models/agents/agent.queries.ts";

const REASON = "This workspace was restored as a copy. Turn it on if the copy is to send too.";

/** What was switched off. */
export interface QuietedCopy {
  readonly agents: number;
  readonly webhooks: number;
}

/**
 * Switches off what a restored workspace would do by itself beside its original, until a person switches it on: agents, webhooks,
 * messages to devices, and scheduled backups with their place. May be repeated.
 */
export async function quietRestoredCopy(db: Queryable, now: Date): Promise<QuietedCopy> {
  const agents = await setAgentsEnabled(db, { enabled: false, ids: null, now });
  const webhooks = await disableAllWebhooks(db, REASON);
  await deleteAllPushSubscriptions(db);
  await turnOffBackups(db, now);
  return { agents: agents.length, webhooks };
}
