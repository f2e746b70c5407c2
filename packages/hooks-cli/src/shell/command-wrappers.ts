/** A program that starts the program named in its arguments. */
export interface Wrapper {
  /** Options whose value is the next word. */
  readonly valueOptions: readonly string[];
  /** How many words come between the options and the inner command. */
  readonly positionals: number;
  /** `NAME=value` words may precede the inner command. */
  readonly takesAssignments: boolean;
  /** Options whose value is a script for the shell. */
  readonly scriptOptions: readonly string[];
  /** The rest is not a command with arguments but the text of a script. */
  readonly joinsRest: boolean;
  /** It starts something only with one of these as its first argument: `pnpm exec`. */
  readonly subcommands: readonly string[];
}

/** Wrappers without options of their own. */
const PLAIN =
  "command builtin nohup setsid valgrind firejail torsocks catchsegv unbuffer dbus-run-session systemd-inhibit busybox toybox entr shx";

/**
 * The others, in shorthand: `-x` is an option with a value, `!-x` one whose value is a script, a number is the number of
 * words before the command, `+x` a subcommand, `NAME=` means that assignments may come first, and `…` that the rest is a
 * script.
 */
const WRAPPERS: Readonly<Record<string, string>> = {
  sudo: "NAME= -u -g -h -p -C -T -r -t -D -R -U --user --group --host --prompt --chdir --chroot --role --type",
  doas: "-u -C -a",
  pkexec: "--user",
  su: "1 !-c !--command -g -G -s --shell --group",
  runuser: "!-c !--command -g -G -s -u --user --shell",
  env: "NAME= !-S !--split-string -u -C --unset --chdir --argv0 -a",
  exec: "-a",
  time: "-f -o --format --output",
  nice: "-n --adjustment",
  ionice: "-c -n -p -P -u --class --classdata",
  timeout: "1 -s -k --signal --kill-after",
  gtimeout: "1 -s -k --signal --kill-after",
  stdbuf: "-i -o -e --input --output --error",
  chrt: "1 -T -P -D -p",
  taskset: "1",
  numactl: "-m -N -C -i -p",
  flock: "1 !-c !--command -w -E --timeout --conflict-exit-code",
  chroot: "1 --userspec --groups",
  unshare: "-S -G -R -w",
  nsenter: "-t -S -G --target",
  setpriv: "--reuid --regid --groups",
  capsh: "!-c",
  strace: "-o -e -p -s -u -P -E -a -I -O -S -X",
  ltrace: "-o -e -p -s -u -l -n",
  bwrap: "--bind --ro-bind --dev --proc --tmpfs --chdir --setenv",
  proxychains: "-f",
  proxychains4: "-f",
  rlwrap: "-f -H -b",
  caffeinate: "-t -w",
  "xvfb-run": "-n -s -f -e -p -w",
  "systemd-run": "-p -u -E -M --property --unit --setenv --slice --uid --gid",
  "aws-vault": "+exec 1 -d --duration",
  direnv: "+exec 1",
  op: "+run --env-file --account",
  doppler: "+run !--command -p -c --project --config",
  dotenv: "-e -f -p",
  dotenvx: "+run -f",
  mise: "+exec +x -C",
  asdf: "+exec",
  npx: "!-c !--call -p --package",
  bunx: "-p --package",
  npm: "+exec +x !-c !--call -p --package -w --workspace --prefix",
  pnpm: "+exec +dlx -C --dir -F --filter",
  yarn: "+exec +dlx +run --cwd",
  uv: "+run --with --python -p --project --directory",
  uvx: "--from --with --python -p",
  poetry: "+run -C -P",
  pipenv: "+run",
  pdm: "+run -p",
  rye: "+run",
  hatch: "+run",
  bundle: "+exec",
  rbenv: "+exec",
  pyenv: "+exec",
  nix: "+develop +shell +run !-c !--command",
  "nix-shell": "!--run !--command -p -A -I",
  "workspace-hooks": "+run --secret",
  watch: "… -n --interval",
  eval: "…",
  trap: "…",
  ssh: "1 … -p -i -l -o -F -J -L -R -D -b -c -E -e -I -m -O -Q -S -W -w -B",
  hyperfine: "… -w -r -m -M -n -N -p -c -s -S --export-json --export-markdown",
  nodemon: "!-x !--exec -w -e -i --watch --ext --ignore",
  script: "!-c !--command -I -O -B -T -E",
};

/** How a program starts others; undefined if it does not. */
export function findWrapper(program: string): Wrapper | undefined {
  if (PLAIN.split(" ").includes(program)) return describe([]);
  // A program may have the same name as a property of every object: `constructor`.
  const description = Object.hasOwn(WRAPPERS, program) ? WRAPPERS[program] : undefined;
  return description === undefined ? undefined : describe(description.split(" "));
}

function describe(words: readonly string[]): Wrapper {
  const after = (mark: string): string[] => words.filter((word) => word.startsWith(mark)).map((word) => word.slice(1));
  return {
    valueOptions: words.filter((word) => word.startsWith("-")),
    positionals: Number(words.find((word) => /^\d$/.test(word)) ?? 0),
    takesAssignments: words.includes("NAME="),
    scriptOptions: after("!"),
    joinsRest: words.includes("…"),
    subcommands: after("+"),
  };
}

/** Shells: `-c` gives them a script, and without a file they read one from standard input. */
export const SHELLS = new Set("sh bash dash zsh ksh mksh ash fish rbash csh tcsh".split(" "));

/** Options of a shell whose value is the next word. */
export const SHELL_VALUE_OPTIONS = new Set(["-o", "+o", "-O", "+O", "--rcfile", "--init-file"]);
