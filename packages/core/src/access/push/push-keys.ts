import { transaction, type Db } from "@workspace/db";
import * as z from "zod";
import type { Clock } from "../../platform/clock.ts";
import { lockCurrentKey } from "../secrets/current-key.ts";
import type { EncryptionKeys } from "../secrets/encryption-keys.ts";
import { openSecret, SecretBoxError, sealSecret } from "../secrets/secret-box.ts";
import { insertSealedSetting, replaceSealedSetting, selectSealedSetting } from "../secrets/sealed-setting.queries.ts";
import { deleteAllPushSubscriptions } from "./push-subscription.queries.ts";

const NAME = "push.keys";

const pushKeys = z.object({ publicKey: z.string(), privateKey: z.string() });
/** By which push services recognise this server (RFC 8292). */
export type PushKeys = z.output<typeof pushKeys>;

export interface PushKeysDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly keys: EncryptionKeys;
}

/**
 * The server's keys, made on first use and stored encrypted. If they were lost together with the key that they were encrypted with,
 * there are new ones, and the subscriptions that were made with the others are deleted. Throws UnavailableError if this process
 * does not have the current encryption key.
 */
export async function findOrMakePushKeys({ db, clock, keys }: PushKeysDeps): Promise<PushKeys> {
  const stored = await selectSealedSetting(db.pool, NAME);
  const opened = stored === null ? null : open(stored, keys);
  if (opened !== null) return opened;
  const made = await generateKeys();
  return transaction(db.pool, async (client) => {
    const to = sealSecret(await lockCurrentKey(client, keys), NAME, JSON.stringify(made));
    const isFirst =
      stored === null
        ? await insertSealedSetting(client, { name: NAME, envelope: to, now: clock.now() })
        : await replaceSealedSetting(client, { name: NAME, from: stored, to });
    if (!isFirst) return openOrThrow(await selectSealedSetting(client, NAME), keys);
    if (stored !== null) await deleteAllPushSubscriptions(client);
    return made;
  });
}

/** Loaded on first use: few workspaces send push messages. */
export async function loadWebPush() {
  const { default: webPush } = await import("web-push");
  return webPush;
}

async function generateKeys(): Promise<PushKeys> {
  const { generateVAPIDKeys } = await loadWebPush();
  return generateVAPIDKeys();
}

function open(envelope: string, keys: EncryptionKeys): PushKeys | null {
  try {
    return pushKeys.parse(JSON.parse(openSecret(keys.find, NAME, envelope)));
  } catch (error) {
    if (error instanceof SecretBoxError && error.reason === "unknown_key") return null;
    throw error;
  }
}

function openOrThrow(envelope: string | null, keys: EncryptionKeys): PushKeys {
  const opened = envelope === null ? null : open(envelope, keys);
  if (opened === null) throw new Error("Another process has just stored push keys that this one cannot open.");
  return opened;
}
