/**
 * Where a text occurs in another one, from left to right and without overlaps. Takes a time that grows with the sum of the two lengths,
 * whatever they contain (Knuth, Morris and Pratt): the search of the language tries a long text again at every position.
 */
export function findText(text: string, wanted: string): number[] {
  const fallback = fallbackOf(wanted);
  const found: number[] = [];
  let matched = 0;
  for (let position = 0; position < text.length; position += 1) {
    const code = text.charCodeAt(position);
    while (matched > 0 && wanted.charCodeAt(matched) !== code) matched = fallback[matched - 1] ?? 0;
    if (wanted.charCodeAt(matched) === code) matched += 1;
    if (matched < wanted.length) continue;
    found.push(position + 1 - matched);
    matched = 0;
  }
  return found;
}

/** For each beginning of a text, the length of its longest proper beginning that is also its end. */
function fallbackOf(wanted: string): Int32Array {
  const fallback = new Int32Array(wanted.length);
  let length = 0;
  for (let position = 1; position < wanted.length; position += 1) {
    const code = wanted.charCodeAt(position);
    while (length > 0 && wanted.charCodeAt(length) !== code) length = fallback[length - 1] ?? 0;
    if (wanted.charCodeAt(length) === code) length += 1;
    fallback[position] = length;
  }
  return fallback;
}
