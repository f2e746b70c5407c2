import type { ShellWord } from "./word-fields.ts";
import { type FileContent, NOTHING, type Started } from "./wrapped-command.ts";
import { decodeEscapes } from "./ansi-quote.ts";

/** Which option gives each language its code, or that the first plain argument is it. Names are without a version. */
const INTERPRETERS: readonly { readonly names: string; readonly option: RegExp | "first" }[] = [
  { names: "python pypy", option: /^-[A-Za-z]*c$/ },
  { names: "node nodejs bun tsx", option: /^(?:-[a-z]*[ep]|--eval|--print)$/ },
  { names: "deno", option: /^eval$/ },
  { names: "perl", option: /^-[A-Za-z0-9]*[eE]$/ },
  { names: "ruby", option: /^-[a-z]*e$/ },
  { names: "php", option: /^-[rBRE]$/ },
  { names: "lua luajit osascript R Rscript", option: /^-e$/ },
  { names: "pwsh powershell", option: /^-(?:c|command)$/i },
  { names: "awk gawk mawk nawk", option: "first" },
];

const LITERAL = String.raw`"""[\s\S]*?"""|'''[\s\S]*?'''|'(?:\\[\s\S]|[^'\\])*'|"(?:\\[\s\S]|[^"\\])*"|${"`"}(?:\\[\s\S]|[^${"`"}\\])*${"`"}`;
const STRING = String.raw`[rbuf]{0,2}(${LITERAL})`;
// What an item has taken stays taken, as the reference to it says: quotation marks can be divided in very many ways.
const ITEM = String.raw`(?=([rbuf]{0,2}(?:${LITERAL})\s*,?\s*))\3`;
const STRINGS = new RegExp(STRING, "g");
const LISTS = new RegExp(String.raw`(?:\(\s*${STRING}\s*,\s*)?[[(]\s*((?:${ITEM})+)[\])]`, "g");
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
const OPENS_FOR_WRITING = new RegExp(String.raw`\bopen\s*\(\s*${STRING}\s*,\s*(?:mode\s*=\s*)?['"][wax+>]`, "g");

function callOf(names: string): RegExp {
  // Not inside a text, where a name is just a word: `spawn('rm', …)`.
  return new RegExp(String.raw`(?<!['"\w-])(?:${names})(?:\s*\(\s*|\s+)${STRING}`, "g");
}

/**
 * The programs that a line of Python, JavaScript, Perl and so on starts, and the files that it touches, as shell commands
 * that do the same. Only literals are seen; a program that puts its command together at run time is not understood.
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
  // Adjacent literals are one text: 'r' + 'm', "a" . "b".
  const joined = code.replaceAll(/(['"])\s*(?:\+|\.)\s*\1/g, "");
  const commands: string[][] = [
    ...literalsOf(joined, DELETES).map((path) => ["rm", "-rf", path]),
    ...literalsOf(joined, WRITES).map((path) => ["tee", path]),
    ...literalsOf(joined, OPENS_FOR_WRITING).map((path) => ["tee", path]),
    ...literalsOf(joined, READS).map((path) => ["cat", path]),
  ];
  const scripts: string[] = [];
  if (STARTS_PROGRAMS.test(joined)) {
    scripts.push(...literalsOf(joined, STRINGS).filter((text) => /\S/.test(text)));
    for (const call of joined.matchAll(LISTS)) {
      const list = [...(call[2] ?? "").matchAll(STRINGS)].map((item) => unquote(item[1] ?? ""));
      const [first] = call[1] === undefined ? [] : [unquote(call[1])];
      const command = first === undefined ? list : [first, ...list];
      if (command.length > 1) commands.push(command);
    }
  }
  return {
    commands: commands.map((command) => command.map((text) => ({ text, hasGlob: false }))),
    scripts,
  };
}

function literalsOf(code: string, pattern: RegExp): string[] {
  return [...code.matchAll(pattern)].map((match) => unquote(match[1] ?? ""));
}

function unquote(literal: string): string {
  const width = /^(?:"""|''')/.test(literal) ? 3 : 1;
  return decodeEscapes(literal.slice(width, literal.length - width));
}
