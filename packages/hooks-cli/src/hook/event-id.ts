/**
 * A UUID version 7: it starts with the time, so that later events sort after earlier ones. It must be unique, not secret, so
 * V8's generator, which every process seeds separately, is sufficient: loading `node:crypto` takes longer than the rest of an
 * event.
 */
export function eventId(nowMs: number): string {
  const time = toHex(Math.max(0, Math.round(nowMs)), 12);
  const variant = (8 + Math.floor(Math.random() * 4)).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomHex(3)}-${variant}${randomHex(3)}-${randomHex(12)}`;
}

/** At most 13 digits, which a number represents exactly. */
function randomHex(digits: number): string {
  return toHex(Math.floor(Math.random() * 16 ** digits), digits);
}

/** The last digits of a number. */
export function toHex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0").slice(-digits);
}
