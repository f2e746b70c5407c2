import { combinedValues, optionValues } from "../shell/option-values.ts";
import { type ShellWord, textsOf } from "../shell/word-fields.ts";
import { filesOfTar } from "./archived-files.ts";
import type { Touch, TouchedFile } from "./touched-file.ts";

/** The arguments of a program. */
interface ProgramArguments {
  readonly words: readonly ShellWord[];
  /** Those that are not options. */
  readonly plain: readonly ShellWord[];
  readonly options: readonly string[];
  readonly touch: Touch;
}

/** The arguments of a program, with what makes files of them. */
interface ProgramFiles extends ProgramArguments {
  readonly read: (words: readonly ShellWord[]) => readonly TouchedFile[];
  readonly write: (words: readonly ShellWord[]) => readonly TouchedFile[];
  readonly remove: (words: readonly ShellWord[]) => readonly TouchedFile[];
}

type FilesOf = (program: ProgramFiles) => readonly TouchedFile[];

/** The files that a program reads, writes and deletes, as far as its arguments show. */
export function filesOfProgram(program: string, args: ProgramArguments): readonly TouchedFile[] {
  const { touch } = args;
  const filesOf = PROGRAMS.get(program) ?? (PRINTERS.has(program) ? filesOfPrinter : filesOfUnknown);
  return filesOf({
    ...args,
    read: (words) => words.map((word) => touch(word, "read")),
    write: (words) => words.map((word) => touch(word, "write")),
    remove: (words) => words.map((word) => touch(word, "delete", true)),
  });
}

/** These print what they read. */
const PRINTERS = new Set(
  "cat tac nl head tail less more most bat batcat view pr fold fmt expand cut paste join awk gawk mawk nawk tr rev sort uniq comm diff sdiff cmp wc strings xxd hexdump hd od base64 base32 uuencode jq yq xq dasel column csvlook gzip zcat gunzip bzip2 xz env printenv dotenv php python python3 node ruby bash sh zsh xargs tee nc ncat netcat socat scp sftp ftp mail mailx sendmail pbcopy xclip xsel wl-copy echo gpg age sops".split(
    " ",
  ),
);
/** Options that name a key or an environment to be used, not printed, or a file to be written. */
const USES_FILE =
  /^--?(?:[\w.-]*(?:key|priv|kube\.?config|cert|crt|ca|cacert|identity|creds|credentials|secrets?-file|env-file|dotenv|pem|pfx|keystore|out|exclude|table)[\w-]*|import|secret|config(?:-files?)?|[iok])$/i;

/** By program, separated by spaces where several take the same arguments. */
const PROGRAMS: ReadonlyMap<string, FilesOf> = new Map(
  Object.entries<FilesOf>({
    dd: ({ words, read, write }) => [...write(valuesAfter(words, "of=")), ...read(valuesAfter(words, "if="))],
    "sed gsed perl": ({ words, plain, options, read, write }) => {
      // The first argument is the script, unless an option provides it.
      const scripts = optionValues(words, ["-e", "-f", "--expression", "--file"]);
      const files = scripts.length > 0 ? plain.filter((word) => !scripts.includes(word)) : plain.slice(1);
      const isInPlace = options.some((option) => /^-[a-zA-Z]*i|^--in-place/.test(option));
      return [...(isInPlace ? write(files) : []), ...read(plain)];
    },
    curl: ({ words, read, write }) => [
      ...write(optionValues(words, ["-o", "--output", "--output-dir", "-D", "--dump-header", "-c", "--cookie-jar"])),
      ...write(combinedValues(words, "o")),
      ...write(downloads(words)),
      ...read([...uploads(words), ...valuesAfter(words, "file://")]),
    ],
    wget: ({ words, read, write }) => [
      ...read(optionValues(words, ["--post-file", "--body-file", "-i", "--input-file"])),
      ...write([
        ...optionValues(words, ["-O", "--output-document", "-P", "--directory-prefix", "-o", "-a"]),
        ...combinedValues(words, "O"),
      ]),
    ],
    "tar gtar bsdtar": ({ words, plain, touch }) => filesOfTar(words, plain, touch),
    zip: ({ plain, options, touch, read, write }) => {
      const isMoving = options.some((option) => /^-[a-zA-Z]*m|^--move/.test(option));
      const isRecursive = options.some((option) => /^-[a-zA-Z]*r|^--recurse/.test(option));
      const moved = isMoving ? plain.slice(1).map((word) => touch(word, "delete", isRecursive)) : [];
      return [...write(plain.slice(0, 1)), ...moved, ...read(plain.slice(1))];
    },
    "7z 7za 7zz rar": ({ plain, options, read, remove }) => [
      ...(options.includes("-sdel") || options.includes("-df") ? remove(plain.slice(2)) : []),
      ...read(plain.slice(1)),
    ],
    htpasswd: ({ plain, write }) => write(plain.slice(0, 1)),
    "ssh-keygen": ({ words, options, write }) =>
      // The key is written, or used for the purpose that an option names; what `-y` and `-e` print is public.
      options.some((option) => /^-[a-zA-Z]*[yReDKklYQ]$/.test(option)) ? [] : write(optionValues(words, ["-f"])),
    // A key is given to the agent, which keeps it to itself.
    "ssh-add": () => [],
    unzip: ({ words, plain, options, touch, read }) => [
      ...optionValues(words, ["-d"]).map((word) => ({
        ...touch(word, "write", true),
        isReplaced: options.some((option) => /^-[a-zA-Z]*o/.test(option)),
      })),
      ...read(plain.slice(0, 1)),
    ],
    // What to replace in the names, by what, and the files.
    rename: ({ plain, read, write }) => [...write(plain.slice(1)), ...read(plain.slice(1))],
    sort: ({ words, plain, read, write }) => [...write(optionValues(words, ["-o", "--output"])), ...read(plain)],
    git: filesOfGit,
    "source .": ({ plain, read }) => read(plain).map((file) => ({ ...file, manner: "sourced" })),
    "grep egrep fgrep zgrep rg ag ack": ({ words, plain, options, read }) =>
      // The first argument is the search pattern, unless an option provides it.
      read([
        ...optionValues(words, ["--file"]).filter((word) => !plain.includes(word)),
        ...(options.some((option) => /^-[a-zA-Z]*[ef]|^--(?:regexp|file)/.test(option)) ? plain : plain.slice(1)),
      ]),
    "patch ed ex vim vi nvim nano emacs": ({ plain, read, write }) => [...write(plain), ...read(plain)],
    openssl: filesOfOpenssl,
    helm: filesOfHelm,
    mkcert: ({ words, write }) => write(optionValues(words, ["-key-file", "-cert-file", "-p12-file"])),
  }).flatMap(([names, filesOf]) => names.split(" ").map((name) => [name, filesOf] as const)),
);

/**
 * What prints files may print its arguments too; a name after `@` or `=` is a file as well. A file that provides a program's
 * environment is not printed.
 */
function filesOfPrinter({ words, plain, read }: ProgramFiles): readonly TouchedFile[] {
  const environments = optionValues(words, ["--env-file"]);
  return read([
    ...plain.filter((word) => !environments.includes(word) && !IS_FILTER.test(word.text)),
    ...valuesAfter(words, "@"),
    ...plain.flatMap((word) => afterEquals(word)),
  ]);
}

/** What `jq` and the like select: `.keys[0].key`. */
const IS_FILTER = /^\.[\w.]+\[\d*\][\w.[\]]*$/;

/** What a program that is not known to print may be made to reveal: files by name, unless it uses them as its own key. */
function filesOfUnknown({ words, plain, read }: ProgramFiles): readonly TouchedFile[] {
  // A container is given the file by its own name, or mounts it; an environment is fetched into one.
  const actions = textsOf(plain).join(" ");
  if (/^(?:(?:secret|config) create|create secret|env pull|iam service-accounts keys create) /.test(`${actions} `))
    return [];
  const named = plain.filter((word) => {
    const before = words[words.indexOf(word) - 1]?.text ?? "";
    return !(
      USES_FILE.test(before) ||
      (/^(?:-v|--volume)$/.test(before) && /.:\//.test(word.text)) ||
      (/^(?:-e|--env)$/.test(before) && /^\w+=/.test(word.text)) ||
      IS_NO_FILE.test(word.text)
    );
  });
  return read([
    ...named.filter((word) => !word.hasGlob),
    ...valuesAfter(words, "@"),
    ...named.flatMap((word) => afterEquals(word)),
  ]);
}

/** A URL, or an argument that names a key to be used. */
const IS_NO_FILE = /^(?:https?|ftps?):\/\/|^[^=]*key_?file=/i;

/** A private key is printed unless it goes to a file; with `-key` and the like it is only used. */
function filesOfOpenssl({ words, read, write }: ProgramFiles): readonly TouchedFile[] {
  const outputs = optionValues(words, ["-out", "-keyout"]);
  const has = (option: RegExp): boolean => words.some(({ text }) => option.test(text));
  // A modulus is public.
  const isPrinted = has(/^-(?:text|params_out)$/) || (outputs.length === 0 && !has(/^-noout$/));
  const isKey = has(/^(?:rsa|dsa|ec|pkey|pkcs8|pkcs12|enc|base64)$/);
  return [...write(outputs), ...(isPrinted && isKey ? read(optionValues(words, ["-in"])) : [])];
}

/** A release is given the content of a file as a value, which is only printed on request. */
function filesOfHelm(program: ProgramFiles): readonly TouchedFile[] {
  const { words, plain, options } = program;
  const actions = textsOf(plain);
  const isUsed =
    actions.some((text) => /^(?:install|upgrade)$/.test(text)) &&
    !actions.some((text) => /^(?:template|diff)$/.test(text)) &&
    !options.some((option) => /^--(?:dry-run|debug|output)|^-\w*o/.test(option));
  const used = isUsed ? optionValues(words, ["--set-file"]) : [];
  return filesOfUnknown({ ...program, plain: plain.filter((word) => !used.includes(word)) });
}

/** `git show HEAD:.env` prints a file, `git clone url dir` writes one; most others only name files. */
function filesOfGit({ plain, read, write }: ProgramFiles): readonly TouchedFile[] {
  const [subcommand, ...rest] = plain;
  if (subcommand?.text === "clone") return write(rest.slice(1, 2));
  if (!/^(?:show|diff|log|blame|grep|cat-file|archive|hash-object)$/.test(subcommand?.text ?? "")) return [];
  return read(rest.map((word) => ({ ...word, text: word.text.slice(word.text.indexOf(":") + 1) })));
}

/** What `curl -O` writes: a file with the last part of the URL's path as its name. */
function downloads(words: readonly ShellWord[]): readonly ShellWord[] {
  if (!words.some(({ text }) => /^-[a-zA-Z]*O|^--remote-name/.test(text))) return [];
  return words.flatMap((word) => {
    const name = /^https?:\/\/[^?#]*\/([^/?#]+)/.exec(word.text)?.[1];
    return name === undefined ? [] : { ...word, text: name };
  });
}

function uploads(words: readonly ShellWord[]): readonly ShellWord[] {
  const direct = optionValues(words, ["-T", "--upload-file", "-K", "--config", "-b", "--cookie"]);
  const data = optionValues(words, ["-d", "--data", "--data-binary", "--data-raw", "--data-urlencode", "-F", "--form"]);
  return [
    ...direct,
    ...data
      .flatMap((word) => /[@<](.+)/s.exec(word.text)?.[1] ?? [])
      .map((text) => ({ text: text.replace(/;.*/s, ""), hasGlob: false })),
  ];
}

function valuesAfter(words: readonly ShellWord[], prefix: string): readonly ShellWord[] {
  return words
    .filter((word) => word.text.startsWith(prefix))
    .map((word) => ({ ...word, text: word.text.slice(prefix.length) }));
}

function afterEquals(word: ShellWord): readonly ShellWord[] {
  const value = /^[\w-]+=@?(.+)$/.exec(word.text)?.[1];
  return value === undefined ? [] : [{ ...word, text: value }];
}
