import { optionValues } from "./option-values.ts";
import { readContainer } from "./container.ts";
import { startedByMultiplexer } from "./multiplexers.ts";
import { MAX_WORDS } from "./shell-command.ts";
import { UNKNOWN, UNSEEN } from "./unknown.ts";
import { type ShellWord, textAt, textsOf } from "./word-fields.ts";
import { ANY_WORD, NOTHING, type Started, quoteWords } from "./wrapped-command.ts";

/** Programs that start others in their own particular ways. */
export function startedByRunner(
  program: string,
  words: readonly ShellWord[],
  stdin: string | undefined,
  cwd: string | undefined,
): Started {
  switch (program) {
    case "xargs":
    case "gxargs":
      return startedByXargs(words, stdin);
    case "parallel":
    case "sem":
      return startedByParallel(words, stdin);
    case "find":
    case "gfind":
    case "fd":
    case "fdfind":
      return startedByFind(program, words);
    case "git":
      return startedByGit(words);
    case "docker":
    case "podman":
    case "nerdctl":
    case "docker-compose":
    case "podman-compose":
      return startedInContainer(program, words, cwd);
    case "distrobox":
    case "gnome-terminal":
    case "onchange":
    case "reflex":
    case "guix":
      return afterWord(words, /^--$/);
    case "xterm":
    case "urxvt":
    case "konsole":
    case "alacritty":
      return afterWord(words, /^-e$/);
    case "nix":
      return afterWord(words, /^(?:-c|--command)$/);
    case "concurrently":
      return { commands: [], scripts: words.slice(1).flatMap(({ text }) => (text.startsWith("-") ? [] : text)) };
    case "gcloud":
    case "aws":
    case "az":
      return startedInCloud(words);
    case "kubectl":
    case "oc":
      return startedInPod(words);
    case "tar":
    case "gtar":
    case "bsdtar":
      return {
        commands: [],
        scripts: optionTexts(words, ["--checkpoint-action", "--to-command", "-I", "--use-compress-program"]).map(
          (value) => value.replace(/^exec=/, ""),
        ),
      };
    case "tmux":
    case "screen":
      return startedByMultiplexer(program, words);
    case "at":
    case "batch":
    case "crontab":
      return stdin === undefined
        ? NOTHING
        : { commands: [], scripts: [stdin.replaceAll(/^(?:[0-9*/,-]+\s+){5}|^@\w+\s+/gm, "")] };
    default:
      return NOTHING;
  }
}

const XARGS_VALUE_OPTIONS = new Set([
  "-n",
  "-P",
  "-L",
  "-d",
  "-E",
  "-s",
  "-a",
  "-I",
  "-J",
  "-R",
  "--max-args",
  "--max-procs",
  "--delimiter",
  "--arg-file",
  "--max-lines",
]);

function startedByXargs(words: readonly ShellWord[], stdin: string | undefined): Started {
  let placeholder: string | undefined;
  let at = 1;
  for (; at < words.length; at += 1) {
    const text = textAt(words, at);
    if (!text.startsWith("-")) break;
    if (/^-[IJ]/.test(text)) placeholder = text.length > 2 ? text.slice(2) : words[at + 1]?.text;
    if (text === "-i" || text.startsWith("--replace")) placeholder = text.split("=")[1] || "{}";
    if (XARGS_VALUE_OPTIONS.has(text)) at += 1;
  }
  const command = words.slice(at);
  if (command.length === 0) return NOTHING;
  const inputs = stdin === undefined ? [ANY_WORD] : stdin.split(/\s+/).filter(Boolean).map(toWord);
  // Some versions append the input if nothing is to be replaced.
  if (placeholder === undefined || !command.some((word) => word.text.includes(placeholder)))
    return { commands: [[...command, ...inputs]], scripts: [] };
  const lines = stdin === undefined ? [UNSEEN] : stdin.split("\n").filter(Boolean);
  return { commands: asFarAsRead(lines, command).map((line) => replaceIn(command, placeholder, line)), scripts: [] };
}

/** As many inputs of a command as can be read: with one more, the limit for words is exceeded. */
function asFarAsRead<T>(inputs: readonly T[], command: readonly ShellWord[]): readonly T[] {
  return inputs.slice(0, MAX_WORDS / (command.length || 1) + 1);
}

function startedByParallel(words: readonly ShellWord[], stdin: string | undefined): Started {
  const separator = words.findIndex((word) => /^:::\+?$/.test(word.text));
  const start = words.findIndex(
    (word, index) => index > 0 && !word.text.startsWith("-") && !PARALLEL_VALUE_OPTIONS.test(textAt(words, index - 1)),
  );
  const command = start === -1 ? [] : words.slice(start, separator === -1 ? undefined : separator);
  const given = separator === -1 ? undefined : textsOf(words.slice(separator + 1));
  const inputs = asFarAsRead(given ?? stdin?.split("\n").filter(Boolean) ?? [UNSEEN], command);
  const text = textsOf(command).join(" ");
  const scripts = inputs.map((input) => {
    if (text === "") return input;
    return text.includes("{}") ? text.replaceAll("{}", () => input) : `${text} ${input}`;
  });
  // Each input is one word, also where it is not replaced in the text of a script: `parallel bash -c ::: 'script'`.
  const commands = command.length === 0 ? [] : inputs.map((input) => withInput(command, input));
  return { commands, scripts };
}

/** The command with `{}` and `{2}` replaced by an input, or with the input at its end. */
function withInput(command: readonly ShellWord[], input: string): readonly ShellWord[] {
  const hasPlaceholder = command.some((word) => PLACEHOLDER.test(word.text));
  if (!hasPlaceholder) return [...command, toWord(input)];
  return command.map((word) => ({ ...word, text: word.text.replace(PLACEHOLDER, () => input) }));
}

const PLACEHOLDER = /\{\d?\}/;
const PARALLEL_VALUE_OPTIONS =
  /^(?:-[jNnLSaICd]|--(?:jobs|results|sshlogin|sshloginfile|arg-file|delimiter|colsep|timeout|retries|joblog|workdir|tmpdir|tagstring|max-args|max-procs|load|delay))$/;

/** `find dir -exec rm {} \;`: the braces stand for something below the directory, with the name that it searches for. */
function startedByFind(program: string, words: readonly ShellWord[]): Started {
  const isFind = program === "find" || program === "gfind";
  const found = isFind ? foundFiles(words) : foldersOfFd(words).map((folder) => `${folder}/${UNSEEN}`);
  const commands: ShellWord[][] = [];
  for (const [index, word] of words.entries()) {
    if (!/^(?:-exec|-execdir|-ok|-okdir|-x|-X|--exec|--exec-batch)$/.test(word.text)) continue;
    const rest = words.slice(index + 1);
    const end = rest.findIndex((item) => item.text === ";" || item.text === "+");
    const given = end === -1 ? rest : rest.slice(0, end);
    // `fd` puts what it finds at the end if nothing says where.
    const isAppended = program.startsWith("fd") && !given.some((item) => item.text.includes("{}"));
    const command = isAppended ? [...given, { text: "{}", hasGlob: false }] : given;
    for (const file of asFarAsRead(found, command)) commands.push(replaceIn(command, "{}", file));
    if (commands.length > MAX_WORDS) break;
  }
  return { commands: commands.filter((command) => command.length > 0), scripts: [] };
}

/** The folders that `fd` searches: what follows its pattern, before options. */
function foldersOfFd(words: readonly ShellWord[]): readonly string[] {
  const end = words.findIndex(({ text }) => /^(?:-x|-X|--exec|--exec-batch)$/.test(text));
  const folders = words.slice(1, end).flatMap(({ text }) => (text.startsWith("-") ? [] : text));
  const below = folders.slice(1).filter((folder) => /[/.~]/.test(folder));
  return below.length > 0 ? below : ["."];
}

/**
 * What `find` finds, as patterns: names below each of its directories, or the directories if it matches everything. What has no
 * name is something unknown if it is `-empty`, otherwise any number of files.
 */
export function foundFiles(words: readonly ShellWord[]): readonly string[] {
  const tests =
    /^-(?:i?(?:name|path|regex|wholename)|i?lname|x?type|empty|size|[acm]?(?:time|min)|[acm]?newer|used|(?:no)?(?:user|group)|[ug]id|perm|readable|writable|executable|links|inum|samefile|fstype|mindepth)/;
  const takesEverything = !words.some(({ text }) => tests.test(text));
  const other = words.some(({ text }) => text === "-empty") ? UNKNOWN : UNSEEN;
  const names = namesSought(words);
  return startingPoints(words).flatMap((start) => {
    if (takesEverything) return start;
    const directory = start === "/" ? "" : start;
    return names.map((name = other) => (name.startsWith(`${start}/`) ? name : `${directory}/${name}`));
  });
}

/** The name or path of each alternative, undefined for one that has none; without what is pruned in favour of the next. */
function namesSought(words: readonly ShellWord[]): readonly (string | undefined)[] {
  const names: (string | undefined)[] = [];
  let name: string | undefined;
  let isPruned = false;
  for (const [index, { text }] of words.entries()) {
    const isNegated = /^(?:!|-not)$/.test(textAt(words, index - 1));
    if (text === "-prune") isPruned = true;
    if (/^-i?(?:name|path|wholename)$/.test(text) && !isNegated) name ??= words[index + 1]?.text;
    if (!/^(?:-or?|,)$/.test(text)) continue;
    if (!isPruned) names.push(name);
    [name, isPruned] = [undefined, false];
  }
  return [...names, name];
}

/** The directories that `find` searches; its own options may precede them. */
function startingPoints(words: readonly ShellWord[]): readonly string[] {
  const starts: string[] = [];
  for (let at = 1; at < words.length; at += 1) {
    const text = textAt(words, at);
    if (/^-(?:[HLP]|O\d?)$/.test(text)) continue;
    if (text === "-D" || text === "-f") at += 1;
    else if (/^[-(!]/.test(text)) break;
    else starts.push(text.replace(/(?<!\/)\/+$/, "") || "/");
  }
  return starts.length === 0 ? ["."] : starts;
}

const CONTAINER_VALUE_OPTIONS =
  /^(?:-[ecuwhlmpvaH]|--(?:env|env-file|user|workdir|hostname|label|memory|publish|volume|attach|name|network|net|entrypoint|mount|add-host|cpus|gpus|platform|pull|restart|index|profile|project-name|project-directory|file|host|context|ip|device|dns|tmpfs|ulimit|shm-size|detach-keys|cap-add|cap-drop|security-opt|log-driver|runtime|volumes-from))$/;

/** `docker exec web rm x`, `docker run image rm x`: what follows the container, the service or the image. */
function startedInContainer(program: string, words: readonly ShellWord[], cwd: string | undefined): Started {
  // `podman unshare rm x` and `podman machine ssh rm x` run on the machine itself, or on the one that has the containers.
  const [, first, second] = textsOf(words);
  if (first === "unshare" || second === "ssh")
    return { commands: [words.slice(first === "unshare" ? 2 : 3)], scripts: [] };
  const at = words.findIndex(({ text }, index) => index > 0 && (text === "exec" || text === "run"));
  if (at === -1 || at > 6) return NOTHING;
  const rest = words.slice(at + 1);
  const target = rest.findIndex(
    ({ text }, index) => !text.startsWith("-") && !CONTAINER_VALUE_OPTIONS.test(textAt(rest, index - 1)),
  );
  const command = target === -1 ? [] : rest.slice(target + 1);
  if (command.length === 0) return NOTHING;
  const isNew = words[at]?.text === "run" && !program.endsWith("-compose") && words[at - 1]?.text !== "compose";
  const container = isNew ? readContainer(rest.slice(0, target), cwd) : undefined;
  return { commands: [command], scripts: [], container };
}

/** What follows a word: `nix develop -c rm x`, `distrobox enter box -- rm x`. */
function afterWord(words: readonly ShellWord[], mark: RegExp): Started {
  const at = words.findIndex(({ text }) => mark.test(text));
  const command = at === -1 ? [] : words.slice(at + 1);
  return command.length === 0 ? NOTHING : { commands: [command], scripts: [] };
}

/** `gcloud compute ssh vm --command script`, `aws ecs execute-command`, and what AWS and Azure run on a machine. */
function startedInCloud(words: readonly ShellWord[]): Started {
  const starts = words.some(({ text }) => /^(?:ssh|execute-command|send-command|run-command)$/.test(text));
  if (!starts) return NOTHING;
  const lists = optionTexts(words, ["--parameters"]).filter((text) => /\bcommands\b/.test(text));
  return {
    commands: [],
    scripts: [
      ...optionTexts(words, ["--command", "--scripts"]),
      ...lists.flatMap((text) =>
        [...text.matchAll(/"([^"]{2,})"|^commands=([^["].*)/gs)].map(([, one, other]) => one ?? other ?? ""),
      ),
    ],
  };
}

/** `kubectl exec pod -- rm x`, `oc rsh pod rm x`. */
function startedInPod(words: readonly ShellWord[]): Started {
  if (words[1]?.text === "rsh") return { commands: [words.slice(3)], scripts: [] };
  const separator = words.findIndex(({ text }) => text === "--");
  const isExec = words.slice(0, separator).some(({ text }) => text === "exec" || text === "run" || text === "debug");
  const command = words.slice(separator + 1);
  return separator === -1 || !isExec || command.length === 0 ? NOTHING : { commands: [command], scripts: [] };
}

/** Aliases that start with `!`, and options that name a program. */
function startedByGit(words: readonly ShellWord[]): Started {
  const scripts: string[] = [];
  for (const [index, word] of words.entries()) {
    const next = textAt(words, index + 1);
    const rest = (): readonly ShellWord[] => words.slice(index + 2);
    if (word.text === "-c" || word.text === "--config-env") scripts.push(...scriptOfSetting(next, rest));
    if (word.text.startsWith("alias.")) scripts.push(...scriptOfSetting(`${word.text}=${next}`, rest));
    const [, named] = /^--(?:exec|upload-pack|receive-pack)=(.*)$/s.exec(word.text) ?? [];
    if (named !== undefined) scripts.push(named);
    // A transport that is a program.
    if (word.text.startsWith("ext::")) scripts.push(word.text.slice("ext::".length));
    const isRemote = /^(?:-u|--upload-pack|--receive-pack)$/.test(word.text);
    if (isRemote && words.some((item) => /^(?:clone|fetch|pull|push|ls-remote)$/.test(item.text))) scripts.push(next);
    if (/^(?:--exec|-x|--extcmd)$/.test(word.text) && words.some((item) => /^(?:rebase|difftool)$/.test(item.text)))
      scripts.push(next);
    if (/^--(?:tree|index|msg|env|commit|parent|tag-name)-filter$/.test(word.text)) scripts.push(next);
    const isRun = word.text === "run" && words[index - 1]?.text === "bisect";
    if (isRun || word.text === "foreach")
      scripts.push(
        words
          .slice(index + 1)
          .filter((item) => !item.text.startsWith("--"))
          .map((item) => item.text)
          .join(" "),
      );
  }
  return { commands: [], scripts: scripts.filter(Boolean) };
}

/** `alias.x=!script` runs a script, `alias.x=push --force` git itself, and some settings name a program. */
function scriptOfSetting(setting: string, restOf: () => readonly ShellWord[]): readonly string[] {
  const [, key, value] = /^([^=]+)=([\s\S]*)$/.exec(setting) ?? [];
  if (key === undefined || value === undefined) return [];
  if (key.startsWith("alias.")) {
    const rest = restOf();
    const use = rest.findIndex((word) => word.text === key.slice("alias.".length));
    const script = value.startsWith("!") ? value.slice(1) : `git ${value}`;
    return [use === -1 ? script : `${script} ${quoteWords(rest.slice(use + 1))}`];
  }
  const namesProgram = /(?:pager|editor|external|sshcommand|fsmonitor|askpass|textconv|program|cmd|helper)$/i.test(key);
  return namesProgram ? [value.replace(/^!/, "")] : [];
}

function optionTexts(words: readonly ShellWord[], options: readonly string[]): readonly string[] {
  return textsOf(optionValues(words, options));
}

function replaceIn(words: readonly ShellWord[], placeholder: string, text: string): ShellWord[] {
  const { hasGlob } = toWord(text);
  return words.map((word) => {
    const replaced = word.text.replaceAll(placeholder, () => text);
    return { text: replaced, hasGlob: word.hasGlob || (hasGlob && replaced !== word.text) };
  });
}

/** What `find` is known to print may be a pattern for names. */
function toWord(text: string): ShellWord {
  return { text, hasGlob: /[*?]|\[[^\]]/.test(text) };
}
