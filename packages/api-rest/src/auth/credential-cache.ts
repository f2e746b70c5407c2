import type { Listener } from "@workspace/db";

/** Where triggers announce that something by which callers are known has changed, as `<kind>:<id>`. */
export const CREDENTIALS_CHANNEL = "workspace_credentials";
const MAX_ENTRIES = 10_000;

/** Credentials that were looked up before, for as long as the database says nothing else about them. */
export interface CredentialCache<Record> {
  /** The record that is remembered under a name, or that `load` finds. What is not there is asked for each time. */
  find(name: string, load: () => Promise<Record | null>): Promise<Record | null>;
  /** For this process to see at once what it just changed itself; the others hear of it in a moment. */
  forgetAll(): void;
}

export interface CredentialCacheOptions<Record> {
  readonly listener: Listener;
  /** Whether an announced change is about this record. */
  readonly isAbout: (change: string, record: Record) => boolean;
}

/**
 * Remembers credentials in memory. A change of their rows reaches every process through a trigger, and while that channel
 * is down nothing is remembered.
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
      // What changed while it was read must not be remembered.
      if (record === null || !isListening || changeCount !== changesBefore) return record;
      if (records.size >= MAX_ENTRIES) records.clear();
      records.set(name, record);
      return record;
    },
    forgetAll,
  };
}
