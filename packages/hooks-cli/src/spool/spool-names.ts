/** The names of files in the spool say everything that must be known of them without reading them. */
export interface ClaimedName {
  /** The name that the file has while nobody sends it. */
  readonly free: string;
  readonly expiresAtMs: number;
}

const FREE = /^[0-9a-z]{9}-[0-9a-f-]{36}\.json$/;
const CLAIMED = /^([0-9a-z]{9}-[0-9a-f-]{36}\.json)\.([0-9a-z]{9})-[0-9]+\.claim$/;

/** Longer than any sender holds a claim: one that is further away was made while the clock was wrong. */
const MAX_CLAIM_MS = 120_000;

/** Sorts by time: the event's moment comes first. */
export function freeName(occurredAtMs: number, id: string): string {
  return `${base36(occurredAtMs)}-${id}.json`;
}

export function claimedName(free: string, expiresAtMs: number, pid: number): string {
  return `${free}.${base36(expiresAtMs)}-${pid}.claim`;
}

export function isFreeName(name: string): boolean {
  return FREE.test(name);
}

export function parseClaimedName(name: string): ClaimedName | undefined {
  const [, free, expiry] = CLAIMED.exec(name) ?? [];
  return free === undefined || expiry === undefined ? undefined : { free, expiresAtMs: Number.parseInt(expiry, 36) };
}

/** Whether whoever claimed a file has had the time to send it, so that it is left over from a process that died. */
export function isExpired({ expiresAtMs }: ClaimedName, nowMs: number): boolean {
  return expiresAtMs <= nowMs || expiresAtMs > nowMs + MAX_CLAIM_MS;
}

function base36(milliseconds: number): string {
  return Math.max(0, Math.round(milliseconds)).toString(36).padStart(9, "0");
}
