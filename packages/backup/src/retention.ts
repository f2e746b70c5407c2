/** How many backups of each kind are kept. The newest backup is always kept. */
export interface Retention {
  readonly daily: number;
  readonly weekly: number;
  readonly monthly: number;
}

/**
 * The backups to keep: the newest of each of the last days, weeks and months that have any. Days without a backup do not count, so
 * that nothing is removed only because the machine was off.
 *
 * @param ids - ids of backups, which begin with their time in UTC
 */
export function chooseKept(ids: readonly string[], { daily, weekly, monthly }: Retention): Set<string> {
  const newestFirst = ids.toSorted().toReversed();
  return new Set([
    ...newestFirst.slice(0, 1),
    ...newestOfEach(newestFirst, dayOf, daily),
    ...newestOfEach(newestFirst, weekOf, weekly),
    ...newestOfEach(newestFirst, monthOf, monthly),
  ]);
}

function newestOfEach(newestFirst: readonly string[], periodOf: (id: string) => string, count: number): string[] {
  const newest = new Map<string, string>();
  for (const id of newestFirst) {
    const period = periodOf(id);
    if (!newest.has(period)) newest.set(period, id);
  }
  return [...newest.values()].slice(0, count);
}

function dayOf(id: string): string {
  return id.slice(0, 8);
}

function monthOf(id: string): string {
  return id.slice(0, 6);
}

/** The Monday of the week. */
function weekOf(id: string): string {
  const day = new Date(`${id.slice(0, 4)}-${id.slice(4, 6)}-${id.slice(6, 8)}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7));
  return day.toISOString().slice(0, 10);
}
