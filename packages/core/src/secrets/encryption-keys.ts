import { randomBytes } from "node:crypto";
import { ConflictError } from "../platform/errors.ts";
import { deriveEncryptionKey, type EncryptionKey, type FindKey } from "./secret-box.ts";

/** Where the texts of the encryption keys come from. The newest comes first; the others open what is older. */
export interface EncryptionKeyStore {
  /** False where a person keeps the keys, in the environment, so that nothing here can make a new one. */
  readonly canReplace: boolean;
  load(): Promise<readonly string[]>;
  /** Durable when it resolves; a crash leaves the old keys or the new ones, never part of them. */
  replace(texts: readonly string[]): Promise<void>;
}

/** The keys of this process. They change when they are rotated. */
export interface EncryptionKeys {
  /** What rotation moves to. Until that is done, the database says that an older key is the one to encrypt with. */
  readonly newest: EncryptionKey;
  readonly find: FindKey;
  readonly canReplace: boolean;
  /** Whether there is a key beside the newest. */
  readonly hasOlder: boolean;
  /** Makes a new key and keeps those before it. Throws ConflictError where the keys are not ours to replace. */
  addNew(): Promise<void>;
  /** Forgets all keys but the newest. Only for when nothing needs them any more. */
  dropOlder(): Promise<void>;
}

export async function openEncryptionKeys(store: EncryptionKeyStore): Promise<EncryptionKeys> {
  let texts = await store.load();
  let keys = deriveAll(texts);

  async function replace(newTexts: readonly string[]): Promise<void> {
    await store.replace(newTexts);
    texts = newTexts;
    keys = deriveAll(newTexts);
  }

  return {
    get newest() {
      return keys.newest;
    },
    find: (id) => keys.all.find((key) => key.id === id),
    canReplace: store.canReplace,
    get hasOlder() {
      return keys.all.length > 1;
    },
    async addNew() {
      if (!store.canReplace) throw cannotReplace();
      await replace([randomBytes(32).toString("base64url"), ...texts]);
    },
    async dropOlder() {
      if (store.canReplace && texts.length > 1) await replace(texts.slice(0, 1));
    },
  };
}

function deriveAll(texts: readonly string[]): { newest: EncryptionKey; all: readonly EncryptionKey[] } {
  const all = texts.map(deriveEncryptionKey);
  const [newest] = all;
  if (newest === undefined) throw new Error("There is no encryption key.");
  return { newest, all };
}

function cannotReplace(): ConflictError {
  return new ConflictError(
    "The encryption key comes from SERVICE_ENCRYPTION_KEY. Set a new one there and the old one as " +
      "SERVICE_ENCRYPTION_KEY_PREVIOUS, restart, and rotate again.",
  );
}
