import { optionValues } from "../shell/option-values.ts";
import { foundFiles } from "../shell/command-runners.ts";
import { type ShellCommand, argumentsOf, programOf } from "../shell/shell-command.ts";
import type { ShellWord } from "../shell/word-fields.ts";
import { startedByWrapper } from "../shell/wrapped-command.ts";
import { filesOfTar } from "./archived-files.ts";
import { asOne, deletedFiles } from "./deleted-files.ts";
import type { Touch, TouchedFile } from "./touched-file.ts";
import type { PathAccess } from "./policy.ts";
import { REDIRECTS_THAT_REPLACE, empties, printsNothing, replacesFiles } from "./replaced-files.ts";

/** Their last argument is written, the others are read. */
const COPIERS = new Set(["cp", "gcp", "install", "ln", "rsync", "scp", "ditto"]);
const MOVERS = new Set(["mv", "gmv", "rename"]);
/** Every argument is written. */
const WRITERS = new Set(["tee", "touch", "mkdir", "truncate", "mkfifo", "mknod", "fallocate", "sponge", "mktemp"]);
/** Every argument but the first is changed. */
const CHANGERS = new Set(["chmod", "chown", "chgrp", "setfacl", "chattr", "setfattr"]);
/** These name files without opening them, or print their arguments. */
const HARMLESS = new Set([
  ..."ls ll dir stat file test [ [[ echo printf basename dirname realpath readlink which type command find fd du tree exit return cd pushd popd".split(
    " ",
  ),
  ..."export alias unset set local declare true false : kill pkill sleep wait date id whoami history jobs trap read shift umask cmd pwsh powershell".split(
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
  const isWrapper = startedByWrapper(programOf(command), command.words).commands.length > 0;
  return isWrapper ? redirected : [...redirected, ...namedFiles(command, touch)];
}

function namedFiles(command: ShellCommand, touch: Touch): readonly TouchedFile[] {
  const program = programOf(command);
  // A line of YAML.
  if (program.endsWith(":") && program !== ":") return [];
  const words = argumentsOf(command);
  const plain = plainArguments(words);
  const options = words.filter((word) => word.text.startsWith("-")).map((word) => word.text);
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
  if (COPIERS.has(program)) return copied(words, plain, touch);
  if (MOVERS.has(program)) {
    const { sources, written } = splitTargets(words, plain);
    const manner: TouchedFile["manner"] = written[0]?.text === "/dev/null" ? undefined : "kept";
    const target = written[0]?.text;
    return [
      ...copied(words, plain, touch),
      ...sources.map((word) => ({ ...touch(asOne(word), "delete"), manner, target })),
    ];
  }
  if (WRITERS.has(program)) {
    const values = program === "truncate" ? optionValues(words, ["-s", "--size", "-r", "--reference"]) : [];
    return plain.filter((word) => !values.includes(word)).map((word) => touch(word, "write"));
  }
  if (CHANGERS.has(program))
    return plain.slice(1).map((word) =>
      touch(
        word,
        "write",
        options.some((option) => /^-[a-zA-Z]*R/.test(option)),
      ),
    );
  if (HARMLESS.has(program)) return [];
  return otherFiles(program, words, plain, options, touch);
}

function otherFiles(
  program: string,
  words: readonly ShellWord[],
  plain: readonly ShellWord[],
  options: readonly string[],
  touch: Touch,
): readonly TouchedFile[] {
  const read = (list: readonly ShellWord[]): TouchedFile[] => list.map((word) => touch(word, "read"));
  const write = (list: readonly ShellWord[]): TouchedFile[] => list.map((word) => touch(word, "write"));
  const deleted = (list: readonly ShellWord[]): TouchedFile[] => list.map((word) => touch(word, "delete", true));
  switch (program) {
    case "dd":
      return [...write(valuesAfter(words, "of=")), ...read(valuesAfter(words, "if="))];
    case "sed":
    case "gsed":
    case "perl": {
      // The first argument is the script, unless an option provides it.
      const scripts = optionValues(words, ["-e", "-f", "--expression", "--file"]);
      const files = scripts.length > 0 ? plain.filter((word) => !scripts.includes(word)) : plain.slice(1);
      const isInPlace = options.some((option) => /^-[a-zA-Z]*i|^--in-place/.test(option));
      return [...(isInPlace ? write(files) : []), ...read(plain)];
    }
    case "curl":
      return [
        ...write(optionValues(words, ["-o", "--output", "--output-dir", "-D", "--dump-header", "-c", "--cookie-jar"])),
        ...write(combinedValues(words, "o")),
        ...read(uploads(words)),
      ];
    case "wget":
      return write([
        ...optionValues(words, ["-O", "--output-document", "-P", "--directory-prefix", "-o", "-a"]),
        ...combinedValues(words, "O"),
      ]);
    case "tar":
    case "gtar":
    case "bsdtar":
      return filesOfTar(words, plain, touch);
    case "zip":
      return [
        ...write(plain.slice(0, 1)),
        ...(options.some((option) => /^-[a-zA-Z]*m|^--move/.test(option)) ? deleted(plain.slice(1)) : []),
        ...read(plain.slice(1)),
      ];
    case "7z":
    case "7za":
    case "7zz":
    case "rar":
      return [
        ...(options.includes("-sdel") || options.includes("-df") ? deleted(plain.slice(2)) : []),
        ...read(plain.slice(1)),
      ];
    case "ssh-keygen":
      // The key is written, or used for the purpose that an option names.
      return options.some((option) => /^-[a-zA-Z]*[yReDKklYQ]$/.test(option))
        ? read(optionValues(words, ["-f"]).slice(0, options.some((option) => /^-[ey]/.test(option)) ? 1 : 0))
        : write(optionValues(words, ["-f"]));
    case "unzip":
      return [
        ...optionValues(words, ["-d"]).map((word) => ({
          ...touch(word, "write", true),
          isReplaced: options.some((option) => /^-[a-zA-Z]*o/.test(option)),
        })),
        ...read(plain.slice(0, 1)),
      ];
    case "sort":
      return [...write(optionValues(words, ["-o", "--output"])), ...read(plain)];
    case "git":
      return filesOfGit(plain, touch);
    case "grep":
    case "egrep":
    case "fgrep":
    case "zgrep":
    case "rg":
    case "ag":
    case "ack":
      // The first argument is the search pattern, unless an option provides it.
      return read([
        ...optionValues(words, ["--file"]).filter((word) => !plain.includes(word)),
        ...(options.some((option) => /^-[a-zA-Z]*[ef]|^--(?:regexp|file)/.test(option)) ? plain : plain.slice(1)),
      ]);
    case "patch":
    case "ed":
    case "ex":
    case "vim":
    case "vi":
    case "nvim":
    case "nano":
    case "emacs":
      return [...write(plain), ...read(plain)];
    case "openssl":
      return filesOfOpenssl(words, touch);
    case "mkcert":
      return write(optionValues(words, ["-key-file", "-cert-file", "-p12-file"]));
    default: {
      if (!PRINTERS.has(program)) return read(literalNames(words, plain));
      const environments = optionValues(words, ["--env-file"]);
      // Any other program may print its arguments; a name after `@` or `=` is a file as well. A file that provides a
      // program's environment is not printed.
      return read([
        ...plain.filter((word) => !environments.includes(word)),
        ...valuesAfter(words, "@"),
        ...plain.flatMap((word) => afterEquals(word)),
      ]);
    }
  }
}

/** These print what they read. */
const PRINTERS = new Set(
  "cat tac nl head tail less more most bat batcat view pr fold fmt expand cut paste join awk gawk mawk nawk tr rev sort uniq comm diff sdiff cmp wc strings xxd hexdump hd od base64 base32 uuencode jq yq xq dasel column csvlook gzip zcat gunzip bzip2 xz source . env printenv dotenv php python python3 node ruby bash sh zsh xargs tee nc ncat netcat socat scp sftp ftp mail mailx sendmail pbcopy xclip xsel wl-copy echo gpg age sops".split(
    " ",
  ),
);
/** Options that name a key or an environment to be used, not printed, or a file to be written. */
const USES_FILE =
  /^--?(?:[\w-]*(?:key|cert|crt|ca|cacert|identity|secrets?-file|env-file|pem|pfx|keystore|out|exclude|table)[\w-]*|[iok])$/i;

/** What a program that is not known to print may be made to reveal: files by name, unless it uses them as its own key. */
function literalNames(words: readonly ShellWord[], plain: readonly ShellWord[]): readonly ShellWord[] {
  const named = plain.filter(({ text }) => !/key_?file$/i.test(text.slice(0, text.indexOf("="))));
  return [
    ...named.filter((word) => !word.hasGlob && !USES_FILE.test(words[words.indexOf(word) - 1]?.text ?? "")),
    ...valuesAfter(words, "@"),
    ...named.flatMap((word) => afterEquals(word)),
  ];
}

/** A private key is printed unless it goes to a file; with `-key` and the like it is only used. */
function filesOfOpenssl(words: readonly ShellWord[], touch: Touch): readonly TouchedFile[] {
  const outputs = optionValues(words, ["-out", "-keyout"]);
  const isPrinted = words.some((word) => /^-(?:text|modulus|params_out)$/.test(word.text)) || outputs.length === 0;
  const isKey = words.some((word) => /^(?:rsa|dsa|ec|pkey|pkcs8|pkcs12|enc|base64)$/.test(word.text));
  return [
    ...outputs.map((word) => touch(word, "write")),
    ...(isPrinted && isKey ? optionValues(words, ["-in"]).map((word) => touch(word, "read")) : []),
  ];
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
    ...local(sources).map((word) => touch(word, "read")),
    ...local(written).map((word) => ({ ...touch(word, "write", copiesContents), copied: names })),
    ...emptied.map((word) => touch(word, "delete", true)),
  ];
}

/** `git show HEAD:.env` prints a file, `git clone url dir` writes one; most others only name files. */
function filesOfGit(plain: readonly ShellWord[], touch: Touch): readonly TouchedFile[] {
  const [subcommand, ...rest] = plain;
  if (subcommand?.text === "clone") return rest.slice(1, 2).map((word) => touch(word, "write"));
  if (!/^(?:show|diff|log|blame|grep|cat-file|archive|hash-object)$/.test(subcommand?.text ?? "")) return [];
  return rest.map((word) => touch({ ...word, text: word.text.slice(word.text.indexOf(":") + 1) }, "read"));
}

/** The name of a file, without its folder and its machine. */
function nameOf(text: string): string {
  const path = text.endsWith("/") ? text.slice(0, -1) : text;
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf(":")) + 1);
}

function outputsOfFind(words: readonly ShellWord[], touch: Touch): readonly TouchedFile[] {
  return optionValues(words, ["-fprint", "-fprint0", "-fprintf", "-fls"]).map((word) => touch(word, "write"));
}

function uploads(words: readonly ShellWord[]): readonly ShellWord[] {
  const direct = optionValues(words, [
    "-T",
    "--upload-file",
    "-K",
    "--config",
    "-b",
    "--cookie",
    "-E",
    "--cert",
    "--key",
  ]);
  const data = optionValues(words, ["-d", "--data", "--data-binary", "--data-raw", "--data-urlencode", "-F", "--form"]);
  return [
    ...direct,
    ...data
      .flatMap((word) => /[@<](.+)/s.exec(word.text)?.[1] ?? [])
      .map((text) => ({ text: text.replace(/;.*/s, ""), hasGlob: false })),
  ];
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

function valuesAfter(words: readonly ShellWord[], prefix: string): readonly ShellWord[] {
  return words
    .filter((word) => word.text.startsWith(prefix))
    .map((word) => ({ ...word, text: word.text.slice(prefix.length) }));
}

/** What follows short options that end with one that takes a value: `-fsSLo file`. */
function combinedValues(words: readonly ShellWord[], letter: string): readonly ShellWord[] {
  return words.flatMap(({ text }, index) =>
    /^-[a-zA-Z]{2,}$/.test(text) && text.endsWith(letter) ? (words[index + 1] ?? []) : [],
  );
}

function afterEquals(word: ShellWord): readonly ShellWord[] {
  const value = /^[\w-]+=@?(.+)$/.exec(word.text)?.[1];
  return value === undefined ? [] : [{ ...word, text: value }];
}
