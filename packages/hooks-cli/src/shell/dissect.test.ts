import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dissect } from "./dissect.ts";
import { UNKNOWN } from "./unknown.ts";

const OPTIONS = { cwd: "/w/p", environment: { HOME: "/home/u", USER: "u" }, projectRoot: "/w/p" };

function programs(script: string): string[] {
  return dissect(script, OPTIONS).commands.map((command) => command.words.map((word) => word.text).join(" "));
}

describe("dissect", () => {
  test.each([
    ["ls -la", ["ls -la"]],
    ["a; b && c || d & e | f\ng", ["a", "b", "c", "d", "e", "f", "g"]],
    ["echo 'a b' \"c d\" e\\ f", ["echo a b c d e f"]],
    ["a # not this; rm", ["a"]],
    ["echo a#b", ["echo a#b"]],
    ["x=1 y=2 cmd z=3", ["cmd z=3"]],
    ["x=1", []],
    ["echo ${HOME}/x ~/y $USER", ["echo /home/u/x /home/u/y u"]],
    ["echo a{b,c}d {1..3}", ["echo abd acd 1 2 3"]],
    ["echo '{a,b}' {a} ${x}", [`echo {a,b} {a} ${UNKNOWN}`]],
    ['echo "$(a; b)"', [`echo ${UNKNOWN}`, "a", "b"]],
    ["[[ a > b && -f $(x) ]] && c", ["c", "x"]],
    ["((i = i + $(f))); g", [`: ${UNKNOWN}`, "g", "f"]],
    ["case $1 in a|b) x;; (*) y; z;; esac; w", ["x", "y", "z", "w"]],
    ["for i in 1 2; do echo $i; done", ["echo 1", "echo 2"]],
    ["for ((i=0;i<3;i++)); do f; done", [`: ${UNKNOWN}`, "f"]],
    ["if a; then b; elif c; then d; else e; fi", ["a", "b", "c", "d", "e"]],
    ['f() { a "$1"; }\nf x', [`a ${UNKNOWN}`, "f x"]],
    ["cat <<A <<'B'\n$(a)\nA\n$(b)\nB\nc", ["cat", "c", "a"]],
    ["a=(1 '2 3'); echo ${a[@]} ${a[1]}", ["echo 1 2 3 2 3"]],
    ["a=1; a+=2; echo $a", ["echo 12"]],
    ["echo $$ $? $# $0", [`echo ${UNKNOWN} ${UNKNOWN} ${UNKNOWN} ${UNKNOWN}`]],
    ["echo ${x-a} ${x:+b} ${HOME#/home/} ${HOME:1:4}", ["echo a b u home"]],
    [
      "sudo -u root nice -n 5 env A=1 b c",
      ["sudo -u root nice -n 5 env A=1 b c", "nice -n 5 env A=1 b c", "env A=1 b c", "b c"],
    ],
    ["! a", ["a"]],
    ["echo a 2>&1 >out <in", ["echo a"]],
    ["a |& b", ["a", "b"]],
    ["trap 'a b' EXIT INT", ["trap a b EXIT INT", "a b"]],
    ['b "$(cd /x && pwd)"', ["b /x", "cd /x", "pwd"]],
    ['b "$(dirname "$unset")" $(dirname -- a/c)', ["b \ufffc a", "dirname \ufffc", "dirname -- a/c"]],
    ["a |\n b &&\n c", ["a", "b", "c"]],
  ] as const)("%j starts %j", (script, expected) => expect(programs(script)).toEqual(expected));

  test("knows where each program runs", () => {
    const { commands } = dissect("cd src && a; (cd /etc; b); c; cd $X; d", OPTIONS);
    const places = Object.fromEntries(commands.map((command) => [command.words[0]?.text, command.cwd]));
    expect(places).toMatchObject({ a: "/w/p/src", b: "/etc", c: "/w/p/src", d: undefined });
  });

  test("knows what is piped into what, through groups", () => {
    const { commands } = dissect("{ a; b; } | (c | d)", OPTIONS);
    const sources = commands
      .find((command) => command.words[0]?.text === "d")
      ?.pipedFrom.map((command) => command.words[0]?.text);
    expect(sources).toEqual(["a", "b", "c"]);
  });

  test.each(["echo 'a", 'echo "a', "echo $(a", "echo `a", "echo ${a", "a <<EOF", "x=(a"])(
    "reports %j as incomplete, or reads it nevertheless",
    (script) => {
      const { commands, problem } = dissect(script, OPTIONS);
      expect(commands.length > 0 || problem !== undefined).toBe(true);
    },
  );

  test.each([
    ["$(".repeat(5_000), "too"],
    ["${a:-".repeat(5_000), "too"],
    ["((".repeat(5_000), ""],
    ["`".repeat(5_001), "backtick"],
    ["{a,b}".repeat(200), ""],
    ["bash -c '".repeat(300), ""],
    ["a;".repeat(5_000), "too"],
    ["a=x;" + "a=$a$a;".repeat(1_000), "too"],
    [`a=${"x".repeat(1_000)};` + `a=\${a//x/${"y".repeat(200)}};`.repeat(100), ""],
    ["f(){ ".repeat(5_000), "too"],
    [`docker run ${"-v a:b ".repeat(8_000)}`, "too"],
    ["(".repeat(60_000), "too"],
    ["{a,b}".repeat(13_000), "too"],
    ["{".repeat(60_000), "too"],
    [`find ${"a ".repeat(700)}${"-exec b ".repeat(600)}`, "too"],
    [`echo '${"a\n".repeat(20_000)}' | xargs -I{} rm ${"{} ".repeat(500)}`, "too"],
    ["x".repeat(400_000), "too"],
    ['"$(echo "'.repeat(2_000), "too"],
    ["<(".repeat(3_000), "too"],
    ["eval ".repeat(3_000), ""],
    ["<<A ".repeat(2_000), ""],
  ])("gives up on %s… quickly", (script, problem) => {
    const startedAt = performance.now();
    expect(dissect(script, OPTIONS).problem ?? "").toContain(problem);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  test("never throws and is fast, whatever the input", () => {
    const piece = fc.constantFrom(
      ..."$(){}[]<>|&;'\"`\\ \n#!*?~=-".split(""),
      "a",
      "$(",
      "${",
      "<<E\n",
      "case x in",
      "esac",
      "for i in",
      "do",
      "done",
      "bash -c ",
      "eval ",
      "$'",
      "x=(",
      "((",
      "xargs ",
      "sudo ",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const startedAt = performance.now();
        dissect(pieces.join(""), OPTIONS);
        expect(performance.now() - startedAt).toBeLessThan(5_000);
      }),
      { numRuns: 2_000 },
    );
  });

  test("finds a program behind any harmless spelling of its name", () => {
    const nothing = fc.constantFrom("", "''", '""', "$@", "\\\n");
    const prefix = fc.constantFrom("", "/bin/", "command ", "sudo ");
    fc.assert(
      fc.property(nothing, nothing, nothing, prefix, (a, b, c, before) => {
        expect(programs(`${before}${a}r${b}m${c} -rf /`).some((text) => /(?:^|\/)rm -rf \/$/.test(text))).toBe(true);
      }),
    );
  });
});
