/**
 * Runs random destructive calls in clones of real repositories, each in a turn of its own as Claude Code would run it, undoes the
 * turn and compares every byte, mode and link with what was there, beside the time that `cp -a` takes for the files that the undo wrote:
 * `npm run bench -- undo-restore 1000 <repository> [<repository> …]`, each a path or URL that git can clone.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isSameIndex } from "../../packages/hooks-cli/src/undo/index-entries.ts";
import { differences, snapshot } from "../../packages/hooks-cli/src/undo/project.testing.ts";
import { childrenCpuMs } from "../../packages/hooks-cli/tests/support/children-cpu.ts";
import { TemporaryHome, eventually } from "../../packages/hooks-cli/tests/support/temporary-home.ts";
import { percentile } from "./model-service.ts";
import { birthsIn, copyMs, createdSince, fileSystemOf } from "./undo-floor.ts";

const [rounds = "100", ...repositories] = process.argv.slice(2);
const SESSION = "bench";
const MAX_FIRST_CALLS = 20;

let seed = 20_261_123;

/** The same numbers in each run: a linear congruential generator. */
function random(below: number): number {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((seed / 2 ** 32) * below);
}

function pick<T>(list: readonly T[]): T {
  const item = list[random(list.length)];
  if (item === undefined) throw new Error("nothing to choose from");
  return item;
}

/** A file system call, with names that the repository has. */
type Call = (files: readonly string[], folders: readonly string[]) => string;

const quote = (path: string): string => `'${path.replaceAll("'", String.raw`'\''`)}'`;
const some = (list: readonly string[], count = 5): string =>
  Array.from({ length: 1 + random(count) }, () => quote(pick(list))).join(" ");

const CALLS: readonly Call[] = [
  (_files, folders) => `rm -rf ${some(folders)}`,
  (files) => `rm -f ${some(files, 40)}`,
  () => "rm -rf -- * .[!.]*",
  () => "rm -rf .git",
  () => "find . -not -path './.git*' -delete",
  () => `find . -type f -name '*${pick([".md", ".js", ".ts", ".py", ".go", ".json", ".txt"])}' -delete`,
  () => `git reset -q --hard HEAD~${1 + random(5)}`,
  () => "git checkout -q -- .",
  () => "git clean -qffdx",
  () => "git stash -qu && git stash drop -q",
  () => "git stash clear; git reflog expire --expire=now --all; git gc -q --prune=now",
  () => "git branch -qD side; git tag -d mark; git update-ref -d refs/stash",
  () => "git checkout -q --orphan fresh && git rm -rqf . && rm -rf *",
  () => "git checkout -q side && git branch -f main HEAD",
  () => "git commit -qam amended --amend --no-verify",
  () => "git read-tree --empty && git clean -qfd",
  () => "rm -rf .git && git init -q && git add -A",
  (files) => `for f in ${some(files, 30)}; do : > "$f"; done`,
  (files) => `for f in ${some(files, 30)}; do printf x >> "$f"; done`,
  (files) => `sed -i 's/[aeiou]/_/g' ${some(files, 30)}`,
  () =>
    "find . -type f -not -path './.git/*' | head -n 500 | while read -r f; do head -c 1000 /dev/urandom > \"$f\"; done",
  (files) => `truncate -s ${random(100_000)} ${some(files)}`,
  (files) => `dd if=/dev/zero of=${quote(pick(files))} bs=7 count=3 conv=notrunc`,
  (files, folders) => `mv ${quote(pick(files))} ${quote(pick(folders))}/moved-$RANDOM`,
  (_files, folders) => `mv ${quote(pick(folders))} renamed && ln -s /tmp ${quote(pick(folders))}-link`,
  (files) =>
    `rm -f ${quote(pick(files))} && mkdir -p ${quote(pick(files))}.d/x/y && echo in > ${quote(pick(files))}.d/x/y/z`,
  (files) => {
    const file = quote(pick(files));
    return `rm -f ${file}; mkdir ${file}; echo x > ${file}/x`;
  },
  (_files, folders) => {
    const folder = quote(pick(folders));
    return `rm -rf ${folder}; echo file > ${folder}`;
  },
  (files) => `ln -sf /etc/hostname ${some(files)}`,
  (files) => `chmod ${pick(["000", "777", "600", "4755", "444"])} ${some(files, 30)}`,
  (_files, folders) => `chmod -R ${pick(["a-x,a+r", "700", "u+w,g-rwx"])} ${quote(pick(folders))}`,
  () => "find . -type f -not -path './.git/*' -print0 | xargs -0 chmod 755",
  (files) => `cp ${quote(pick(files))} ${quote(pick(files))}`,
  () => "for i in $(seq 400); do mkdir -p new/$((i % 7)); echo $i > new/$((i % 7))/$i; done",
  (_files, folders) =>
    `tar cf /tmp/undo-$$.tar ${quote(pick(folders))} && rm -rf ${quote(pick(folders))}; tar xf /tmp/undo-$$.tar; rm /tmp/undo-$$.tar`,
  () => "git submodule deinit -qf --all; rm -rf .git/modules",
  () => "rm -rf linked nested empty-folder; rm -f dangling .env big.bin",
  () =>
    "git checkout -q side -- . ; git add -A; git -c user.name=a -c user.email=a@example.com commit -qm over --no-verify",
  () => "python3 -c \"import os; [os.rename(p, p + '~') for p in os.listdir('.') if p != '.git']\"",
];

/** Adds what clones do not have: local work in every state, links, modes, a submodule, a nested repository, large and binary files. */
function prepare(home: TemporaryHome, source: string): void {
  const git = (...args: string[]): string =>
    execFileSync(
      "git",
      ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "protocol.file.allow=always", ...args],
      {
        cwd: home.project,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
        maxBuffer: 64 * 1024 * 1024,
      },
    );
  git("clone", "-q", "--no-hardlinks", source, ".");
  // Otherwise it collects garbage in the background, also between the comparison's beginning and the call.
  git("config", "gc.auto", "0");
  git("checkout", "-qB", "main");
  git("branch", "side", "HEAD~3");
  git("tag", "mark");
  execFileSync(
    "/bin/sh",
    [
      "-c",
      "git init -q -b main ../other && cd ../other && echo o > o && git add -A && git -c user.name=a -c user.email=a@b.c commit -qm o",
    ],
    { cwd: home.project },
  );
  git("submodule", "--quiet", "add", join(home.project, "../other"), "linked");
  git("commit", "-qm", "Add a submodule", "--no-verify");
  const tracked = git("ls-files", "-z").split("\0").filter(Boolean);
  writeFileSync(join(home.project, pick(tracked.filter((name) => /\.(?:md|txt|json)$/.test(name)))), "stashed\n");
  git("stash", "-q");
  for (let at = 0; at < 5; at += 1) writeFileSync(join(home.project, `local-${at}.txt`), `staged ${at}\r\n`);
  git("add", "local-0.txt", "local-1.txt");
  execFileSync("git", ["clone", "-q", join(home.project, "../other"), "nested"], {
    cwd: home.project,
    stdio: "ignore",
  });
  mkdirSync(join(home.project, "empty-folder/deeper"), { recursive: true });
  symlinkSync("/nowhere", join(home.project, "dangling"));
  symlinkSync("nested", join(home.project, "folder-link"));
  writeFileSync(Buffer.from(`${home.project}/bytes-\xff\xfe.bin`, "latin1"), Buffer.from([0, 255, 13, 10]));
  writeFileSync(join(home.project, "big.bin"), Buffer.alloc(6_000_000, "big and binary\0"));
  writeFileSync(join(home.project, ".env"), "TOKEN=1\n");
  chmodSync(join(home.project, ".env"), 0o600);
}

/** Has a project recorded for the first time, which may take several calls on a busy machine. Returns their number. */
async function recordFirst(home: TemporaryHome): Promise<number> {
  for (let calls = 1; calls <= MAX_FIRST_CALLS; calls += 1) {
    const session_id = `first-${calls}`;
    const input = { session_id, tool_name: "Bash", tool_input: { command: "make" } };
    if ((await home.hook("PreToolUse", input)).stdout !== "") continue;
    // An undo of another session's turn is refused as long as this one may be at work.
    await end(home, session_id);
    return calls;
  }
  throw new Error("the project could not be recorded");
}

function namesIn(root: string): { files: string[]; folders: string[] } {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true }).filter(
    ({ parentPath, name }) => !`${parentPath}/${name}`.includes("/.git") && !/[^ -~]/.test(name),
  );
  const pathOf = (entry: (typeof entries)[number]): string => join(entry.parentPath, entry.name).slice(root.length + 1);
  return {
    files: entries.filter((entry) => entry.isFile()).map(pathOf),
    folders: entries.filter((entry) => entry.isDirectory()).map(pathOf),
  };
}

/** What people and programs do meanwhile: writes to a file that is not part of the comparison. */
function startWriter(home: TemporaryHome): () => Promise<void> {
  const script =
    "i=0; while :; do i=$((i+1)); echo $i > written-meanwhile.tmp; mv written-meanwhile.tmp written-meanwhile; done";
  const writer = spawn("/bin/sh", ["-c", script], { cwd: home.project, stdio: "ignore" });
  return async () => {
    const ended = once(writer, "exit");
    writer.kill("SIGKILL");
    // Otherwise its processor time counts as that of the undo.
    await ended;
  };
}

/** Whether git has only noted in an index when it last looked at the files. */
function isRefreshed(path: string, before = "", after = ""): boolean {
  const [one, other] = [before, after].map((text) => Buffer.from(text.slice(text.indexOf(" ") + 1), "latin1"));
  return path.endsWith("/index") && one !== undefined && other !== undefined && isSameIndex(one, other);
}

/** Ends the turn of a session, whose start was recorded, and waits until that is recorded. */
async function end(home: TemporaryHome, session_id: string): Promise<void> {
  await home.hook("Stop", { session_id });
  await eventually(() => hasEnd(home, session_id), 10_000);
}

/** Whether the end of the session's last turn is recorded. */
function hasEnd(home: TemporaryHome, session: string): boolean {
  const projects = join(home.root, "undo/projects");
  const folder = readdirSync(projects).find((name) => !name.endsWith(".lock")) ?? "";
  const turns = readdirSync(join(projects, folder, "turns")).filter((name) => name.startsWith(`${session}.`));
  const last = Math.max(...turns.map((name) => Number(name.slice(session.length + 1, -".json".length))));
  return !Number.isInteger(last);
}

/** What others write meanwhile, and git's own temporary files, of which one that was interrupted leaves some. */
const NOT_COMPARED = /^written-meanwhile|\/tmp_[^/]*$/;
const SLOWEST = 10;
/** In less than that, every undo should be done. */
const TARGET_MS = 2_000;
/** With fewer files, an undo mostly starts and looks for what has changed. */
const LARGE = 500;

/** One undo: how long it took, how much of that was processor time, how long a copy of what it wrote took, and what it took back. */
interface Undo {
  readonly ms: number;
  readonly cpuMs: number;
  readonly files: number;
  readonly copyMs: number;
  readonly command: string;
}

const undos: Undo[] = [];
let wrong = 0;
let recorded = 0;
let refreshed = 0;
for (const [at, repository] of repositories.entries()) {
  let home = new TemporaryHome();
  prepare(home, repository);
  const share = Math.ceil(Number(rounds) / repositories.length);
  console.log(
    `${repository}: ${namesIn(home.project).files.length} files, ${share} calls, on ${fileSystemOf(home.project)}; first recorded in ${await recordFirst(home)} calls`,
  );
  for (let round = 0; round < share; round += 1) {
    const before = snapshot(home.project);
    const births = birthsIn(home.project);
    const { files, folders } = namesIn(home.project);
    const command = pick(CALLS)(files, folders);
    const isDisturbed = round % 5 === 0;
    const stop = isDisturbed ? startWriter(home) : () => Promise.resolve();
    // Every other turn begins with a prompt, and so with a helper that records it.
    if (round % 2 === 0) await home.hook("UserPromptSubmit", { session_id: SESSION, prompt: "Go on" });
    const session_id = round % 2 === 0 ? SESSION : `${SESSION}-${at}-${round}`;
    const call = await home.hook("PreToolUse", { session_id, tool_name: "Bash", tool_input: { command } });
    const isRecorded = call.stdout === "";
    if (isRecorded) recorded += 1;
    else console.log(`not recorded: ${call.stdout}`);
    try {
      execFileSync("/bin/bash", ["-c", command], { cwd: home.project, stdio: "ignore" });
    } catch {
      // Some calls fail halfway, which is as good a test.
    }
    await stop();
    // Every third turn ends before it is undone.
    if (isRecorded && round % 3 === 0) await end(home, session_id);
    const cpuBeforeMs = childrenCpuMs();
    const undone = await home.run(["undo", "--session", session_id]);
    const cpuMs = childrenCpuMs() - cpuBeforeMs;
    const written = createdSince(births, birthsIn(home.project));
    const copied = copyMs(home.project, written);
    undos.push({ ms: undone.durationMs, cpuMs, files: written.length, copyMs: copied, command });
    const after = snapshot(home.project, before);
    const differing = differences(before, after).filter((path) => !NOT_COMPARED.test(path));
    // A turn that did nothing else than that changed nothing, so that there is nothing to undo.
    const left = differing.filter((path) => !isRefreshed(path, before.get(path), after.get(path)));
    refreshed += differing.length - left.length;
    const isWrong = left.length > 0 || (undone.exitCode !== 0 && !undone.stderr.includes("No such turn"));
    if (isWrong) {
      if (isRecorded) wrong += 1;
      console.log(
        `WRONG after ${command}\n  ${left.slice(0, 5).join(", ")}\n  ${undone.stderr}${undone.stdout.slice(-300)}`,
      );
      process.exitCode = 1;
      if (!isRecorded) {
        home.close();
        home = new TemporaryHome();
        prepare(home, repository);
        await recordFirst(home);
      }
      // Otherwise the next call starts from here.
    }
    // The others end afterwards, since an undo of the next one is refused as long as they may be at work.
    if (isRecorded && round % 3 !== 0) await end(home, session_id);
    execFileSync("rm", ["-rf", "written-meanwhile", "written-meanwhile.tmp"], { cwd: home.project });
  }
  console.log(
    `  store ${execFileSync("du", ["-sm", join(home.root, "undo")], { encoding: "utf8" }).split("\t")[0]} MB, project ${execFileSync("du", ["-sm", home.project], { encoding: "utf8" }).split("\t")[0]} MB`,
  );
  home.close();
}
console.log(
  `${undos.length} calls, recorded ${recorded}, wrong ${wrong}, index refreshed ${refreshed}; undo ${described(({ ms }) => ms)}, processor time ${described(({ cpuMs }) => cpuMs)}; over ${TARGET_MS} ms: ${undos.filter(({ ms }) => ms > TARGET_MS).length}`,
);
const large = undos.filter(({ files }) => files >= LARGE);
console.log(`cp -a of the same files ${described((undo) => undo.copyMs)}`);
if (large.length > 0) {
  const ratio = percentile(
    large.map((undo) => undo.ms / undo.copyMs),
    0.5,
  );
  console.log(
    `an undo of ${LARGE} files or more takes ${ratio.toFixed(1)} times as long in the median of ${large.length}`,
  );
}
for (const undo of undos.toSorted((one, other) => other.ms - one.ms).slice(0, SLOWEST))
  console.log(
    `  ${undo.ms.toFixed(0)} ms, ${undo.cpuMs} of the processor, cp -a of the ${undo.files} files ${undo.copyMs.toFixed(0)}: ${undo.command.slice(0, 100)}`,
  );

function described(measure: (undo: Undo) => number): string {
  const values = undos.map(measure);
  return `p50 ${percentile(values, 0.5).toFixed(0)} ms, p95 ${percentile(values, 0.95).toFixed(0)} ms, max ${Math.max(...values).toFixed(0)} ms`;
}
