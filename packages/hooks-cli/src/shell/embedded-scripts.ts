import { optionValues } from "./option-values.ts";
import { startedByCmdlet, startedOnWindows } from "./powershell.ts";
import { NOTHING, type Started } from "./wrapped-command.ts";
import { type ShellWord, textsOf } from "./word-fields.ts";

/** How a line or a statement in a program's own language starts others, by the names of programs: what follows is a script. */
const ESCAPES: Readonly<Record<string, RegExp>> = {
  "psql pgcli": /^\\!/,
  "mysql mariadb mycli": /^(?:\\!|system\b)/,
  "sqlite3 sqlite": /^\.(?:shell|system)\b/,
  "sed gsed": /^(?:\d+|\$|\/[^/]*\/)? ?e /,
  "ed ex dc": /^!/,
  "expect tclsh": /^(?:spawn|exec|system)\b/,
  "emacs emacsclient": /^(?:async-)?shell-command(?:-to-string)? /,
  // A command may also follow the prerequisites of a target.
  "make gmake": /^(?:shell |\t[@-]*|[\w. -]+:[^=;]*;)/,
  "gdb lldb": /^(?:(?:platform )?shell\b|!)/,
  socat: /^(?:EXEC|SYSTEM):/i,
  "ssh scp sftp": /^\w+Command[ =]/,
  "vim vi nvim ex view": /^:? ?(?:silent!? ?)?(?:r ?|%|\d+)?!/,
};
/** What separates lines and statements, except for make, whose recipes are indented. */
const SEPARATORS: Readonly<Record<string, RegExp>> = {
  make: /\n|(?<=\$)\(|\)/,
  gmake: /\n|(?<=\$)\(|\)/,
  socat: /,/,
  emacs: /[()]/,
  emacsclient: /[()]/,
};

/** Options whose value is a script or the name of a program, where that is all that a program is given. */
const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  man: ["-P", "--pager"],
  rsync: ["-e", "--rsh", "--rsync-path"],
  sort: ["--compress-program"],
  split: ["--filter"],
  rg: ["--pre"],
  zip: ["-TT", "--unzip-command"],
  cargo: ["-s", "--shell"],
};

let escapes: ReadonlyMap<string, RegExp> | undefined;

/** What is started by the languages of programs that are no POSIX shells: `psql -c '\! script'`, `sed '1e script'`, `pwsh -c script`. */
export function startedByEscape(program: string, words: readonly ShellWord[], stdin: string | undefined): Started {
  const options = Object.hasOwn(OPTIONS, program) ? OPTIONS[program] : undefined;
  if (options !== undefined) return { commands: [], scripts: textsOf(optionValues(words, options)) };
  escapes ??= new Map(
    Object.entries(ESCAPES).flatMap(([names, pattern]) => names.split(" ").map((name) => [name, pattern] as const)),
  );
  const escape = escapes.get(program);
  if (/^(?:cmd|pwsh|powershell)$/i.test(program)) return startedOnWindows(words);
  if (escape === undefined) return startedByCmdlet(program, words, stdin);
  const own = program === "scp" || program === "sftp" ? textsOf(optionValues(words, ["-S"])) : [];
  if (/^g?sed$/.test(program)) own.push(...words.flatMap(({ text }) => substituted(text)));
  const texts = words.slice(1).map(({ text }) => text.replace(/^\+|^-\w(?=\w+Command)|^--\w+=/, ""));
  const separator = (Object.hasOwn(SEPARATORS, program) ? SEPARATORS[program] : undefined) ?? /[\n;{}[\]]/;
  const scripts = [...texts, stdin ?? ""]
    .flatMap((text) => text.split(separator))
    .map((line) => (program.endsWith("make") ? line : line.trimStart()))
    .flatMap((line) => (escape.test(line) ? withoutQuotes(line.replace(escape, "").trim()) : []));
  return own.length + scripts.length === 0 ? NOTHING : { commands: [], scripts: [...own, ...scripts] };
}

/** `sed` runs what a substitution with the flag `e` results in. */
function substituted(text: string): readonly string[] {
  const start = /s([^\w\s])/.exec(text);
  const [, replacement = "", flags = ""] = text.slice((start?.index ?? 0) + 2).split(start?.[1] ?? "\n");
  return /^[gIpm\d]*e/.test(flags) ? [replacement] : [];
}

/** A text that is one string in the program's language, such as Lisp's. */
function withoutQuotes(text: string): string {
  return /^"[^"]*"$/.test(text) ? text.slice(1, -1) : text;
}
