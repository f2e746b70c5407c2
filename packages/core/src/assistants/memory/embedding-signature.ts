/** How many bits a signature has. */
export const SIGNATURE_BITS = 1024;

/**
 * The signs of a vector's products with fixed directions that are as good as random, as the text of a `bit` of PostgreSQL: the
 * more similar two vectors are, the fewer bits of their signatures differ, whatever the model and the length of its vectors.
 * The directions belong to what is stored and must not change.
 */
export function toSignature(vector: Float32Array): string {
  const size = 2 ** Math.ceil(Math.log2(Math.max(vector.length, 2)));
  let bits = "";
  for (let block = 0; bits.length < SIGNATURE_BITS; block += 1) {
    const random = createSigns(block);
    const rotated = new Float32Array(size);
    rotated.set(vector);
    for (let round = 0; round < 2; round += 1) {
      for (let index = 0; index < size; index += 1) rotated[index] = random() * (rotated[index] ?? 0);
      transform(rotated);
    }
    for (const value of rotated) bits += value > 0 ? "1" : "0";
  }
  return bits.slice(0, SIGNATURE_BITS);
}

/** The Walsh–Hadamard transform, in place: with random signs before it, a random rotation in n log n steps. */
function transform(values: Float32Array): void {
  for (let half = 1; half < values.length; half *= 2) {
    for (let start = 0; start < values.length; start += 2 * half) {
      for (let index = start; index < start + half; index += 1) {
        const [one, other] = [values[index] ?? 0, values[index + half] ?? 0];
        values[index] = one + other;
        values[index + half] = one - other;
      }
    }
  }
}

/** A sequence of 1 and -1 that is always the same for a seed (mulberry32). */
function createSigns(seed: number): () => 1 | -1 {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) & 1 ? 1 : -1;
  };
}
