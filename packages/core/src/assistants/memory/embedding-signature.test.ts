import { expect, test } from "vitest";
import { SIGNATURE_BITS, toSignature } from "./embedding-signature.ts";

const differing = (one: string, other: string) => Array.from(one).filter((bit, index) => bit !== other[index]).length;

/** A unit vector of a number of dimensions, at an angle to the first axis. */
function atAngle(dimensions: number, degrees: number, axis = 1): Float32Array {
  const vector = new Float32Array(dimensions);
  vector[0] = Math.cos((degrees * Math.PI) / 180);
  vector[axis] = Math.sin((degrees * Math.PI) / 180);
  return vector;
}

test.each([2, 100, 256, 768, 1536, 4096])("has as many bits for %d dimensions as for others", (dimensions) => {
  expect(toSignature(atAngle(dimensions, 30))).toMatch(new RegExp(`^[01]{${SIGNATURE_BITS}}$`));
});

test.each([
  [0, 0],
  [45, SIGNATURE_BITS / 4],
  [90, SIGNATURE_BITS / 2],
  [180, SIGNATURE_BITS],
])("of vectors at an angle of %d degrees differ in a proportional number of bits", (degrees, expected) => {
  for (const dimensions of [100, 1536]) {
    const difference = differing(toSignature(atAngle(dimensions, 0)), toSignature(atAngle(dimensions, degrees, 7)));
    expect(Math.abs(difference - expected)).toBeLessThan(SIGNATURE_BITS / 12);
  }
});

test("does not depend on the length of a vector", () => {
  const vector = atAngle(256, 20);
  expect(toSignature(vector.map((value) => value * 40))).toBe(toSignature(vector));
});

test("never changes, because it is stored", () => {
  expect(toSignature(Float32Array.of(1, 2, 3, 4)).slice(0, 16)).toBe("1101111110101010");
});
