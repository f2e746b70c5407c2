import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Staging } from "./staging.ts";

let root: string;

beforeEach(() => {
  root = fs.mkdtempSync(join(tmpdir(), "staging-"));
  fs.mkdirSync(join(root, "store"));
});
afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

function placesOf(staging: Staging, ownMs: number, otherMs: number): readonly (string | undefined)[] {
  return Array.from({ length: 100 }, () => {
    const place = staging.next();
    staging.took(place === undefined ? ownMs : otherMs);
    return place;
  });
}

test("files are created in their own folders as long as that is quick", () => {
  const staging = new Staging(root, join(root, "store"));
  expect(new Set(placesOf(staging, 0.02, 0.01))).toEqual(new Set([undefined]));
  staging.close();
});

test("where that is slow they are created where it is quick, and nothing is left there", () => {
  const staging = new Staging(root, join(root, "store"));
  const places = placesOf(staging, 0.8, 0.02);
  expect(places.slice(0, 8)).toEqual(Array(8).fill(undefined));
  expect(places.slice(40).filter((place) => place === undefined).length).toBeLessThan(5);
  const others = places.filter((place) => place !== undefined);
  expect(others.every((place) => fs.statSync(place).dev === fs.statSync(root).dev)).toBe(true);
  staging.close();
  expect(others.filter((place) => fs.existsSync(place))).toEqual([]);
});

test("a folder that gives its group to files keeps them", () => {
  fs.chmodSync(root, 0o2755);
  const staging = new Staging(root, join(root, "store"));
  expect(new Set(placesOf(staging, 0.8, 0.02))).toEqual(new Set([undefined]));
  staging.close();
});
