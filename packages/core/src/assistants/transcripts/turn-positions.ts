/**
 * The position of each turn of a transcript in its session, from 1, given the keys of the session's turns. A transcript may be
 * the session from its beginning, longer than before or the same, or begin with the last of what is known, as after a
 * compaction; turns that are not known continue the session. A turn that is said again counts again.
 */
export function turnPositions(known: readonly string[], sent: readonly string[]): number[] {
  const overlap = overlapLength(known, sent);
  if (overlap > commonPrefixLength(known, sent)) {
    return sent.map((_key, index) => known.length - overlap + index + 1);
  }
  const positionsByKey = new Map<string, number[]>();
  for (const [index, key] of known.entries()) {
    const positions = positionsByKey.get(key);
    if (positions === undefined) positionsByKey.set(key, [index + 1]);
    else positions.push(index + 1);
  }
  for (const positions of positionsByKey.values()) positions.reverse();
  let last = known.length;
  return sent.map((key) => positionsByKey.get(key)?.pop() ?? (last += 1));
}

function commonPrefixLength(one: readonly string[], other: readonly string[]): number {
  const length = one.findIndex((key, index) => key !== other[index]);
  return length === -1 ? one.length : length;
}

/** How many of the last known turns are the first ones sent, in linear time (Knuth, Morris and Pratt). */
function overlapLength(known: readonly string[], sent: readonly string[]): number {
  const borders = [0];
  const extend = (length: number, key: string | undefined): number => {
    let border = length;
    while (border > 0 && sent[border] !== key) border = borders[border - 1] ?? 0;
    return sent[border] === key ? border + 1 : 0;
  };
  for (let index = 1; index < sent.length; index += 1) borders.push(extend(borders[index - 1] ?? 0, sent[index]));
  let overlap = 0;
  for (const key of known) overlap = extend(overlap, key);
  return overlap;
}
