import type { ShellWord } from "./word-fields.ts";
import { type FileContent, NOTHING, type Started } from "./wrapped-command.ts";
import { decodeEscapes } from "./ansi-quote.ts";
import { type Literal, type StringLiterals, readStringLiterals } from "./string-literals.ts";

/** The option that passes code to each language, or that the first plain argument is code. Names exclude versions. */
const INTERPRETERS: readonly { readonly names: string; readonly option: RegExp | "first" }[] = [
  { names: "python pypy", option: /^-[A-Za-z]*c$/ },
  { names: "node nodejs bun tsx", option: /^(?:-[a-z]*[ep]|--eval|--print)$/ },
  { names: "deno", option: /^eval$/ },
  { names: "perl", option: /^-[A-Za-z0-9]*[eE]$/ },
  { names: "ruby", option: /^-[a-z]*e$/ },
  { names: "php", option: /^-[rBRE]$/ },
  { names: "lua luajit osascript R Rscript", option: /^-e$/ },
  { names: "awk gawk mawk nawk", option: "first" },
];

const STARTS_PROGRAMS =
  /\b(?:system|popen\w*|exec\w*|spawn\w*|call|check_call|check_output|run|getoutput|getstatusoutput|shell_exec|passthru|proc_open|child_process|subprocess|qx|Open3|IO\.popen|do shell script|Deno\.Command|Invoke-Expression|iex)\b|`/;
const DELETES = callOf(
  "rmtree|rmSync|rm|rmdirSync|rmdir|unlinkSync|unlink|remove_tree|removedirs|remove|rm_rf|rm_r|rimraf|removeSync|emptyDirSync",
);
const WRITES = callOf(
  "writeFileSync|writeFile|appendFileSync|appendFile|createWriteStream|file_put_contents|File\\.write|write_text|truncate",
);
const READS = callOf(
  "readFileSync|readFile|createReadStream|file_get_contents|File\\.read|IO\\.read|readlines|load_dotenv|open|Path|slurp",
);
const OPENS = /\bopen\s*\(\s*/g;
const FOR_WRITING = /\s*,\s*(?:mode\s*=\s*)?['"][wax+>]/y;

/** A call up to its first argument. */
function callOf(names: string): RegExp {
  // Not inside a string, where a name is just a word: `spawn('rm', …)`.
  return new RegExp(String.raw`(?<!['"\w-])(?:${names})(?:\s*\(\s*|\s+)`, "g");
}

/**
 * The programs that a line of Python, JavaScript, Perl and so on starts, and the files that it touches, as equivalent shell
 * commands. Only literals are recognised; a command composed at run time is not understood.
 */
export function startedByInlineCode(
  program: string,
  words: readonly ShellWord[],
  stdin: string | undefined,
  contentOf: FileContent,
): Started {
  const name = program.replace(/(?<![0-9.])[0-9.]+$/, "");
  const interpreter = INTERPRETERS.find(({ names }) => names.split(" ").includes(name));
  if (interpreter === undefined) return NOTHING;
  const code =
    interpreter.option === "first"
      ? firstPlain(words)
      : (codeOf(words, interpreter.option) ?? stdinCode(words, stdin, contentOf));
  return code === undefined ? NOTHING : readCode(code);
}

function firstPlain(words: readonly ShellWord[]): string | undefined {
  return words.slice(1).find((word, index) => !word.text.startsWith("-") && !/^-[Fvf]$/.test(words[index]?.text ?? ""))
    ?.text;
}

function codeOf(words: readonly ShellWord[], option: RegExp): string | undefined {
  const at = words.findIndex((word, index) => index > 0 && option.test(word.text));
  return at === -1 ? undefined : words[at + 1]?.text;
}

function stdinCode(words: readonly ShellWord[], stdin: string | undefined, contentOf: FileContent): string | undefined {
  const file = words.slice(1).find((word) => !word.text.startsWith("-"));
  return file === undefined ? stdin : contentOf(file.text);
}

export function readCode(code: string): Started {
  // Adjacent literals form one text: 'r' + 'm', "a" . "b".
  const joined = code.replaceAll(/(['"])\s*(?:\+|\.)\s*\1/g, "");
  const literals = readStringLiterals(joined);
  const commands: string[][] = [
    ...argumentsOf(joined, literals, DELETES).map((path) => ["rm", "-rf", path]),
    ...argumentsOf(joined, literals, WRITES).map((path) => ["tee", path]),
    ...argumentsOf(joined, literals, OPENS, FOR_WRITING).map((path) => ["tee", path]),
    ...argumentsOf(joined, literals, READS).map((path) => ["cat", path]),
  ];
  // A command in the text, however it is started.
  const scripts = [...joined.matchAll(/\brm +-[a-qs-zA-QS-Z]*[rR]\w* [^'"`\n;)]*/g)].map(([text]) => text);
  if (STARTS_PROGRAMS.test(joined)) {
    const texts = literals.all().map(({ text }) => unquote(text));
    scripts.push(...texts.filter((text) => /\S/.test(text)));
    commands.push(...listsOf(joined, literals).filter((list) => list.length > 1));
  }
  return {
    commands: commands.map((command) => command.map((text) => ({ text, hasGlob: false }))),
    scripts,
  };
}

/** The literals that are the first argument of a call, followed by something specific if required. */
function argumentsOf(code: string, literals: StringLiterals, call: RegExp, following?: RegExp): string[] {
  const found: string[] = [];
  call.lastIndex = 0;
  for (let match = call.exec(code); match !== null; match = call.exec(code)) {
    const literal = literals.at(call.lastIndex);
    const end = literal === null ? null : endWith(code, literal.end, following);
    if (literal !== null && end !== null) found.push(unquote(literal.text));
    call.lastIndex = end ?? match.index + 1;
  }
  return found;
}

function endWith(code: string, from: number, following: RegExp | undefined): number | null {
  if (following === undefined) return from;
  following.lastIndex = from;
  return following.test(code) ? following.lastIndex : null;
}

/**
 * Lists of literals, the form in which programs receive their arguments: `["rm", "-rf"]`, `("rm", "-rf")`, `("rm",
 * ["-rf"])`.
 */
function listsOf(code: string, literals: StringLiterals): string[][] {
  const lists: string[][] = [];
  const opening = /[[(]/g;
  for (let match = opening.exec(code); match !== null; match = opening.exec(code)) {
    const start = literals.skipSpace(match.index + 1);
    const program = match[0] === "(" ? literals.at(start) : null;
    const list = (program !== null && argumentsAfter(code, literals, program)) || listAt(code, literals, start);
    if (list === null) continue;
    lists.push(list.items.map(({ text }) => unquote(text)));
    opening.lastIndex = list.end;
  }
  return lists;
}

interface LiteralList {
  readonly items: readonly Literal[];
  readonly end: number;
}

/** The list that follows a program's name. */
function argumentsAfter(code: string, literals: StringLiterals, program: Literal): LiteralList | null {
  const comma = literals.skipSpace(program.end);
  if (code[comma] !== ",") return null;
  const opening = literals.skipSpace(comma + 1);
  if (!/[[(]/.test(code.charAt(opening))) return null;
  const list = listAt(code, literals, literals.skipSpace(opening + 1));
  return list && { items: [program, ...list.items], end: list.end };
}

function listAt(code: string, literals: StringLiterals, start: number): LiteralList | null {
  const end = literals.endOfRow(start);
  return end > start && /[\])]/.test(code.charAt(end)) ? { items: literals.row(start), end: end + 1 } : null;
}

function unquote(literal: string): string {
  const width = /^(?:"""|''')/.test(literal) ? 3 : 1;
  return decodeEscapes(literal.slice(width, literal.length - width));
}
