import { isBelow } from "../policy/file-location.ts";
import { resolve } from "node:path";
import { type CallSubject, ELSEWHERE, MACHINES } from "../policy/call-subject.ts";
import type { PolicyFacts, ProjectFacts } from "../policy/policy-facts.ts";
import { optionValues } from "../shell/option-values.ts";
import { SHELLS } from "../shell/command-wrappers.ts";
import { type ShellCommand, argumentsOf, programOf } from "../shell/shell-command.ts";
import { type ShellWord, textAt, textsOf } from "../shell/word-fields.ts";
import { readsScriptFromInput } from "../shell/wrapped-command.ts";
import { FETCHERS } from "../policy/detectors/pipe-to-shell.ts";
import { type GivenArguments, hasOption, matchesPattern, plainWords, readArguments } from "./argument-pattern.ts";
import { type FoundEffect, effectsOnFiles } from "./file-effects.ts";
import { effectsOfGit } from "./git-effects.ts";
import { effectsOfRequest } from "./request-effects.ts";
import { effectOfSql, givenStatements } from "./sql-effects.ts";
import { patternsOf } from "./effect-tables.ts";

/** The rule about a command that exceeds the limits of dissection. */
export const BEYOND_LIMITS = "code.beyond-limits";

/** Everything that a call would do according to the rules of the packs, each rule once. */
export function findEffects(subject: CallSubject): readonly FoundEffect[] {
  const found = new Map<string, FoundEffect>();
  const add = (rule: string, text: string, isElsewhere = false, unrecorded?: string): void => {
    // What happens elsewhere cannot be undone, so it counts more than what comes before it.
    const known = found.get(rule);
    if (known === undefined || (isElsewhere && !known.isElsewhere))
      found.set(rule, { rule, subject: text, isElsewhere, unrecorded });
  };
  const { commands } = subject.dissection;
  for (const command of commands) {
    for (const rule of effectsOfCommand(command, subject.facts)) {
      if (isTemporary(rule, command, subject.facts)) continue;
      if (rule === "containers.stop" && stopsNamed(command) && !namesMachine(subject)) continue;
      if (rule === "git.force-push" && commands.some((other) => createsPushed(other, command))) continue;
      const stashed =
        rule === "git.drop-stash" && commands.some(stashesIgnored) ? subject.facts.unrecorded?.[0] : undefined;
      const text = textsOf(command.words).join(" ");
      add(rule, text, stashed !== undefined || isElsewhere(rule, command, subject.facts), stashed);
    }
  }
  const { multiplies } = subject.dissection;
  if (multiplies !== undefined) add("processes.multiply", multiplies);
  if (subject.dissection.isCutOff) add(BEYOND_LIMITS, subject.dissection.problem ?? "");
  for (const effect of effectsOnFiles(subject.files, subject.facts))
    add(effect.rule, effect.subject, effect.isElsewhere, effect.unrecorded);
  return [...found.values()];
}

/** Whether a command creates the branch or sets the tag that another one pushes: one that a program makes again and again. */
function createsPushed(command: ShellCommand, push: ShellCommand): boolean {
  const [program, subcommand = "", ...texts] = textsOf(command.words);
  if (program !== "git" || !/^(?:checkout|switch|tag)$/.test(subcommand)) return false;
  const creates = subcommand === "tag" ? /^(?:-f|--force)$/ : /^(?:-[bBcC]|--create|--force-create)$/;
  const at = texts.findIndex((text) => creates.test(text));
  const name = at === -1 ? undefined : texts[at + 1];
  // What is fetched from there may have become somebody else's.
  if (name === undefined || /^(?:main|master)$/.test(name) || texts.some((text) => text.endsWith(`/${name}`)))
    return false;
  return push.words.slice(3).some(({ text }) => text === name);
}

/** Whether a command moves what git ignores into a stash. */
function stashesIgnored(command: ShellCommand): boolean {
  return programOf(command) === "git" && matchesPattern("stash -a|--all", readArguments(argumentsOf(command)));
}

function isElsewhere(rule: string, command: ShellCommand, { projectRoot }: ProjectFacts): boolean {
  if (rule === "files.mirror-delete" && !isLocalCopy(command)) return true;
  const directory = directoryOf(command);
  return directory === undefined || (directory !== projectRoot && !isBelow(directory, projectRoot));
}

/** Where a command works on this machine. */
function directoryOf({ words, cwd, wrappers }: ShellCommand): string | undefined {
  if (cwd === undefined || wrappers.some((wrapper) => ELSEWHERE.has(wrapper))) return undefined;
  const named = optionValues(words, ["-C", "--git-dir", "--work-tree"]);
  return programOf({ words }) === "git" ? resolve(cwd, ...textsOf(named)) : cwd;
}

/** Whether `rsync` stays on this machine: what it deletes outside the project is found among the files that it touches. */
function isLocalCopy(command: ShellCommand): boolean {
  return (
    programOf(command) === "rsync" && argumentsOf(command).every(({ text }) => !/^(?:rsync:\/\/|[^-/]*:)/.test(text))
  );
}

/** Whether only a working tree or a copy in a folder for temporary files is changed. */
function isTemporary(rule: string, command: ShellCommand, { temporaryDirs }: PolicyFacts): boolean {
  if (!/^git\.(?:discard|delete-(?:untracked|ignored|worktree))|^files\.mirror/.test(rule)) return false;
  const target = /worktree|mirror/.test(rule) ? (command.words.at(-1)?.text ?? "") : "";
  const base = directoryOf(command) ?? (target.startsWith("/") ? "/" : undefined);
  const directory = base === undefined || target.includes(":") ? undefined : resolve(base, target);
  return directory !== undefined && temporaryDirs.some((temporary) => isBelow(directory, temporary));
}

function effectsOfCommand(command: ShellCommand, facts: PolicyFacts): readonly string[] {
  const { program, words } = asProgram(command);
  const given = readArguments(words);
  if (asksForHelp(program, given) || hasOption(given, "--dry-run|--dryrun|--what-if|-WhatIf|--noop|--check-only"))
    return [];
  // What GitHub keeps to make builds faster is no loss.
  if (program === "gh" && /^(?:actions-)?cache$/.test(plainWords(given)[0] ?? "")) return [];
  if (INSTALLS_EMULATORS.test(`${program} ${textsOf(words).join(" ")}`)) return [];
  if (program === "rclone" && ASKS.test(textsOf(words).join(" ")) && !isAnswered(command)) return [];
  const rules = patternsOf(program)
    .filter(({ pattern }) => matchesPattern(pattern, given))
    .map(({ rule }) => (rule === "kubernetes.delete" && deletesNamedPods(given) ? "kubernetes.interrupt" : rule));
  return [...rules, ...otherEffects(program, command, given, facts)];
}

/** Images that only make the kernel run programs for other processors, for which they need rights but no files of the machine. */
const INSTALLS_EMULATORS =
  /^(?:docker|podman|nerdctl) run (?:--?(?:rm|privileged|tty|interactive|it|i|t) )*(?:docker\.io\/)?(?:(?:tonistiigi|linuxkit|docker)\/binfmt|multiarch\/qemu-user-static)(?:[:@][\w.:-]+)?(?: |$)/;

/** The option that has `rclone` ask, where it is no value of another. */
const ASKS = /^\w+ (?:-i|--interactive) (?!.*--auto-confirm)/;

/** Whether something else than a person would answer what a program asks before it does something. */
function isAnswered({ stdin, pipedFrom, redirects }: ShellCommand): boolean {
  return stdin !== undefined || pipedFrom.length > 0 || redirects.some(({ operator }) => operator.startsWith("<"));
}

/** Whether containers of this machine are stopped by their names: starting one again brings it back as it was. */
function stopsNamed(command: ShellCommand): boolean {
  const text = textsOf(argumentsOf(command)).join(" ");
  return (
    /^(?:container )?stop(?: (?:-(?:t|-time(?:out)?)[= ]?\d+|\w[\w.-]*))+$/.test(text) &&
    !command.wrappers.some((wrapper) => ELSEWHERE.has(wrapper))
  );
}

/** Whether a call may have told its client of containers to use another machine, or its environment has. */
function namesMachine({ call, facts }: CallSubject): boolean {
  return (
    /\b(?:DOCKER|CONTAINER)_|\bcontext\b/.test(call.script ?? "") || facts.environment["DOCKER_HOST"] !== undefined
  );
}

/** Whether a program would only explain itself, or name its version: by `-h` or `-V` as well, where nothing but its subcommand is given. */
function asksForHelp(program: string, given: GivenArguments): boolean {
  if (hasOption(given, "--help|-?")) return true;
  const last = given.items.at(-1)?.text ?? "";
  if (program === "aws" && last === "help") return true;
  const options = given.items.filter(({ isOption }) => isOption);
  return /^-[hV]$/.test(last) && options.length === 1 && !HALTS.test(program);
}

/** For these, `-h` halts the machine. */
const HALTS = /^(?:shutdown|halt|poweroff|reboot|(?:tel)?init)$/;

/**
 * Pods, rights and registrations by their names, which are started again or applied again: nothing that they contain is lost.
 * By force, or chosen by something else, they may be.
 */
function deletesNamedPods(given: GivenArguments): boolean {
  const [action, ...names] = plainWords(given).slice(plainWords(given).indexOf("delete"));
  if (
    action !== "delete" ||
    hasOption(given, "--force|--grace-period|--all|-A|--all-namespaces|-l|--selector|--field-selector|-f|-k")
  )
    return false;
  const isKind = (name: string): boolean => REPLACEABLE_KINDS.test(name.split(".", 1).join("").replace(/s$/, ""));
  if (isKind(names[0] ?? "")) return names.length > 1;
  return names.length > 0 && names.every((name) => name.includes("/") && isKind(name.slice(0, name.indexOf("/"))));
}

const REPLACEABLE_KINDS =
  /^(?:po|pod|job|r|replicaset|ev|event|lease|ep|endpoint|apiservice|(?:validating|mutating)webhookconfiguration|sa|serviceaccount|(?:cluster)?role(?:binding)?)$/;

/** The program by its usual name: without an ending, started through an interpreter, or with capital letters. Redis accepts either. */
function asProgram(command: ShellCommand): { readonly program: string; readonly words: readonly ShellWord[] } {
  const words = argumentsOf(command);
  const program = programOf(command).replace(/\.(?:sh|bat|cmd|jar|php)$/, "");
  if (/^[A-Z]{3,}$|^(?:redis|valkey)-cli$/.test(program)) {
    const lower = words.map((word) => ({ ...word, text: word.text.toLowerCase() }));
    return { program: program.toLowerCase(), words: lower };
  }
  const known = patternsOf(program).length > 0 ? program : program.toLowerCase();
  if (!INTERPRETERS.test(known)) return { program: known, words };
  const at = words.findIndex(({ text }, index) => !text.startsWith("-") && words[index - 1]?.text !== "-classpath");
  const inner = textAt(words, at);
  const name = inner.slice(inner.lastIndexOf("/") + 1).replace(/\.(?:jar|phar)$/, "");
  return patternsOf(name).length > 0 ? { program: name, words: words.slice(at + 1) } : { program: known, words };
}

/** They start a program that is a file, a module or a package of theirs. */
const INTERPRETERS = /^(?:python\d?(?:\.\d+)?|php|ruby|java|node|bun|deno|pnpm|yarn|npm|bin|jruby|perl)$/;

const SQL_CLIENTS = new Set(
  "psql mysql mariadb sqlite3 sqlite sqlcmd clickhouse clickhouse-client duckdb cockroach snowsql bq sqlplus usql pgcli mycli litecli cqlsh mssql-cli isql impala-shell beeline hive presto trino vsql db2 wrangler turso supabase prisma rails gcloud aws influx libsql".split(
    " ",
  ),
);
/** The first words of statements, which somebody may enter as a command. */
const SQL_VERBS = /^(?:drop|truncate|delete|alter|update|grant)$/;
const MONGO_CLIENTS = /^(?:mongo|mongosh)$/;
const MONGO_LOSS =
  /\.\s*(?:dropDatabase|drop|dropIndexes|dropUser|dropRole|dropAllUsersFromDatabase)\s*\(|\.\s*(?:deleteMany|remove)\s*\(\s*(?:\{\s*\}\s*)?\)/;

function otherEffects(
  program: string,
  command: ShellCommand,
  given: GivenArguments,
  facts: PolicyFacts,
): readonly string[] {
  const words = argumentsOf(command);
  const text = (): string => [...textsOf(words), command.stdin ?? ""].join("\n");
  if (program === "git" || program === "hub") return effectsOfGit(given, directoryOf(command), facts);
  if (SQL_VERBS.test(program)) return sqlRules(`${program} ${textsOf(words).join(" ")}`);
  if (SQL_CLIENTS.has(program)) return sqlRules(givenStatements(command, facts));
  if (MONGO_CLIENTS.test(program)) return MONGO_LOSS.test(text()) ? ["databases.drop-data"] : [];
  switch (program) {
    case "curl":
    case "wget":
    case "http":
    case "https":
    case "xh":
    case "xhs":
      return effectsOfRequest(given);
    case "dd":
      return words.some((word) => /^of=\/dev\/(?!null|stdout|stderr|fd\/|shm\/)/.test(word.text))
        ? ["disks.write"]
        : [];
    case "chmod":
    case "chown":
    case "chgrp":
      return changesSystem(given) ? ["permissions.change-all"] : [];
    case "docker":
    case "podman":
    case "nerdctl":
      return words.some((word) => MOUNTS_HOST.test(word.text)) ? ["containers.own-host"] : [];
    case "xargs":
    case "parallel":
      return runsInput(words) ? ["code.run-input"] : [];
    case "rm":
    case "rmdir":
    case "unlink":
    case "find":
      return command.wrappers.some((wrapper) => MACHINES.has(wrapper)) &&
        /^(?:rm|unlink)$|^-delete$/m.test(`${program}\n${text()}`)
        ? ["files.remote-delete"]
        : [];
    case "scp":
      return overwritesSystem(plainWords(given), hasOption(given, "-r")) ? ["files.remote-overwrite"] : [];
    case "kill":
      return endsEverything(words) ? ["processes.kill-all"] : [];
    case "crontab":
      return replacesSchedule(words, command) ? ["processes.delete-schedule"] : [];
    case "socat":
    case "nc":
      return /\b(?:disable|shutdown|del|clear)\b/.test(command.stdin ?? "") ? ["services.interrupt"] : [];
    default:
      if (runsPrinted(program, command)) return ["code.run-input"];
      if (/^\w+(?:\.\w+)+\.(?:delete|destroy|drop|cancel)$/.test(program)) return ["services.delete"];
      if (!isCode(program, words)) return [];
      return [
        ...(DELETING_CODE.test(text()) ? ["databases.drop-data"] : []),
        ...(DELETING_REQUEST.test(text()) ? ["services.http-delete"] : []),
        ...(text().includes("fork") && MULTIPLYING_CODE.test(text()) ? ["processes.multiply"] : []),
      ];
  }
}

/** Whether `scp` copies into a folder of the system, or a whole tree into the root or the home, of another machine. */
function overwritesSystem(names: readonly string[], isRecursive: boolean): boolean {
  const target = names.at(-1) ?? "";
  return (
    /:\/(?:$|(?:etc|usr|bin|sbin|boot|lib\w*|var|root|dev|sys|proc|opt)(?:\/|$))/.test(target) ||
    (isRecursive && /:\/?$/.test(target))
  );
}

/** Whether `-1` is what a signal is sent to: every process. As the first option it is the signal. */
function endsEverything(words: readonly ShellWord[]): boolean {
  const [first = "", ...rest] = textsOf(words);
  return (/^-[sn]$/.test(first) ? rest.slice(1) : rest).includes("-1");
}

/** Whether `crontab` takes the place of all jobs with nothing, or with a text in which those before do not occur. */
function replacesSchedule(words: readonly ShellWord[], { stdin }: ShellCommand): boolean {
  const [file] = words.filter(({ text }) => text === "-" || !text.startsWith("-"));
  return file?.text === "/dev/null" || (stdin !== undefined && (file === undefined || file.text === "-"));
}

/** Code given to an interpreter, or to the console of an application. */
function isCode(program: string, words: readonly ShellWord[]): boolean {
  return (
    /^(?:python[\d.]*|node|deno|bun|ruby|php|perl|gitlab-rails|rails|artisan)$/.test(program) &&
    words.some(({ text }) => /^(?:-\w*[cerp]|--eval|--execute.*|eval|runner|tinker)$/.test(text))
  );
}

const DELETING_CODE =
  /\b(?:deleteIndex|clearObjects|destroy_all|delete_all|deleteMany|drop_all|drop_database|dropDatabase|dropTable|drop_table|flushall|flushdb|(?<!\b(?:os|fs|File|promises)\.)truncate)\s*\(|\.(?:destroy_all|delete_all)\b|\bdrop\s+(?:database|table|schema)\s+\w/i;

const DELETING_REQUEST =
  /\b(?:requests|httpx|axios|session|client|http)\.delete\s*\(|\bmethod["']?\s*[:=]\s*["']DELETE\b/i;

/** Values of `docker run` that give a container the root of the machine or a system folder, to be written. */
const MOUNTS_HOST =
  /^(?:-v|--volume=)?\/(?:etc|root|boot)?:\/(?!.*:ro$)|^(?:--mount=)?type=bind,(?:source|src)=\/,(?!.*\b(?:readonly|ro)\b)/;

const MULTIPLYING_CODE = /\bfork\b[\s()]*(?:while|until)\b|\b(?:while|loop)\b[^\n]{0,40}\bfork\b/;

function sqlRules(sql: string): readonly string[] {
  const effect = effectOfSql(sql);
  return effect === undefined ? [] : [`databases.${effect}`];
}

/** A shell that takes its script from the input: `xargs bash -c`, `parallel sh -c {}`. */
function runsInput(words: readonly ShellWord[]): boolean {
  const option = words.findIndex(({ text }, index) => text === "-c" && SHELLS.has(textAt(words, index - 1)));
  const script = words[option + 1]?.text;
  return option !== -1 && (script === undefined || /^(?:\{\d?\}|%|:::.*)$/.test(script));
}

/** A shell whose script is printed by something else: `history | sh`. `cat file | sh` is as good as `sh file`. */
function runsPrinted(program: string, { words, stdin, pipedFrom, redirects }: ShellCommand): boolean {
  return (
    SHELLS.has(program) &&
    stdin === undefined &&
    redirects.every(({ operator }) => !operator.startsWith("<")) &&
    pipedFrom
      .slice(-100)
      .some((source) => !/^(?:cat|tee|echo|printf)$/.test(programOf(source)) && !FETCHERS.has(programOf(source))) &&
    readsScriptFromInput(words)
  );
}

/** Rights of the system, or of somebody else's home, changed as a whole. */
function changesSystem(given: GivenArguments): boolean {
  const isRecursive = hasOption(given, "-R|--recursive");
  return (
    isRecursive &&
    given.items.some(({ text }) =>
      /^(?:\/|~\/?|\/(?:etc|usr|bin|sbin|lib\w*|boot|home|root|dev|sys|proc)(?:\/[^/]*)?\/?|\/(?:opt|var(?:\/(?:cache|db|lib|log|mail|run|spool))?)(?:\/\*?)?|\$HOME|\/\*)$/.test(
        text,
      ),
    )
  );
}
