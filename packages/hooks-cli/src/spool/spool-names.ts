/** The names of files in the spool contain everything that must be known without reading them. */
export interface ClaimedName {
  /** The file's name while nobody is sending it. */
  readonly free: string;
  readonly expiresAtMs: number;
}

const FREE = /^[0-9a-z]{9}-[0-9a-f-]{36}\.json$/;
const CLAIMED = /^([0-9a-z]{9}-[0-9a-f-]{36}\.json)\.([0-9a-z]{9})-[0-9]+\.claim$/;

/** Longer than any sender holds a claim: one that expires later was made while the clock was wrong. */
const MAX_CLAIM_MS = 120_000;

/** Sorts by time, since the event's time comes first. */
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

/**
 * Whether the holder of a claim has had enough time to send the file, so that it was left behind by a process that died.
 */
export function isExpired({ expiresAtMs }: ClaimedName, nowMs: number): boolean {
  return expiresAtMs <= nowMs || expiresAtMs > nowMs + MAX_CLAIM_MS;
}

function base36(milliseconds: number): string {
  return Math.max(0, Math.round(milliseconds)).toString(36).padStart(9, "0");
}
