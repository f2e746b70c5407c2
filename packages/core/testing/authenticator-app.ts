import { createHmac } from "node:crypto";

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const PERIOD_MS = 30_000;

/** The code that an authenticator app shows for what was scanned (RFC 6238). */
export function codeOf(totpUri: string, at: Date = new Date()): string {
  const secret = decodeBase32(new URL(totpUri).searchParams.get("secret") ?? "");
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(at.getTime() / PERIOD_MS)));
  const mac = createHmac("sha1", secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0xf;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

/** A code that is valid as well, after another was used. */
export const nextCodeOf = (totpUri: string): string => codeOf(totpUri, new Date(Date.now() + PERIOD_MS));

function decodeBase32(text: string): Buffer {
  const bits = text.replaceAll(/./g, (character) => BASE32.indexOf(character).toString(2).padStart(5, "0"));
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
}
