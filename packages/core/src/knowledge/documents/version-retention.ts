const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The newest versions are all kept, so that recent saves can be undone one by one. */
export const NEWEST_KEPT = 20;
const MAX_VERSIONS = 100;
/** The limit on the total size of a document's versions. The newest is kept whatever its size. */
const MAX_TOTAL_BYTES = 1024 * 1024 * 1024;

/** Older versions are thinned out: up to each maximum age, at most one version per interval is kept. */
const INTERVALS = [
  { maxAgeMs: DAY_MS, intervalMs: 10 * MINUTE_MS },
  { maxAgeMs: 7 * DAY_MS, intervalMs: HOUR_MS },
  { maxAgeMs: 90 * DAY_MS, intervalMs: DAY_MS },
];

export interface RetainableVersion {
  readonly id: string;
  readonly sizeBytes: number;
  readonly createdAt: Date;
}

/**
 * Finds the versions of a document that are no longer kept. The last version of each interval is kept: the content at the end
 * of the interval.
 */
export function findExpiredVersions<Version extends RetainableVersion>(
  versions: readonly Version[],
  now: Date,
): Version[] {
  const newestFirst = versions.toSorted((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
  const expired: Version[] = [];
  const takenIntervals = new Set<string>();
  let kept = 0;
  let keptBytes = 0;
  for (const version of newestFirst) {
    const interval = intervalOf(version.createdAt, now);
    const isRecent = kept < NEWEST_KEPT;
    const isLastOfInterval = interval !== null && !takenIntervals.has(interval);
    const hasRoom = kept < MAX_VERSIONS && (kept === 0 || keptBytes + version.sizeBytes <= MAX_TOTAL_BYTES);
    if (hasRoom && (isRecent || isLastOfInterval)) {
      if (interval !== null) takenIntervals.add(interval);
      kept += 1;
      keptBytes += version.sizeBytes;
    } else {
      expired.push(version);
    }
  }
  return expired;
}

/** Null for a version that is too old for any interval. */
function intervalOf(createdAt: Date, now: Date): string | null {
  const ageMs = now.getTime() - createdAt.getTime();
  const rule = INTERVALS.find(({ maxAgeMs }) => ageMs <= maxAgeMs);
  return rule === undefined ? null : `${rule.intervalMs}:${Math.floor(createdAt.getTime() / rule.intervalMs)}`;
}
