import { expect, it } from "vitest";
import { readFieldText, toFieldText } from "./frontmatter-format.ts";

it.each([
  ["open", "open"],
  [3.5, "3.5"],
  [null, ""],
  [["a", "b c"], "a, b c"],
  [["a, b"], null],
  [[1, 2], null],
  ["two\nlines", null],
  [{ nested: true }, null],
])("shows %j as the line %j", (value, text) => {
  expect(toFieldText(value)).toBe(text);
});

it.each([
  ["a, , b", ["x"], ["a", "b"]],
  ["", ["x"], []],
  ["012", "x", "012"],
  ["5", "x", "5"],
  ["5", 4, 5],
  ["-2.50", null, -2.5],
  ["012", undefined, "012"],
  ["true", undefined, true],
  ["soon", 4, "soon"],
])("reads %j, replacing %j, as %j", (text, before, value) => {
  expect(readFieldText(text, before)).toEqual(value);
});
