import { optionValues } from "../shell/option-values.ts";
import { foundFiles } from "../shell/command-runners.ts";
import { type ShellCommand, argumentsOf, programOf } from "../shell/shell-command.ts";
import { SHELLS } from "../shell/command-wrappers.ts";
import { type ShellWord, textAt, textsOf } from "../shell/word-fields.ts";
import { startedByWrapper } from "../shell/wrapped-command.ts";
import { asOne, deletedFiles } from "./deleted-files.ts";
import type { Touch, TouchedFile } from "./touched-file.ts";
import type { PathAccess } from "./policy.ts";
import { filesOfProgram } from "./program-files.ts";
import { REDIRECTS_THAT_REPLACE, empties, printsNothing, replacesFiles } from "./replaced-files.ts";

/** Their last argument is written, the others are read. */
const COPIERS = new Set(["cp", "gcp", "install", "ln", "rsync", "scp", "ditto"]);
/** Their values say how to connect: a key is used, not copied. */
const CONNECTION_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  scp: ["-i", "-F", "-J", "-P", "-S", "-o", "-c", "-l"],
  rsync: ["-e", "--rsh", "--rsync-path", "--port", "--password-file"],
};
const MOVERS = new Set(["mv", "gmv"]);
/** Every argument is written. */
const WRITERS = new Set([
  "clear-content",
  "clc",
  "tee",
  "touch",
  "mkdir",
  "truncate",
  "mkfifo",
  "mknod",
  "fallocate",
  "sponge",
  "mktemp",
]);
/** Every argument but the first is changed. */
const CHANGERS = new Set(["chmod", "chown", "chgrp", "setfacl", "chattr", "setfattr"]);
/** These name files without opening them, or print their arguments. */
const HARMLESS = new Set([
  ..."ls ll dir stat file test [ [[ echo printf basename dirname realpath readlink which type command find fd du tree exit return cd pushd popd".split(
    " ",
  ),
  ..."zstyle export alias unset set local declare true false : kill pkill sleep wait date id whoami history jobs trap read shift umask cmd pwsh powershell".split(
    " ",
  ),
]);
const REDIRECTS_THAT_WRITE = new Set([...REDIRECTS_THAT_REPLACE, ">>", "&>>", "<>"]);

/** Every file that a command names, as far as its arguments show. */
export function touchedFiles(command: ShellCommand): readonly TouchedFile[] {
  const isReplacing = replacesFiles(command);
  const isEmptying = empties(command);
  const touch = (word: ShellWord, access: PathAccess, isRecursive = false): TouchedFile => ({
    word,
    access,
    cwd: command.cwd,
    isRecursive,
    isReplaced: isReplacing && access === "write",
    isEmptied: isEmptying && access === "write",
  });
  const redirected = command.redirects.flatMap(({ operator, target }) => {
    if (target === undefined || operator === "<<<" || operator === "<<") return [];
    // `2>&1` and `>&-` name no file, `>&file` does.
    if (operator.endsWith("&") && /^(?:\d+|-|\d+-)$/.test(target.text)) return [];
    const file = touch(target, REDIRECTS_THAT_WRITE.has(operator) ? "write" : "read");
    const isReplaced = REDIRECTS_THAT_REPLACE.has(operator);
    return [{ ...file, isReplaced, isEmptied: isReplaced && printsNothing(command) }];
  });
  // What `sudo` and the like start is a command of its own.
  const isWrapper = startsOthers(programOf(command), command.words);
  return isWrapper ? redirected : [...redirected, ...namedFiles(command, touch)];
}

/** Whether a program starts others, or a shell is given a script, so that its own arguments are no files. */
function startsOthers(program: string, words: readonly ShellWord[]): boolean {
  const { commands, scripts } = startedByWrapper(program, words);
  return (
    commands.length > 0 || scripts.length > 0 || (SHELLS.has(program) && words.some(({ text }) => /^-\w*c$/.test(text)))
  );
}

function namedFiles(command: ShellCommand, touch: Touch): readonly TouchedFile[] {
  const program = programOf(command);
  // A line of YAML.
  if (program === "-" || (program.endsWith(":") && program !== ":")) return [];
  const words = argumentsOf(command);
  const plain = plainArguments(words);
  const options = textsOf(words.filter((word) => word.text.startsWith("-")));
  const deleted = deletedFiles(command, plain, options, touch);
  if (deleted !== undefined) return deleted;
  if (program === "find" || program === "gfind") {
    if (!words.some((word) => word.text === "-delete")) return outputsOfFind(words, touch);
    const isRecursive = !words.some((word) => word.text === "-empty");
    const manner = isRecursive ? "found" : "kept";
    return foundFiles(command.words).map((text) => {
      const found = touch({ text, hasGlob: text.includes("*") }, "delete", isRecursive);
      return { ...found, manner };
    });
  }
  if (program === "rsync" && options.some((option) => /^--dry-run$|^-[a-mo-zA-Z]*n/.test(option))) return [];
  if (COPIERS.has(program)) {
    const values = optionValues(words, CONNECTION_OPTIONS[program] ?? []);
    return copied(
      words,
      plain.filter((word) => !values.includes(word)),
      touch,
    );
  }
  if (MOVERS.has(program)) {
    const { sources, written } = splitTargets(words, plain);
    const manner: TouchedFile["manner"] = written[0]?.text === "/dev/null" ? undefined : "kept";
    const target = written[0]?.text;
    return [
      ...copied(words, plain, touch),
      ...sources.map((word) => ({ ...touch(asOne(word), "delete"), manner, target })),
    ];
  }
  if (/^(?:set-content|out-file)$/i.test(program)) {
    const [file = plain[0]] = words.filter((_, index) => /^-(?:literal|file)?path$/i.test(textAt(words, index - 1)));
    return file === undefined ? [] : [touch(file, "write")];
  }
  if (WRITERS.has(program.toLowerCase())) {
    const values = program === "truncate" ? optionValues(words, ["-s", "--size", "-r", "--reference"]) : [];
    return plain.filter((word) => !values.includes(word)).map((word) => touch(word, "write"));
  }
  if (CHANGERS.has(program))
    // Who may use a device is not what it holds.
    return plain
      .slice(1)
      .filter(({ text }) => !text.startsWith("/dev/"))
      .map((word) =>
        touch(
          word,
          "write",
          options.some((option) => /^-[a-zA-Z]*R/.test(option)),
        ),
      );
  if (HARMLESS.has(program)) return [];
  return filesOfProgram(program, { words, plain, options, touch });
}

/** `cp a b dir`, and `cp -t dir a b`. */
function splitTargets(words: readonly ShellWord[], plain: readonly ShellWord[]) {
  const named = optionValues(words, ["-t", "--target-directory"]);
  return named.length > 0
    ? { sources: plain.filter((word) => !named.includes(word)), written: named }
    : { sources: plain.slice(0, -1), written: plain.slice(-1) };
}

/** `rsync --delete` also deletes what is not in its sources. */
function copied(words: readonly ShellWord[], plain: readonly ShellWord[], touch: Touch): readonly TouchedFile[] {
  const { sources, written } = splitTargets(words, plain);
  const local = (list: readonly ShellWord[]): readonly ShellWord[] =>
    list.filter((word) => !/^[\w.@-]+:[^/]?/.test(word.text));
  const emptied = words.some((word) => word.text.startsWith("--del")) ? local(written) : [];
  const names = sources.map(({ text }) => nameOf(text));
  const copiesContents = sources.some(({ text }) => /\/(?:\.?\*?)?$/.test(text));
  return [
    ...local(sources).map((word) => ({
      ...touch(word, "read"),
      copiedTo: copyOf(word, local(written)[0], sources.length),
    })),
    ...local(written).map((word) => ({ ...touch(word, "write", copiesContents), copied: names })),
    ...emptied.map((word) => touch(word, "delete", true)),
  ];
}

/** Where a file is copied to: a folder if it is written as one, or if there are several files. */
function copyOf({ text }: ShellWord, target: ShellWord | undefined, count: number): ShellWord | undefined {
  if (target === undefined || (count === 1 && !target.text.endsWith("/"))) return target;
  return { ...target, text: `${target.text}/${nameOf(text)}` };
}

/** The name of a file, without its folder and its machine. */
function nameOf(text: string): string {
  const path = text.endsWith("/") ? text.slice(0, -1) : text;
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf(":")) + 1);
}

function outputsOfFind(words: readonly ShellWord[], touch: Touch): readonly TouchedFile[] {
  return optionValues(words, ["-fprint", "-fprint0", "-fprintf", "-fls"]).map((word) => touch(word, "write"));
}

/** Arguments that are not options; after `--` all are. */
function plainArguments(words: readonly ShellWord[]): readonly ShellWord[] {
  const end = words.findIndex((word) => word.text === "--");
  const before = end === -1 ? words : words.slice(0, end);
  return [
    ...before.filter((word) => !word.text.startsWith("-") || word.text === "-"),
    ...(end === -1 ? [] : words.slice(end + 1)),
  ];
}
