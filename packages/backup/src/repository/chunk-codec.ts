import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, brotliDecompress, constants } from "node:zlib";
import { BackupError, DamagedError } from "../backup-error.ts";
import type { RepositoryKey } from "./repository-key.ts";

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

const FORMAT = 1;
const IS_COMPRESSED = 1;
const IS_ENCRYPTED = 2;
const HEADER_BYTES = 2;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** More than anything that is stored expands to, and little enough to hold in memory. */
const MAX_CONTENT_BYTES = 256 * 1024 * 1024;
/** Level 3 compresses rows and notes at about the speed at which a disk reads them. */
const QUALITY = 3;

/** Turns content into what is stored, and back. */
export interface ChunkCodec {
  readonly isEncrypted: boolean;
  /** The name of content: of equal content the same, in this repository. */
  idOf(content: Buffer): string;
  /** Compresses and, with a key, encrypts. What is sealed under one label is refused under any other. */
  seal(label: string, content: Buffer): Promise<Buffer>;
  /** Throws {@link DamagedError} if it is damaged, or was not sealed under this label with this key. */
  open(label: string, sealed: Buffer): Promise<Buffer>;
}

/**
 * Stored content is a byte for the format, a byte of flags, and the content, compressed unless that makes it longer. If
 * it is encrypted, by AES-256-GCM, a random nonce precedes it and the tag follows; header and label are authenticated too.
 */
export function createChunkCodec(key: RepositoryKey | null): ChunkCodec {
  return {
    isEncrypted: key !== null,
    idOf: (content) =>
      (key === null ? createHash("sha256") : createHmac("sha256", key.naming)).update(content).digest("hex"),
    async seal(label, content) {
      const compressed = await compress(content, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: QUALITY,
          [constants.BROTLI_PARAM_SIZE_HINT]: content.byteLength,
        },
      });
      const isShorter = compressed.byteLength < content.byteLength;
      const flags = (isShorter ? IS_COMPRESSED : 0) | (key === null ? 0 : IS_ENCRYPTED);
      const header = Buffer.from([FORMAT, flags]);
      const body = isShorter ? compressed : content;
      return Buffer.concat([header, ...(key === null ? [body] : encrypt(key, header, label, body))]);
    },
    async open(label, sealed) {
      const [format, flags = 0] = sealed;
      if (format !== FORMAT) throw damaged(label, "its format is unknown");
      const header = sealed.subarray(0, HEADER_BYTES);
      const body = sealed.subarray(HEADER_BYTES);
      if (((flags & IS_ENCRYPTED) !== 0) !== (key !== null)) throw damaged(label, "it does not belong here");
      try {
        const plain = key === null ? body : decrypt(key, header, label, body);
        return (flags & IS_COMPRESSED) === 0 ? plain : await decompress(plain, { maxOutputLength: MAX_CONTENT_BYTES });
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        if (isLackOfMemory(error)) throw new BackupError(`${label} cannot be read: ${reason}.`, { cause: error });
        throw damaged(label, reason);
      }
    },
  };
}

function damaged(label: string, reason: string): DamagedError {
  return new DamagedError(`${label} is damaged: ${reason}.`);
}

function isLackOfMemory(error: unknown): boolean {
  return error instanceof Error && "code" in error && /ALLOC|MEM/.test(String(error.code));
}

function encrypt({ encryption }: RepositoryKey, header: Buffer, label: string, body: Buffer): Buffer[] {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", encryption, nonce).setAAD(authenticated(header, label));
  const encrypted = [cipher.update(body), cipher.final()];
  return [nonce, ...encrypted, cipher.getAuthTag()];
}

function decrypt({ encryption }: RepositoryKey, header: Buffer, label: string, body: Buffer): Buffer {
  const nonce = body.subarray(0, NONCE_BYTES);
  const tag = body.subarray(body.byteLength - TAG_BYTES);
  const decipher = createDecipheriv("aes-256-gcm", encryption, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(authenticated(header, label)).setAuthTag(tag);
  const content = body.subarray(NONCE_BYTES, body.byteLength - TAG_BYTES);
  return Buffer.concat([decipher.update(content), decipher.final()]);
}

function authenticated(header: Buffer, label: string): Buffer {
  return Buffer.concat([header, Buffer.from(label)]);
}
