import { expect, it } from "vitest";
import { excerptOf, placesOf } from "./search-texts.ts";

it("an excerpt is on one line around the first of the words that there is", () => {
  expect(excerptOf("One\n\ntwo three", ["three", "two"])).toBe("One two three");
  const long = `${"before ".repeat(50)}Needle\n${"after ".repeat(50)}`;
  const excerpt = excerptOf(long, ["missing", "needle"]);
  expect(excerpt).toMatch(/^… (?:\w+ )+Needle after .* …$/);
  expect(excerpt.length).toBeLessThan(170);
});

it("the places of words are in order and do not overlap", () => {
  expect(placesOf("The rope, a Rope ladder", ["ladder", "rope", "ro", "tent"])).toEqual([
    { start: 4, end: 8 },
    { start: 17, end: 23 },
  ]);
});
