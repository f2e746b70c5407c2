/**
 * A UUID version 7: the time in front, so that later events sort after earlier ones. It has to be unique, not secret, so
 * V8's generator, which every process seeds anew, is enough: loading `node:crypto` takes longer than the rest of an event.
 */
export function eventId(nowMs: number): string {
  const time = toHex(Math.max(0, Math.round(nowMs)), 12);
  const variant = (8 + Math.floor(Math.random() * 4)).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomHex(3)}-${variant}${randomHex(3)}-${randomHex(12)}`;
}

/** At most 13 digits, which is what a number holds exactly. */
function randomHex(digits: number): string {
  return toHex(Math.floor(Math.random() * 16 ** digits), digits);
}

function toHex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0").slice(-digits);
}
