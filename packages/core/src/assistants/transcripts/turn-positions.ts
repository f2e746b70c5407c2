import { inSlices } from "../../platform/in-slices.ts";

/**
 * The position of each turn of a transcript in its session, from 1, given the keys of the session's turns. A transcript may be
 * the session from its beginning, longer than before or the same, or begin with the last of what is known, as after a
 * compaction; turns that are not known continue the session. A turn that is said again counts again. Yields to the event loop in between,
 * since there may be half a million of them.
 */
export async function turnPositions(known: readonly string[], sent: readonly string[]): Promise<number[]> {
  const overlap = await overlapLength(known, sent);
  if (overlap > commonPrefixLength(known, sent)) {
    return sent.map((_key, index) => known.length - overlap + index + 1);
  }
  const positionsByKey = new Map<string, number[]>();
  await inSlices(known.keys(), (index) => {
    // From the last one, so that the first is taken first.
    const position = known.length - index;
    const key = known[position - 1] ?? "";
    const positions = positionsByKey.get(key);
    if (positions === undefined) positionsByKey.set(key, [position]);
    else positions.push(position);
  });
  let last = known.length;
  const found: number[] = [];
  await inSlices(sent, (key) => found.push(positionsByKey.get(key)?.pop() ?? (last += 1)));
  return found;
}

function commonPrefixLength(one: readonly string[], other: readonly string[]): number {
  const length = one.findIndex((key, index) => key !== other[index]);
  return length === -1 ? one.length : length;
}

/** How many of the last known turns are the first ones sent, in linear time (Knuth, Morris and Pratt). */
async function overlapLength(known: readonly string[], sent: readonly string[]): Promise<number> {
  const borders = [0];
  const extend = (length: number, key: string | undefined): number => {
    let border = length;
    while (border > 0 && sent[border] !== key) border = borders[border - 1] ?? 0;
    return sent[border] === key ? border + 1 : 0;
  };
  await inSlices(sent.keys(), (index) => {
    if (index > 0) borders.push(extend(borders[index - 1] ?? 0, sent[index]));
  });
  let overlap = 0;
  await inSlices(known, (key) => {
    overlap = extend(overlap, key);
  });
  return overlap;
}
