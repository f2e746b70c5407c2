/**
 * A vector of a text from the hashes of its words and of the sequences of three to five characters in them. It stands in for
 * that of an embedding model: texts with similar words have similar vectors, but it knows no meaning.
 */
export function toHashedNgrams(text: string, dimensions: number): number[] {
  const vector = Array.from({ length: dimensions }, () => 0);
  const add = (feature: string, weight: number): void => {
    const hash = hashOf(feature);
    const place = hash % dimensions;
    vector[place] = (vector[place] ?? 0) + (hash >>> 31 === 0 ? weight : -weight);
  };
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) {
    const marked = `<${word}>`;
    add(marked, 1);
    for (let length = 3; length <= 5; length += 1) {
      for (let start = 0; start + length <= marked.length; start += 1) {
        add(marked.slice(start, start + length), 1 / Math.sqrt(marked.length));
      }
    }
  }
  const norm = Math.hypot(...vector);
  return norm === 0 ? vector : vector.map((value) => value / norm);
}

/** FNV-1a, with its bits mixed. */
function hashOf(text: string): number {
  let hash = 2_166_136_261;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 16_777_619);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
