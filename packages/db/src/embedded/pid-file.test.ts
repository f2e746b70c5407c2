import { describe, expect, it } from "vitest";
import { parsePidFile } from "./pid-file.ts";

describe("parsePidFile", () => {
  it("parses the file that a server writes", () => {
    const text = "5759\n/proc/self/cwd\n1795219831\n5432\n.\n\n  9978234        14\nready   \n";
    expect(parsePidFile(text)).toEqual({ pid: 5759, socketDir: ".", status: "ready" });
  });

  it("parses the file of a server that has only begun to write it", () => {
    expect(parsePidFile("5759\n/data\n")).toEqual({ pid: 5759, socketDir: "", status: "" });
  });

  it("parses the negative process id of a stand-alone backend", () => {
    expect(parsePidFile("-42\n")).toMatchObject({ pid: 42 });
  });

  it.each(["", "\n", "garbage", "0\n", "12x\n", "99999999999\n", "\0\0\0\0"])("refuses %j", (text) => {
    expect(parsePidFile(text)).toBeUndefined();
  });
});
