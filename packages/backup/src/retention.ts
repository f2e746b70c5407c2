const HOUR_MS = 60 * 60 * 1000;
/** Clocks of several machines may differ by so much. */
const MAX_AHEAD_MS = HOUR_MS;
/** More backups are only counted. */
const SHOWN = 5;

/** How many backups of each kind are kept. The newest backup is always kept. */
export interface Retention {
  /** Of so many hours before the newest backup, so that with a day of them no backup is replaced by one of a later hour. */
  readonly hourly: number;
  readonly daily: number;
  readonly weekly: number;
  readonly monthly: number;
}

/**
 * The backups to keep: the newest of each hour until the newest of all, and the newest of each of the last days, weeks and months
 * that have any. Days without a backup do not count, so that nothing is removed only because the machine was off. Those of the future
 * are kept, and count for nothing until their time has come.
 *
 * @param ids - ids of backups, which begin with their time in UTC
 */
export function chooseKept(
  ids: readonly string[],
  { hourly, daily, weekly, monthly }: Retention,
  now: Date,
): Set<string> {
  const future = ids.filter((id) => isOfFuture(id, now));
  const newestFirst = sortNewestFirst(ids, now).slice(0, ids.length - future.length);
  return new Set([
    ...future,
    ...newestFirst.slice(0, 1),
    ...newestOfEach(lastHours(newestFirst, hourly), hourOf, hourly),
    ...newestOfEach(newestFirst, dayOf, daily),
    ...newestOfEach(newestFirst, weekOf, weekly),
    ...newestOfEach(newestFirst, monthOf, monthly),
  ]);
}

/** Whether a backup is later than now, because it was made while the clock was ahead, or because the clock is behind now. */
export function isOfFuture(id: string, now: Date): boolean {
  return timeOf(id).getTime() > now.getTime() + MAX_AHEAD_MS;
}

/** Backups, the newest first; those of the future come last, since nobody knows when they were made. */
export function sortNewestFirst(ids: readonly string[], now: Date): string[] {
  const isLater = (id: string): number => Number(isOfFuture(id, now));
  return ids
    .toSorted()
    .toReversed()
    .toSorted((a, b) => isLater(a) - isLater(b));
}

/** What is to be known of backups of the future, as a sentence; nothing if there are none. */
export function describeFuture(ids: readonly string[], now: Date): string[] {
  const future = ids.filter((id) => isOfFuture(id, now));
  if (future.length === 0) return [];
  const more = future.length > SHOWN ? ` and ${future.length - SHOWN} more` : "";
  const named = `${future.slice(0, SHOWN).join(", ")}${more}`;
  const [are, wait, each] =
    future.length === 1
      ? ["1 backup is", "Until its time has come, it counts", "it"]
      : [`${future.length} backups are`, "Until their time has come, they count", "each"];
  return [
    `${are} later than now, because a clock was ahead, or is behind: ${named}. ${wait} for nothing and will be kept. If the clock is ` +
      `right now, remove ${each} with \`npx workspace prune-backups --remove ${future[0]}\`.`,
  ];
}

function newestOfEach(newestFirst: readonly string[], periodOf: (id: string) => string, count: number): string[] {
  const newest = new Map<string, string>();
  for (const id of newestFirst) {
    const period = periodOf(id);
    if (!newest.has(period)) newest.set(period, id);
  }
  return [...newest.values()].slice(0, count);
}

/** Those in so many hours until the newest one; unlike days, hours without a backup count, or they would reach back for weeks. */
function lastHours(newestFirst: readonly string[], count: number): string[] {
  const [newest] = newestFirst;
  if (newest === undefined) return [];
  const since = startOfHour(newest) - (count - 1) * HOUR_MS;
  return newestFirst.filter((id) => startOfHour(id) >= since);
}

/** When a backup was made, to the second. */
export function timeOf(id: string): Date {
  return new Date(id.slice(0, 16).replace(/^(....)(..)(..)T(..)(..)/, "$1-$2-$3T$4:$5:"));
}

function startOfHour(id: string): number {
  return timeOf(id).setUTCMinutes(0, 0);
}

/** The hour of a backup, in UTC. */
export function hourOf(id: string): string {
  return id.slice(0, 11);
}

function dayOf(id: string): string {
  return id.slice(0, 8);
}

function monthOf(id: string): string {
  return id.slice(0, 6);
}

/** The Monday of the week. */
function weekOf(id: string): string {
  const day = timeOf(id);
  day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7));
  return day.toISOString().slice(0, 10);
}
