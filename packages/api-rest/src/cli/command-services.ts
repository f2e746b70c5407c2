import { setTimeout as sleep } from "node:timers/promises";
import { BackupFailure, logChange, systemClock, type BackupEngine, type Change, type Services } from "@workspace/core";
import { createDb, createListener, migrate, type Db } from "@workspace/db";
import { openWorkspace } from "../workspace.ts";
import { openCommandDatabase } from "./command-database.ts";
import type { CommandContext } from "./command.ts";

const INDEXED_POLL_MS = 100;
/** Only the service makes backups for its settings. */
const NO_BACKUPS: BackupEngine = {
  check: refuse,
  list: refuse,
  backUp: refuse,
  verify: refuse,
  drill: refuse,
};

function refuse(): Promise<never> {
  return Promise.reject(new BackupFailure("A command makes no backups by the settings."));
}

/** The services of a workspace, for a command. */
export interface CommandServices {
  readonly db: Db;
  readonly services: Services;
}

/**
 * Runs `use` with the services of an existing workspace, as another process of it, beside those that serve it. What `use` changes is
 * indexed and announced to them when it ends. Throws StartError if there is no workspace.
 */
export async function withServices<T>(
  context: CommandContext,
  use: (opened: CommandServices) => Promise<T>,
): Promise<T> {
  const { config, logger, migrationsDir } = context;
  const database = await openCommandDatabase(context);
  const opened: (() => Promise<void>)[] = [() => database.close()];
  try {
    if (database.isServiceRunning !== true) await migrate(database.config, { log: logger, migrationsDir });
    const db = createDb(database.config, { log: logger });
    opened.push(() => db.close());
    const listener = createListener(database.config, { log: logger });
    opened.push(() => listener.close());
    let redact = (text: string): string => text;
    const { services, events } = await openWorkspace({
      config,
      logger,
      db,
      listener,
      backupEngine: NO_BACKUPS,
      largeResponses: { hasRoom: () => true },
      redactLogs: (redactor) => (redact = redactor),
      keepsOlderKeys: true,
    });
    const changes: Change[] = [];
    events.subscribe((change) => changes.push(change));
    await services.processes.start();
    opened.push(() => services.processes.close());
    await services.vaultMirror.start();
    opened.push(() => services.vaultMirror.close());
    const result = await use({ db, services });
    while (services.vaultMirror.status.unindexed > 0) await sleep(INDEXED_POLL_MS);
    for (const { resourceName, ...change } of changes) {
      const name = resourceName === null ? null : redact(resourceName);
      await logChange(db, { ...change, resourceName: name }, systemClock.now());
    }
    return result;
  } finally {
    for (const close of opened.toReversed()) await close();
  }
}
