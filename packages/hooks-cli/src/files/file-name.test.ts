import { expect, test } from "vitest";
import { fileNameFor, sessionFileName } from "./file-name.ts";

const IDS = [
  ".",
  "..",
  "",
  "../../etc/passwd",
  "a/b",
  "a\\b",
  "a\0b",
  "a\nb",
  "con.txt",
  "ses_1aB",
  "ses_1ab",
  "ses_1AB",
  "^a",
  "^A",
  "^^a",
  "%5Ea",
  "\u{d800}",
  "é",
  "e\u0301",
  "x".repeat(10_000),
  "X".repeat(10_000),
  `${"x".repeat(9_999)}y`,
  fileNameFor("x".repeat(10_000)),
  fileNameFor("X".repeat(10_000)),
];

test("every session has a file of its own in its folder, also where capital letters are small ones", () => {
  const names = IDS.map((id) => sessionFileName(id));
  expect(names.filter((name) => !/^[\w%~!*'()-]{1,180}$/.test(name))).toEqual([]);
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(IDS.length);
});

test("the names of usual sessions are readable", () => {
  expect(sessionFileName("0199c0de-7f00-7abc")).toBe("0199c0de-7f00-7abc");
});
