import { expect, test } from "vitest";
import { matchesGlob } from "./path-glob.ts";

test.each([
  ["*.pem", "server.pem", true],
  ["*.pem", "a/server.pem", false],
  ["**/*.pem", "a/b/server.pem", true],
  ["**/*.pem", "server.pem", true],
  ["src/**", "src/a/b.ts", true],
  ["src/**", "srcs/a", false],
  ["/home/u/**/x", "/home/u/x", true],
  ["file?.txt", "file1.txt", true],
  ["file?.txt", "file/.txt", false],
  ["{a,b}.ts", "b.ts", true],
  ["{a,b}.ts", "c.ts", false],
  ["[ab].ts", "a.ts", true],
  ["[!ab].ts", "a.ts", false],
  ["[a-c]x", "bx", true],
  ["a+b(c).ts", "a+b(c).ts", true],
  ["a.b", "axb", false],
  ["mcp__*", "mcp__github__push", true],
  ["[unclosed", "[unclosed", true],
])("%s matches %s: %s", (glob, path, expected) => expect(matchesGlob(glob, path)).toBe(expected));
