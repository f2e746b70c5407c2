import {
  createEventBus,
  createLargeReads,
  createServices,
  createTranscriptSource,
  followSecretChanges,
  openSecrets,
  serverTimeZone,
  systemClock,
  uuidV7,
  verifySigningSecret,
  type BackupEngine,
  type EventBus,
  type Services,
} from "@workspace/core";
import type { Db, Listener } from "@workspace/db";
import { checkPolicy } from "@workspace/hooks-cli/policy-check";
import type { Logger } from "pino";
import { createEncryptionKeyStore } from "./encryption-key-store.ts";
import type { Config } from "./env.ts";
import type { LargeResponses } from "./http/large-responses.ts";
import { openSigningSecret } from "./open-signing-secret.ts";

export interface WorkspaceOptions {
  readonly config: Config;
  readonly logger: Logger;
  readonly db: Db;
  readonly listener: Listener;
  readonly backupEngine: BackupEngine;
  readonly largeResponses: Pick<LargeResponses, "hasRoom">;
  /** Whether keys from before a rotation are kept, as all but the service itself must do; see `verifySecrets`. */
  readonly keepsOlderKeys?: boolean;
  /** Called with the function that removes the values of secrets from log lines, as soon as there is one. */
  readonly redactLogs: (redact: (text: string) => string) => void;
}

/** The services on an open database, none of them started. */
export interface OpenWorkspace {
  readonly services: Services;
  readonly events: EventBus;
  /** Signs session cookies. */
  readonly signingSecret: string;
}

/** Opens the keys and the secrets, and creates the services. Throws if the keys are not those of this database. */
export async function openWorkspace(options: WorkspaceOptions): Promise<OpenWorkspace> {
  const { config, logger, db, listener, backupEngine, largeResponses, redactLogs } = options;
  const clock = systemClock;
  const ids = uuidV7;
  const events = createEventBus((error) => logger.error({ err: error }, "an event handler failed"));
  const keyStore = createEncryptionKeyStore(config.encryptionKeys, config.dataDir);
  const signingSecret = await openSigningSecret(config);
  const verified = verifySigningSecret({ db, clock }, signingSecret);
  // If neither key belongs to the database, it is always the same one that is reported.
  verified.catch(() => undefined);
  const secrets = await openSecrets({ db, clock, ids, keyStore, dropsOlderKeys: options.keepsOlderKeys !== true });
  await verified;
  const { timeZone, isFromEnvironment } = await serverTimeZone({ db }, config.timeZone);
  redactLogs(secrets.redactor.redact);
  await followSecretChanges(listener, secrets.redactor, (error) =>
    logger.error({ err: error }, "the changed secrets could not be read"),
  );
  const services = createServices({
    db,
    listener,
    clock,
    ids,
    events,
    logger,
    secrets,
    transcripts: createTranscriptSource({ roots: config.transcriptRoots, maxBytes: config.bodyLimits.contentBytes }),
    keepsTranscripts: config.keepsTranscripts,
    environmentRetention: config.retention,
    hooksHome: config.hooksHome,
    publicUrl: config.authUrl,
    signInProvider: config.signInProvider,
    vaultRoot: config.vaultPath,
    vaultStore: config.vaultStore,
    checkHookPolicy: (document) => checkPolicy(document).issues,
    dataDir: config.dataDir,
    maxContentBytes: config.bodyLimits.contentBytes,
    largeReads: createLargeReads(largeResponses.hasRoom),
    models: config.models,
    initialCredits: config.v1Credits,
    agentHttpOrigins: config.agentHttpOrigins,
    timeZone,
    isTimeZoneFromEnvironment: isFromEnvironment,
    processLeaseMs: config.processLeaseMs,
    backupEngine,
    environmentBackup: { place: config.backup.dir, s3: config.backup.s3, passphrase: config.backup.passphrase },
  });
  await services.credits.open();
  return { services, events, signingSecret: signingSecret.text };
}
