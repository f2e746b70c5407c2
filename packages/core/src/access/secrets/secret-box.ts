import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const ALGORITHM = "aes-256-gcm";
const VERSION = "v1";
const KEY_BYTES = 32;
const KEY_ID_BYTES = 8;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A key, and the id by which envelopes refer to it. The id reveals nothing about the key. */
export interface EncryptionKey {
  readonly id: string;
  readonly bytes: Buffer;
}

export type FindKey = (id: string) => EncryptionKey | undefined;

/** Why an envelope cannot be opened. Never reveals anything about its content. */
export class SecretBoxError extends Error {
  override readonly name = "SecretBoxError";
  readonly reason: "malformed" | "unknown_key" | "not_authentic";

  constructor(reason: SecretBoxError["reason"], options?: ErrorOptions) {
    super(`The envelope is ${reason.replace("_", " ")}.`, options);
    this.reason = reason;
  }
}

/** Derives a key from configured text, which must be long and random: derivation adjusts its size but does not harden it. */
export function deriveEncryptionKey(text: string): EncryptionKey {
  const derive = (purpose: string, length: number): Buffer =>
    Buffer.from(hkdfSync("sha256", text, "", `workspace secrets ${VERSION} ${purpose}`, length));
  return { id: derive("key id", KEY_ID_BYTES).toString("hex"), bytes: derive("key", KEY_BYTES) };
}

/**
 * Encrypts a value into a text envelope: version, key id, nonce, ciphertext and tag. Every nonce is fresh, so encrypting the
 * same value twice gives different envelopes. An envelope only opens under the name that it was sealed with.
 */
export function sealSecret(key: EncryptionKey, name: string, value: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key.bytes, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(associatedData(key.id, name));
  const ciphertext = Buffer.concat([cipher.update(value, "utf8"), cipher.final()]);
  return encodeEnvelope({ keyId: key.id, nonce, ciphertext, tag: cipher.getAuthTag() });
}

/** Decrypts an envelope. Throws {@link SecretBoxError} if a single bit of it, the name or the key differs. */
export function openSecret(findKey: FindKey, name: string, envelope: string): string {
  const { keyId, nonce, ciphertext, tag } = decodeEnvelope(envelope);
  const key = findKey(keyId);
  if (key === undefined) throw new SecretBoxError("unknown_key");
  const decipher = createDecipheriv(ALGORITHM, key.bytes, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(associatedData(keyId, name));
  decipher.setAuthTag(tag);
  try {
    return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString("utf8");
  } catch (cause) {
    throw new SecretBoxError("not_authentic", { cause });
  }
}

/** The id of the key that an envelope needs. Throws {@link SecretBoxError} if the text is not an envelope. */
export function keyIdOf(envelope: string): string {
  return decodeEnvelope(envelope).keyId;
}

interface Envelope {
  readonly keyId: string;
  readonly nonce: Buffer;
  readonly ciphertext: Buffer;
  readonly tag: Buffer;
}

/** Authenticated but not encrypted. */
function associatedData(keyId: string, name: string): Buffer {
  return Buffer.from(`${VERSION}.${keyId}.${name}`, "utf8");
}

function encodeEnvelope({ keyId, nonce, ciphertext, tag }: Envelope): string {
  return [VERSION, keyId, ...[nonce, ciphertext, tag].map((part) => part.toString("base64url"))].join(".");
}

function decodeEnvelope(text: string): Envelope {
  const [version, keyId, nonce, ciphertext, tag, ...rest] = text.split(".");
  if (version !== VERSION || keyId === undefined || nonce === undefined || ciphertext === undefined) throw malformed();
  if (tag === undefined || rest.length > 0) throw malformed();
  const envelope = {
    keyId,
    nonce: Buffer.from(nonce, "base64url"),
    ciphertext: Buffer.from(ciphertext, "base64url"),
    tag: Buffer.from(tag, "base64url"),
  };
  const hasRightSizes = envelope.nonce.length === NONCE_BYTES && envelope.tag.length === TAG_BYTES;
  // The decoder ignores insignificant characters and bits, but an envelope has exactly one valid encoding.
  if (!hasRightSizes || encodeEnvelope(envelope) !== text) throw malformed();
  return envelope;
}

function malformed(): SecretBoxError {
  return new SecretBoxError("malformed");
}
