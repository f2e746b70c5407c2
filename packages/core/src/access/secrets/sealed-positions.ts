import { InvalidInputError } from "../../platform/errors.ts";
import { formatPosition, parsePosition } from "../../platform/realtime/change-position.ts";
import type { ProgramPositions } from "../../platform/realtime/listed-changes.ts";
import type { EncryptionKeys } from "./encryption-keys.ts";
import { openSecret, SecretBoxError, sealSecret } from "./secret-box.ts";

const NAME = "change position";
/** Of the longest position, so that the number of digits reveals nothing. */
const LENGTH = 32;
/** As they were written before they were sealed. */
const PLAIN = /^\d{1,15}(?:-\d{1,15})?$/;

/**
 * Positions of which a program learns nothing: neither how many changes there were of what it may not read, nor when. They can be read
 * until the encryption key has been replaced.
 */
export function createSealedPositions(keys: Pick<EncryptionKeys, "newest" | "find">): ProgramPositions {
  return {
    write: (position) => sealSecret(keys.newest, NAME, formatPosition(position).padEnd(LENGTH)),
    read(text) {
      if (PLAIN.test(text)) return null;
      try {
        return parsePosition(openSecret(keys.find, NAME, text).trimEnd());
      } catch (error) {
        if (!(error instanceof SecretBoxError)) throw error;
        if (error.reason !== "malformed") return null;
        throw InvalidInputError.at("after", "expected the position of an earlier response");
      }
    },
  };
}
