import { expect, test } from "vitest";
import { readCode } from "./inline-code.ts";

test("finds argument lists, files and scripts in the literals of code", () => {
  const { commands, scripts } = readCode(
    String.raw`run(["rm", '-rf', r"/a"]); spawn("cat", ["\"b\""]); open('c', mode='w'); rmtree("""d"""); system('it\'s')`,
  );
  expect(commands.map((command) => command.map(({ text }) => text))).toEqual([
    ["rm", "-rf", "d"],
    ["tee", "c"],
    ["cat", "c"],
    ["rm", "-rf", "/a"],
    ["cat", '"b"'],
  ]);
  expect(scripts).toContain("it's");
});

test.each(['\\"', "\\'", '"', "'''", "[", '["', '["",', '(\\"', "open(", "open('\\", "('',[", "\n"])(
  "reads repeated %j in linear time",
  (piece) => {
    for (const start of ["run([", 'run([a/\n\n"', "`("]) {
      const before = process.cpuUsage();
      readCode(start + piece.repeat((64 * 1024) / piece.length));
      // Quadratic growth would take seconds.
      expect(process.cpuUsage(before).user / 1_000).toBeLessThan(1_500);
    }
  },
);
