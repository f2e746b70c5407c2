import { expect, test } from "vitest";
import { readCode } from "./read-code.ts";

test("finds argument lists, files and scripts in the literals of code", () => {
  const { commands, scripts } = readCode(
    String.raw`run(["rm", '-rf', r"/a"]); spawn("cat", ["\"b\""]); open('c', mode='w'); rmtree("""d"""); system('it\'s')`,
  );
  expect(commands.map((command) => command.map(({ text }) => text))).toEqual([
    ["rm", "-rf", "/a"],
    ["tee", "c"],
    ["rm", "-rf", "d"],
    ["rm", "-rf", "/a"],
    ["cat", '"b"'],
  ]);
  expect(scripts).toContain("it's");
});

function filesOf(code: string): readonly string[] {
  return readCode(code).commands.map((command) => command.map(({ text }) => text).join(" "));
}

test.each([
  ["a method of a path", "from pathlib import Path; Path('/a/b').unlink()", "rm /a/b"],
  ["another name", "from shutil import rmtree as r; r('/a')", "rm -rf /a"],
  ["another name in JavaScript", "const { rmSync: r } = require('fs'); r('/a', { recursive: true })", "rm -rf /a"],
  ["a variable", "p = '/a'\nshutil.rmtree(p)", "rm -rf /a"],
  ["the home", "shutil.rmtree(os.path.expanduser('~/a'))", "rm -rf ~/a"],
  ["joined parts", "fs.rmSync(path.join(os.homedir(), 'a'), {recursive: true})", "rm -rf ~/a"],
  ["an environment variable", "os.remove(os.environ['HOME'] + '/a')", "rm ~/a"],
  ["a template", "fs.rmSync(`${process.env.HOME}/a`, {recursive: true})", "rm -rf ~/a"],
  ["listed files", "[os.remove(f) for f in glob.glob('/a/*')]", "rm /a/*"],
  ["files of a tree", "for r, d, f in os.walk('/a'):\n  for n in f: os.remove(os.path.join(r, n))", "rm /a/*"],
  ["a block", 'Dir["/a/*"].each { |f| File.delete(f) }', "rm /a/*"],
  ["no parentheses", 'my $p = "/a"; unlink $p', "rm /a"],
  ["a function", "def clean(p):\n  shutil.rmtree(p)\nclean('/a')", "rm -rf /a"],
  ["a list", "for d in ['a', '/b']:\n  shutil.rmtree(d)", "rm -rf /b"],
  ["emptying", "require('fs').truncateSync('/a')", "truncate -s 0 /a"],
  ["writing", "p = '/a'; open(p, 'w')", "tee /a"],
  ["writing in Perl", 'open(my $f, ">", "/a")', "tee /a"],
  ["a temporary folder", "d = tempfile.mkdtemp(); shutil.rmtree(d)", "rm -rf /tmp/\ufffc"],
  ["the arguments of a program", "p = '/a'; subprocess.run(['rm', '-rf', p])", "rm -rf /a"],
])("finds the files of %s", (_, code, command) => expect(filesOf(code)).toContain(command));

test.each(["m = new Map(); m.delete('/a')", "axios.delete('/api/a')", "names.remove(x)", "s.replace('/a', '/b')"])(
  "finds none in %s",
  (code) => expect(filesOf(code)).toEqual([]),
);

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
