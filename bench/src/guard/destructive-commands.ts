import { fileContents, fileNames } from "./repository-files.ts";

/**
 * The commands that the tests of other guards expect to be refused: the first text of an assertion that something is blocked, and
 * the cases of their corpora and fixtures. Tests of what a user configures, and of the tests' own helpers, are left out.
 */
export function destructiveCommands(repositories: readonly string[]): readonly string[] {
  const commands = repositories.flatMap((repository) => {
    const names = fileNames(repository).filter((name) => FILES.test(name) && !LEFT_OUT.test(name));
    return fileContents(repository, names).flatMap((text) => [...asserted(text), ...cases(text)]);
  });
  return [...new Set(commands.map((command) => command.trim()).filter(Boolean))].filter(
    (command) => !DESTROYS_NOTHING.some((pattern) => pattern.test(command)),
  );
}

/** What those tests refuse although nothing would be destroyed. */
const DESTROYS_NOTHING: readonly RegExp[] = [
  // The first word is no assignment, so that it is the program, which does not exist.
  /^(?:\d\w*|\w+-\w+)?=\S* /,
  // No operand, an explanation of the program, a dry run, and a request that only reads.
  /(?:^|\| )rm -rf(?: &&|$)/,
  /^command -[vV] /,
  /^git clean -nf$/,
  /^dig axfr /,
];

const FILES = /\.(?:rs|test\.ts)$|(?:^|\/)corpus\/.*\.toml$|destructive_commands\.yaml$/;
const LEFT_OUT = /custom|test_helpers|test_template/;

/** A string of Rust, which may be raw, or of TypeScript. */
const STRING = String.raw`(r(#*)"[^]*?"\2|"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'|` + "`[^`$]*`)";
const ASSERTION = new RegExp(
  String.raw`\b(?:assert_blocks\w*|assert_denies_with_rule|assertBlocked)\(\s*(?:&\w+,\s*)?${STRING}`,
  "g",
);

/** What is refused only because a variable of the environment makes the tool stricter. */
const CONFIGURED = /^( *)withEnv\([^]*?^\1\}\);/gm;

function asserted(text: string): readonly string[] {
  return [...text.replaceAll(CONFIGURED, "").matchAll(ASSERTION)].map(([, literal = ""]) => valueOf(literal));
}

/** `command` of each case that expects a refusal, and of each fixture of what is destructive. */
function cases(text: string): readonly string[] {
  const refused = text
    .split("[[case]]")
    .filter((part) => /^expected(?:_decision)? = "deny"$/m.test(part))
    .flatMap((part) => /^command = (".*"|'.*')$/m.exec(part)?.[1] ?? []);
  const fixtures = [...text.matchAll(/^ {2}- command: (".*"|'.*')$/gm)].map(([, literal = ""]) => literal);
  return [...refused, ...fixtures].map(valueOf);
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", "0": "\0" };

function valueOf(literal: string): string {
  const raw = /^r(#*)"([^]*)"\1$/.exec(literal);
  if (raw !== null) return raw[2] ?? "";
  return literal
    .slice(1, -1)
    .replaceAll(/\\\n\s*/g, "")
    .replaceAll(/\\(?:x([\da-f]{2})|u\{?([\da-f]{4})\}?|([^]))/gi, (_, hex?: string, unicode?: string, other = "") => {
      const code = hex ?? unicode;
      return code === undefined ? (ESCAPES[other] ?? other) : String.fromCodePoint(Number.parseInt(code, 16));
    });
}
