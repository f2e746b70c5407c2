import * as path from "node:path/posix";
import { expect, test } from "vitest";
import { resolve } from "./posix-path.ts";

test.each([
  ["/a/b", "c"],
  ["/a/b", "../c/./d"],
  ["/a", "/b", "c/"],
  ["/", ".."],
  ["/a//b", ""],
])("resolves as Node does: %s %s", (...parts) => expect(resolve(...parts)).toBe(path.resolve(...parts)));
