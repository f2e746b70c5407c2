import type { Listener } from "@workspace/db";

/** The channel on which triggers announce that a credential has changed, as `<kind>:<id>`. */
export const CREDENTIALS_CHANNEL = "workspace_credentials";
const MAX_ENTRIES = 10_000;

/** Credentials that were looked up before, cached until the database announces a change. */
export interface CredentialCache<Record> {
  /** The cached record with this name, or the one that `load` finds. Missing records are not cached. */
  find(name: string, load: () => Promise<Record | null>): Promise<Record | null>;
  /** Makes a change by this process take effect here immediately; the other processes are notified. */
  forgetAll(): void;
}

export interface CredentialCacheOptions<Record> {
  readonly listener: Listener;
  /** Whether an announced change is about this record. */
  readonly isAbout: (change: string, record: Record) => boolean;
}

/**
 * Caches credentials in memory. A trigger notifies all processes of changes to their rows, and while that channel is down,
 * nothing is cached.
 */
export async function createCredentialCache<Record>({
  listener,
  isAbout,
}: CredentialCacheOptions<Record>): Promise<CredentialCache<Record>> {
  const records = new Map<string, Record>();
  let isListening = false;
  let changeCount = 0;

  function forgetAll(): void {
    changeCount += 1;
    records.clear();
  }

  listener.onConnectionChange((connected) => {
    isListening = connected;
    forgetAll();
  });
  await listener.listen(CREDENTIALS_CHANNEL, (change) => {
    changeCount += 1;
    for (const [name, record] of records) if (isAbout(change, record)) records.delete(name);
  });

  return {
    async find(name, load) {
      const known = records.get(name);
      if (known !== undefined) return known;
      const changesBefore = changeCount;
      const record = await load();
      // A record that may have changed while it was read must not be cached.
      if (record === null || !isListening || changeCount !== changesBefore) return record;
      if (records.size >= MAX_ENTRIES) records.clear();
      records.set(name, record);
      return record;
    },
    forgetAll,
  };
}
