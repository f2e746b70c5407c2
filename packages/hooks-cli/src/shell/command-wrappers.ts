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
  /** Options whose value is the next two words. */
  readonly pairOptions: readonly string[];
  /** Without a command, it starts a shell that reads its script from standard input; always, or with one of these options. */
  readonly readsInput: boolean | readonly string[];
}

/** Wrappers without options of their own. */
const PLAIN =
  "command builtin nohup setsid valgrind firejail torsocks catchsegv unbuffer dbus-run-session systemd-inhibit busybox toybox entr shx " +
  "fakechroot eatmydata chronic run-one dumb-init catatonit arch linux32 linux64 corepack with-contenv flatpak-spawn distrobox-host-exec host-spawn";

/**
 * The others, in shorthand: `-x` is an option with a value, `=-x` one with two, `!-x` one whose value is a script, a number is the
 * number of words before the command, `+x` a subcommand, `NAME=` means that assignments may come first, `…` that the rest is a
 * script, and `<` that a shell reads standard input if there is no command, or `<-x` with this option.
 */
const WRAPPERS: Readonly<Record<string, string>> = {
  sudo: "NAME= <-s <-i <--shell <--login -u -g -h -p -C -T -r -t -D -R -U --user --group --host --prompt --chdir --chroot --role --type",
  doas: "<-s -u -C -a",
  pkexec: "--user",
  su: "1 < !-c !--command -g -G -s --shell --group",
  sg: "1 < !-c",
  newgrp: "1 <",
  gosu: "1",
  "su-exec": "1",
  setuidgid: "1",
  "s6-setuidgid": "1",
  chpst: "-u -U -b -/ -e -d -o -p -f -c -r -t -m -n -C",
  envdir: "1",
  tini: "-p -e",
  daemonize: "-a -c -e -o -p -l -u -E",
  "cross-env": "NAME=",
  "cross-env-shell": "NAME= …",
  "env-cmd": "-f -e -r",
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
  prlimit: "-p --pid",
  cpulimit: "-l -p -e -P --limit --pid --exe --path",
  cgexec: "-g",
  faketime: "1 -f",
  perf: "+stat +record +trace +mem +c2c -e -o -F -C -p -t -r -c --event --output --call-graph",
  fakeroot: "-l -s -i -b --lib --faked",
  proot: "-r -b -w -R -S -q --rootfs --bind --cwd",
  setarch: "1",
  "start-stop-daemon":
    "!-x !--exec !-a !--startas -p -u -g -c -d -n -s --pidfile --user --chuid --chdir --name --signal",
  numactl: "-m -N -C -i -p",
  flock: "1 !-c !--command -w -E --timeout --conflict-exit-code",
  chroot: "1 < --userspec --groups",
  unshare: "-S -G -R -w",
  nsenter: "< -t -S -G --target",
  ip: "+netns 2",
  machinectl: "+shell 1",
  "systemd-nspawn": "-D -M -u --directory --machine --user",
  lxc: "+exec 1",
  incus: "+exec 1",
  multipass: "+exec 1 -d --working-directory",
  limactl: "+shell 1 --workdir",
  toolbox: "+run -c --container",
  crictl: "+exec 1",
  nomad: "+alloc 2 -job -task",
  devcontainer: "+exec --workspace-folder --container-id --config --id-label --remote-env",
  wsl: "-d -u --distribution --user --cd",
  minikube: "+ssh … -p -n --profile --node",
  colima: "+ssh -p --profile",
  adb: "+shell … < -s -t",
  heroku: "+run +run:detached … -a --app -r --remote -s --size -e --env",
  fly: "+ssh 1 !-C !--command -a -s -g --app",
  flyctl: "+ssh 1 !-C !--command -a -s -g --app",
  vagrant: "+ssh 1 !-c !--command",
  setpriv: "--reuid --regid --groups",
  capsh: "!-c",
  strace: "-o -e -p -s -u -P -E -a -I -O -S -X",
  ltrace: "-o -e -p -s -u -l -n",
  gdb: "-ex -x -p",
  bwrap:
    "=--bind =--bind-try =--dev-bind =--dev-bind-try =--ro-bind =--ro-bind-try =--symlink =--setenv =--file =--bind-data =--ro-bind-data --dev --proc --tmpfs --mqueue --dir --chdir --unsetenv --lock-file --remount-ro --uid --gid --hostname --argv0 --cap-add --cap-drop --perms --chmod --seccomp --args",
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
  lerna: "+exec … --scope --ignore --concurrency --since",
  fnm: "+exec --using",
  nvm: "+exec 1",
  volta: "+run --node --npm --yarn",
  pnpm: "+exec +dlx -C --dir -F --filter",
  yarn: "+exec +dlx +run --cwd",
  uv: "+run --with --python -p --project --directory",
  uvx: "--from --with --python -p",
  poetry: "+run -C -P",
  pipenv: "+run",
  pdm: "+run -p",
  rye: "+run",
  hatch: "+run",
  conda: "+run -n -p --name --prefix --cwd",
  mamba: "+run -n -p --name --prefix --cwd",
  micromamba: "+run -n -p -r --name --prefix --cwd",
  tox: "+exec -e -c",
  infisical: "+run !-c !--command --env --path --projectId --token",
  railway: "+run +shell -s -e --service --environment",
  bun: "+x -p --package",
  pixi: "+run +exec -e -s --environment --spec --manifest-path",
  bundle: "+exec",
  rbenv: "+exec",
  pyenv: "+exec",
  "nix-shell": "!--run !--command -p -A -I",
  "workspace-hooks": "+run --secret",
  watch: "… -n --interval",
  eval: "…",
  trap: "…",
  mosh: "1 … -p --ssh --server --port --predict",
  pdsh: "… -w -x -g -l -t -u -f -R",
  clush: "… -w -x -g -X -l -f -t -u",
  pssh: "… -h -H -l -p -o -e -t -O -x -X",
  "parallel-ssh": "… -h -H -l -p -o -e -t -O -x -X",
  sshpass: "-p -f -d -P",
  ssh: "1 … < -p -i -l -o -F -J -L -R -D -b -c -E -e -I -m -O -Q -S -W -w -B",
  hyperfine: "… -w -r -m -M -n -N -p -c -s -S --export-json --export-markdown",
  watchexec: "… -e -w -i -f -d -s --exts --watch --ignore --filter --delay --signal",
  chokidar: "1 !-c !--command -d -t -p",
  lftp: "!-e !-c -u -p",
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
    pairOptions: after("="),
    readsInput: words.includes("<") || after("<"),
  };
}

/** Shells: `-c` gives them a script, and without a file they read one from standard input. */
export const SHELLS = new Set(
  "sh bash dash zsh ksh mksh ash fish rbash csh tcsh yash posh osh ysh nu xonsh elvish".split(" "),
);

/** Options of a shell whose value is the next word. */
export const SHELL_VALUE_OPTIONS = new Set(["-o", "+o", "-O", "+O", "--rcfile", "--init-file"]);
