import { randomInt } from "node:crypto";

const CODE_COUNT = 10;
const HALF_LENGTH = 5;
/** Without those that are easily taken for others: 49 bits in a code. */
const CHARACTERS = "abcdefghjkmnpqrstuvwxyz23456789";

/** New codes, each of which signs in once in the place of one from an authenticator app. */
export function createRecoveryCodes(): string[] {
  return Array.from({ length: CODE_COUNT }, () => `${createHalf()}-${createHalf()}`);
}

/** A recovery code as it was given out, however it is typed. */
export function toRecoveryCode(typed: string): string {
  const characters = typed.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
  return `${characters.slice(0, HALF_LENGTH)}-${characters.slice(HALF_LENGTH)}`;
}

function createHalf(): string {
  return Array.from({ length: HALF_LENGTH }, () => CHARACTERS.charAt(randomInt(CHARACTERS.length))).join("");
}
