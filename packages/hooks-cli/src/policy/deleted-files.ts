import { type ShellCommand, programOf } from "../shell/shell-command.ts";
import { UNKNOWN, UNSEEN } from "../shell/unknown.ts";
import { type ShellWord, textsOf } from "../shell/word-fields.ts";
import { ANY_WORD } from "../shell/wrapped-command.ts";
import type { Touch, TouchedFile } from "./touched-file.ts";

/** Of Windows; `/s` and the like are their options. */
const WINDOWS_DELETERS = /^(?:remove-item|ri|rd|del|erase)$/i;
const DELETERS = new Set([
  "rm",
  "grm",
  "rmdir",
  "unlink",
  "shred",
  "srm",
  "rimraf",
  "trash",
  "trash-put",
  "gio",
  "del-cli",
]);

/** The files named by a program that only deletes; undefined for another program. */
export function deletedFiles(
  command: ShellCommand,
  plain: readonly ShellWord[],
  options: readonly string[],
  touch: Touch,
): readonly TouchedFile[] | undefined {
  const program = programOf(command);
  if (WINDOWS_DELETERS.test(program)) return deletedOnWindows(command, plain, options, touch);
  if (!DELETERS.has(program)) return undefined;
  const isRecursive =
    program === "rimraf" ||
    program === "del-cli" ||
    program.startsWith("trash") ||
    options.some((option) => /^-[a-zA-Z]*[rR]|^--(?:recursive|dir)/.test(option));
  if (program === "rmdir")
    return plain.map((word) => ({ ...touch(asOne(word), "delete", isRecursive), manner: "kept" }));
  const manner = command.wrappers.some((wrapper) => /^(?:g?find|fd(?:find)?)$/.test(wrapper)) ? "found" : undefined;
  return plain.map((word) => ({ ...touch(word, "delete", isRecursive), manner }));
}

/** What is moved or must be empty is not lost, however many there are. */
export function asOne(word: ShellWord): ShellWord {
  return { ...word, text: word.text.replaceAll(UNSEEN, UNKNOWN) };
}

function deletedOnWindows(
  { pipedFrom }: ShellCommand,
  plain: readonly ShellWord[],
  options: readonly string[],
  touch: Touch,
): readonly TouchedFile[] {
  const isOption = ({ text }: ShellWord): boolean => /^(?:\/[a-zA-Z])+$/.test(text);
  const isRecursive = [...options, ...textsOf(plain.filter(isOption))].some((option) => /^-r|^\/.*s/i.test(option));
  const named = plain.filter((word) => !isOption(word));
  // `Get-ChildItem | Remove-Item`
  return (named.length === 0 && pipedFrom.length > 0 ? [ANY_WORD] : named).map((word) =>
    touch(word, "delete", isRecursive),
  );
}
