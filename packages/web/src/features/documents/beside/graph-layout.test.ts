import { expect, test } from "vitest";
import { compute } from "../../../browser/compute-in-slices.ts";
import { boundsOf, layOut, namesWithRoom } from "./graph-layout.ts";

const nodes = Array.from({ length: 40 }, (_, index) => ({ id: String(index), distance: index === 0 ? 0 : 1 }));
const edges = nodes.slice(1).map(({ id }) => ({ from: "0", to: id }));

test("places are finite, apart from each other and always the same, with the first in the middle", () => {
  const places = compute(layOut(nodes, edges));
  expect(places.get("0")).toEqual({ x: 0, y: 0 });
  const all = [...places.values()];
  const distances = all.flatMap((one, index) =>
    all.slice(index + 1).map((other) => Math.hypot(one.x - other.x, one.y - other.y)),
  );
  expect(Math.min(...distances)).toBeGreaterThan(12);
  expect(Math.max(...distances)).toBeLessThan(2_000);
  expect(compute(layOut(nodes, edges))).toEqual(places);
});

test("linked nodes are nearer to each other than others", () => {
  const chain = [
    { from: "0", to: "1" },
    { from: "1", to: "2" },
  ];
  const places = compute(layOut(nodes.slice(0, 3), chain));
  const fromMiddle = (id: string) => Math.hypot(places.get(id)?.x ?? 0, places.get(id)?.y ?? 0);
  expect(fromMiddle("1")).toBeLessThan(fromMiddle("2"));
});

test("the bounds contain all points and the middle", () => {
  const points = [
    { x: -5, y: 2 },
    { x: 7, y: -1 },
  ];
  expect(boundsOf(points, 1)).toEqual({ x: -6, y: -2, width: 14, height: 5 });
  expect(boundsOf([], 10)).toEqual({ x: -10, y: -10, width: 20, height: 20 });
  // Two notes are not magnified until they fill the page.
  expect(boundsOf(points, 1, 20)).toEqual({ x: -9, y: -9.5, width: 20, height: 20 });
});

test("a name that would cover one before it is left out", () => {
  const places = [
    { x: 0, y: 0, below: 15, characters: 20 },
    { x: 60, y: 5, below: 15, characters: 20 },
    { x: 60, y: 14, below: 15, characters: 20 },
    { x: 200, y: 0, below: 15, characters: 10 },
  ];
  const named = namesWithRoom(places, (place) => place, 12);
  expect(places.map((place) => named.has(place))).toEqual([true, false, true, true]);
});
