import { describe, expect, test } from "vitest";
import { InvalidInputError } from "../errors.ts";
import { assertStorable } from "./storable-input.ts";

const nest = (depth: number): unknown => (depth === 0 ? "x" : { child: nest(depth - 1) });

describe("assertStorable", () => {
  test.each([[undefined], [null], ["text 😀"], [{ a: [1, { b: "\n\t" }] }], [nest(99)]])("accepts %j", (input) => {
    expect(() => assertStorable(input)).not.toThrow();
  });

  test.each([["a\0"], [{ a: ["\ud800"] }], [{ "a\0": 1 }], [nest(200)]])("refuses %j", (input) => {
    expect(() => assertStorable(input)).toThrow(InvalidInputError);
  });

  test("names the place", () => {
    expect(() => assertStorable({ list: [{ name: "\0" }] })).toThrow("list.0.name: must not contain NUL characters");
  });
});
