import { type ShellWord, textAt } from "./word-fields.ts";
import { type FileContent, NOTHING, type Started } from "./wrapped-command.ts";
import { readCode } from "./read-code.ts";

/** The option that passes code to each language, or that the first plain argument is code. Names exclude versions. */
const INTERPRETERS: readonly { readonly names: string; readonly option: RegExp | "first" }[] = [
  { names: "python pypy", option: /^-[A-Za-z]*c$/ },
  { names: "node nodejs bun tsx ts-node", option: /^(?:-[a-z]*[ep]|--eval|--print)$/ },
  { names: "deno", option: /^eval$/ },
  { names: "perl", option: /^-[A-Za-z0-9]*[eE]$/ },
  { names: "ruby", option: /^-[a-z]*e$/ },
  { names: "php", option: /^-[rBRE]$/ },
  { names: "lua luajit osascript R Rscript julia elixir groovy scala gnuplot ghc", option: /^(?:-e|--eval)$/ },
  { names: "octave guile erl", option: /^(?:-c|-?-eval)$/ },
  { names: "awk gawk mawk nawk", option: "first" },
];

/** Code without any of these words neither touches files nor starts programs. */
const MAY_MATTER =
  /\b(?:\w*(?:open|spawn|exec|system|unlink|remove|delete|rename|rmtree|getattr|truncate|write|read|copy|rmdir|rimraf)\w*|rm\w*|mv|cp\w*|move\w*|Path\w*|glob|fork|call|run|getoutput|qx|passthru|subprocess|emptyDir\w*|del\w*|slurp|iex|load_dotenv|do shell script)\b|`|Deno|Open3|Invoke|getstatus|shell_exec/i;

/**
 * The programs that a line of Python, JavaScript, Perl and so on starts, and the files that it touches, as equivalent shell
 * commands. Few lines do any such thing; what reads them is loaded for these.
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
  return code === undefined || !MAY_MATTER.test(code) ? NOTHING : readOnce(code);
}

let last: { readonly code: string; readonly started: Started } | undefined;

/** In a loop, the same code is given again and again. */
function readOnce(code: string): Started {
  if (last?.code !== code) last = { code, started: readCode(code) };
  return last.started;
}

function firstPlain(words: readonly ShellWord[]): string | undefined {
  return words.slice(1).find((word, index) => !word.text.startsWith("-") && !/^-[Fvf]$/.test(textAt(words, index)))
    ?.text;
}

function codeOf(words: readonly ShellWord[], option: RegExp): string | undefined {
  for (const [index, { text }] of words.entries()) {
    if (index === 0) continue;
    if (option.test(text)) return words[index + 1]?.text;
    // `--eval=code`, and `-e` with the code in the same word.
    const [, name = "", value = ""] = /^(--\w+)=(.*)$/s.exec(text) ?? /^(-[a-zA-Z])(.{3,})$/s.exec(text) ?? [];
    if (option.test(name) && /\W/.test(value)) return value;
  }
  return undefined;
}

function stdinCode(words: readonly ShellWord[], stdin: string | undefined, contentOf: FileContent): string | undefined {
  const file = words.slice(1).find((word) => !word.text.startsWith("-"));
  return file === undefined ? stdin : contentOf(file.text);
}
