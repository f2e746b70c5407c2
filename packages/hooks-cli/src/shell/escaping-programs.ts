import type { ShellWord } from "./word-fields.ts";

/** Programs whose own language starts others; see `embedded-scripts.ts`, which is loaded when one of them is started. */
const ESCAPING = new Set(
  (
    "psql pgcli mysql mariadb mycli sqlite3 sqlite ed ex dc expect tclsh emacs emacsclient gdb lldb socat vim vi nvim view man rsync " +
    "cmd pwsh powershell iex invoke-expression % foreach foreach-object ? where where-object invoke-command icm start-job measure-command try catch finally else"
  ).split(" "),
);
/** What has to occur in what programs that are started often are given, or else they start none. */
const MARKS: readonly (readonly [RegExp, RegExp])[] = [
  [/^g?sed$/, /e |\W[gIpm\d]*e[gIpm\d]*$/],
  [/^g?make$/, /\(shell |\n\t|^--eval|;/],
  [/^(?:ssh|scp|sftp)$/, /Command|^-S/],
  [/^(?:sort|split|rg|zip)$/, /^--(?:compress|filter|pre|unzip)|^-TT/],
  [/^cargo$/, /^(?:-s|--shell)/],
];

/** Whether a program may start others by a language of its own. */
export function mayEscape(program: string, words: readonly ShellWord[], stdin: string | undefined): boolean {
  const mark = MARKS.find(([names]) => names.test(program))?.[1];
  if (mark === undefined) return ESCAPING.has(program.toLowerCase());
  return words.some(({ text }) => mark.test(text)) || (stdin !== undefined && mark.test(stdin));
}
