/** The search of the language tries a text again at every position, which takes no longer for one that is as short as this. */
const SHORT_TEXT = 16;

/**
 * Where a text occurs in another one, from left to right and without overlaps. Takes a time that grows with the sum of the two lengths,
 * whatever they contain.
 */
export function findText(text: string, wanted: string): number[] {
  return [...occurrencesOf(text, wanted)];
}

/** Where a text first occurs in another one; -1 if it does not. Takes as long as {@link findText} does until then. */
export function indexOfText(text: string, wanted: string): number {
  if (wanted.length <= SHORT_TEXT) return text.indexOf(wanted);
  const [first = -1] = occurrencesOf(text, wanted);
  return first;
}

/** As Knuth, Morris and Pratt do it. */
function* occurrencesOf(text: string, wanted: string): Generator<number> {
  const fallback = fallbackOf(wanted);
  let matched = 0;
  for (let position = 0; position < text.length; position += 1) {
    const code = text.charCodeAt(position);
    while (matched > 0 && wanted.charCodeAt(matched) !== code) matched = fallback[matched - 1] ?? 0;
    if (wanted.charCodeAt(matched) === code) matched += 1;
    if (matched < wanted.length) continue;
    yield position + 1 - matched;
    matched = 0;
  }
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
