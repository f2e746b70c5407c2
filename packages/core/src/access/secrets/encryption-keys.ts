import { randomBytes } from "node:crypto";
import { ConflictError } from "../../platform/errors.ts";
import { deriveEncryptionKey, type EncryptionKey, type FindKey } from "./secret-box.ts";

/** Where the texts of the encryption keys come from. The newest comes first; the others decrypt older secrets. */
export interface EncryptionKeyStore {
  /** False if the keys are managed by a person, in the environment, so that the service cannot replace them. */
  readonly canReplace: boolean;
  /** Returns none if none have been stored yet. */
  load(): Promise<readonly string[]>;
  /** Durable once it resolves. A crash leaves either the old keys or the new ones, never a mixture. */
  replace(texts: readonly string[]): Promise<void>;
}

/** The keys of this process, which change with every rotation. */
export interface EncryptionKeys {
  /** The target of a rotation. Until the rotation has finished, the database names an older key as the current one. */
  readonly newest: EncryptionKey;
  readonly find: FindKey;
  readonly canReplace: boolean;
  /** Whether there is any key besides the newest. */
  readonly hasOlder: boolean;
  /** Durably stores a newly generated first key; does nothing if the keys are stored already. */
  save(): Promise<void>;
  /** Generates a new key and keeps the previous ones. Throws ConflictError if the keys cannot be replaced. */
  addNew(): Promise<void>;
  /** Drops all keys but the newest. Only safe once no secret needs them any more. */
  dropOlder(): Promise<void>;
}

/** Opens the keys of the store or, if it has none, generates a first key, which is not saved yet. */
export async function openEncryptionKeys(store: EncryptionKeyStore): Promise<EncryptionKeys> {
  let texts = await store.load();
  let isSaved = texts.length > 0;
  if (!isSaved) texts = [generateKeyText()];
  let keys = deriveAll(texts);

  async function replace(newTexts: readonly string[]): Promise<void> {
    await store.replace(newTexts);
    isSaved = true;
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
    async save() {
      if (!isSaved) await replace(texts);
    },
    async addNew() {
      if (!store.canReplace) throw cannotReplace();
      await replace([generateKeyText(), ...texts]);
    },
    async dropOlder() {
      if (store.canReplace && texts.length > 1) await replace(texts.slice(0, 1));
    },
  };
}

function generateKeyText(): string {
  return randomBytes(32).toString("base64url");
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
