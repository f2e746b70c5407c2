import { expect, test } from "vitest";
import { findMentions, type Mentionable } from "./mentions.ts";

const everybody: Mentionable[] = [
  { kind: "user", id: "1", name: "Ada" },
  { kind: "user", id: "2", name: "Ada Lovelace" },
  { kind: "agent", id: "3", name: "Daily digest" },
  { kind: "user", id: "4", name: "Jürgen Groß" },
  { kind: "agent", id: "5", name: "Ada" },
  { kind: "agent", id: "6", name: "C++ (weekly)" },
];

test.each([
  ["@Ada", ["1", "5"]],
  ["Ask @ada, please.", ["1", "5"]],
  ["@Ada Lovelace knows", ["2"]],
  ["@Ada Lovelaces book", ["1", "5"]],
  ["(@daily digest) and @ADA LOVELACE", ["3", "2"]],
  ["@jürgen gross", ["4"]],
  ["**@Daily digest**", ["3"]],
  ["see @C++ (weekly)!", ["6"]],
  ["@Adam", []],
  ["mail@Ada", []],
  ["npm i pkg/@Ada", []],
  ["@@Ada", []],
  ["@ Ada", []],
  ["Ada", []],
])("%j mentions %j", (text, ids) => {
  expect(findMentions(text, everybody).map(({ id }) => id)).toEqual(ids);
});

test("so many mentions that nobody could mean them all are not all counted", () => {
  const many = Array.from({ length: 50 }, (_, index): Mentionable => ({
    kind: "user",
    id: `${index}`,
    name: `n${index}`,
  }));
  expect(findMentions(many.map(({ name }) => `@${name}`).join(" "), many)).toHaveLength(20);
});
