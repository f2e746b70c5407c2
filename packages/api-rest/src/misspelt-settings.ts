/** A variable that is none of ours, but nearly has the name of one. */
export interface MisspeltSetting {
  readonly name: string;
  readonly meant: string;
}

/** Programs in abundance have names that resemble shorter ones. */
const MIN_LENGTH = 6;
const PREFIX = "WORKSPACE_";

/**
 * Finds variables whose names are those of ours but for one letter, upper case, or a prefix that ours do not have. If the variable that
 * may be meant is set too, the other one is somebody else's.
 */
export function findMisspelt(given: readonly string[], known: readonly string[]): MisspeltSetting[] {
  const others = given.filter((name) => !known.includes(name));
  const unset = known.filter((name) => !given.includes(name));
  return others.flatMap((name) => {
    const upper = name.toUpperCase();
    const isOurs = upper.startsWith(PREFIX);
    const meant = unset.find(
      (each) =>
        (each.length >= MIN_LENGTH && isOneEditAway(upper, each)) ||
        (isOurs && isOneEditAway(upper.slice(PREFIX.length), each)),
    );
    return meant === undefined ? [] : [{ name, meant }];
  });
}

/** Whether one letter at most is added, missing or another, or two neighbours are exchanged. */
function isOneEditAway(one: string, other: string): boolean {
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const [a, b] = [one.slice(start, one.length - end), other.slice(start, other.length - end)];
  return (a.length <= 1 && b.length <= 1) || (a.length === 2 && a[1] === b[0] && a[0] === b[1] && b.length === 2);
}
