import { realpathSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import type { Environment } from "../environment.ts";
import type { Home } from "../files/home.ts";
import { readAfterUndo } from "../hook/undo-steps.ts";
import { findRoot } from "../project/project.ts";
import { UsageError, parseArguments } from "../terminal/arguments.ts";
import { counted, print } from "../terminal/terminal.ts";
import { shownName } from "../text/shown-name.ts";
import { hasTurns } from "../undo/turn-state.ts";
import type { RecordedTurn, UndoCommand, UndoResult, UndoSelection } from "../undo/undo-command.ts";
import { toText } from "../undo/raw-path.ts";
import type { TakenBack } from "../undo/undo-history.ts";
import type { Unrecorded } from "../undo/unrecorded.ts";
import type { UndoneTurn } from "../undo/undo-store.ts";
import { runSwitch } from "./switch.ts";
import { requireHome } from "./targets.ts";

const SHOWN_TURNS = 20;
const SHOWN_FILES = 10;

/**
 * `undo`: brings back what was there before a turn, shows what turns changed, or switches recording on and off. Exits with 1 if
 * something could not be brought back.
 */
export async function runUndo(args: readonly string[], environment: Environment): Promise<number> {
  if (args[0] === "on" || args[0] === "off") return runSwitch("undo", args, environment);
  const { positionals, values, flags } = parseArguments(args, {
    values: ["turn", "session", "file", "project"],
    flags: ["list", "diff", "redo", "json", "dry-run", "force"],
  });
  const turn = values["turn"] === undefined ? undefined : Number(values["turn"]);
  if (positionals.length > 0 || (turn !== undefined && Number.isNaN(turn)))
    throw new UsageError("undo [--turn <number>] [--session <id>] [--file <path>] [--list | --diff | --redo]");
  // An undo is taken back as a whole, so a choice of files must not look as if it counted.
  if (flags.has("redo") && values["file"] !== undefined)
    throw new UsageError("--redo brings back what an undo took, all of it, so it takes no --file.");
  const { UndoCommand: Command } = await import("../undo/recorder.ts");
  const home = requireHome(environment);
  const root = recordedFolder(home, realpathSync(values["project"] ?? process.cwd()));
  const command = new Command(home, root);
  const path = values["file"] === undefined ? undefined : pathFrom(root, values["file"]);
  const selection: UndoSelection = { session: values["session"], turn, path };
  if (flags.has("list")) return list(command, selection, flags.has("json"));
  if (flags.has("diff")) return diff(command, selection);
  const options = { isForced: flags.has("force"), isDry: flags.has("dry-run") };
  const isRedo = flags.has("redo");
  const result = isRedo ? command.redo(selection, options) : command.undo(selection, options);
  if (result === undefined) throw new UsageError(isRedo ? noRedo(command) : noUndo(command, selection));
  if (flags.has("json")) print(JSON.stringify(toJson(result), null, 2));
  else describe(result, options.isDry);
  if (!options.isDry && !result.isRefused && result.undone.length > 0) await readAfterUndo(home, root);
  return result.failures.length === 0 && !result.isRefused ? 0 : 1;
}

function noUndo(command: UndoCommand, selection: UndoSelection): string {
  const none = "No such turn is recorded whose changes are still there.";
  const isChosen = selection.session !== undefined || selection.turn !== undefined;
  const turn = isChosen ? command.takenBack(selection) : undefined;
  return `${none} ${turn === undefined ? "See undo --list." : takenBackText(turn)}`;
}

function noRedo(command: UndoCommand): string {
  const [last, ...others] = command.redoable().map((undone) => nameOf({ ...undone, isRedo: false }));
  if (last === undefined) return "No undo is recorded that could be taken back: no such turn is undone.";
  return `That turn is not undone. These are: ${[last, ...others.slice(0, SHOWN_FILES)].join("; ")}.`;
}

/** That a turn was undone, or taken back together with another. */
function takenBackText({ session, turn, takenBack }: RecordedTurn): string {
  if (takenBack === undefined) return "";
  const { by, isEntire } = takenBack;
  const name = nameOf({ session, turn, isRedo: false });
  const what =
    by.session === session && by.turn === turn ? "was undone" : `was taken back by the undo of ${nameOf(by)}`;
  const redo = `workspace-hooks undo --redo --session ${by.session} --turn ${by.turn}`;
  return `${name.replace("t", "T")} ${what}${isEntire ? "" : " in part"}; ${redo} brings it back.`;
}

/** The folder around this one that is recorded; otherwise that of the repository. */
function recordedFolder(home: Home, directory: string): string {
  for (let folder = directory; ; folder = dirname(folder)) {
    if (hasTurns(home, folder)) return folder;
    if (folder === dirname(folder)) return findRoot(directory);
  }
}

/** The path of a file from the root, though it may not exist; its folder may be a link. */
function pathFrom(root: string, file: string): string | undefined {
  const absolute = resolve(file);
  const path = relative(root, join(realPathOf(dirname(absolute)), absolute.slice(dirname(absolute).length)));
  if (path.startsWith("..")) throw new UsageError(`${shownName(file)} is not in ${shownName(root)}.`);
  return path === "" ? undefined : path.replaceAll("\\", "/");
}

function realPathOf(directory: string): string {
  try {
    return realpathSync(directory);
  } catch {
    return directory === dirname(directory)
      ? directory
      : join(realPathOf(dirname(directory)), directory.slice(dirname(directory).length));
  }
}

function list(command: UndoCommand, { session }: UndoSelection, isJson: boolean): number {
  const turns = command.list(session, isJson ? Infinity : SHOWN_TURNS);
  if (isJson) {
    const rows = turns.map(({ recordedAtMs, changes, unrecorded, takenBack, ...turn }) => ({
      ...turn,
      undone: takenBack === undefined ? null : toUndone(takenBack),
      notRecorded: unrecorded.map(({ path }) => path),
      startedAt: new Date(recordedAtMs).toISOString(),
      changes: changes.map(({ path, kind }) => ({ path, change: kind })),
    }));
    print(JSON.stringify(rows, null, 2));
    return 0;
  }
  if (turns.length === 0) print("No turn is recorded here.");
  for (const recorded of turns) {
    const { session: id, turn, recordedAtMs, changes, unrecorded, takenBack } = recorded;
    const state = takenBack === undefined ? "" : takenBack.isEntire ? ", undone" : ", undone in part";
    print(
      `${new Date(recordedAtMs).toLocaleString("sv")}  session ${shownName(id)}, turn ${turn}: ${filesOf(changes)}${state}`,
    );
    printFiles(changes);
    if (takenBack !== undefined) print(`  ${takenBackText(recorded)}`);
    printUnrecorded(unrecorded);
  }
  return 0;
}

/** The texts are compared by git, with its colours and pager; without git, the files are listed. */
function diff(command: UndoCommand, selection: UndoSelection): number {
  const found = command.diff(selection);
  if (found === undefined) throw new UsageError("No such turn is recorded. See undo --list.");
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  const paths = [selection.path ?? ".", ":(exclude,glob)**/.git/**"];
  const { gitDir, parts } = found;
  const isShown = parts.every(({ before, after }) => {
    const options = ["diff", "--no-ext-diff", "--no-textconv", "--no-renames", before.tree, after.tree, "--", ...paths];
    // Only an empty folder is certain to be no working tree of another repository.
    const args = [`--git-dir=${gitDir}`, `--work-tree=${gitDir}`, ...options];
    return spawnSync("git", args, { cwd: gitDir, stdio: "inherit" }).status === 0;
  });
  if (isShown) return 0;
  printFiles(found.turn.changes, Infinity);
  return 0;
}

function pick({ session, turn }: { readonly session: string; readonly turn: number }) {
  return { session, turn };
}

function toUndone({ by, isEntire, paths }: TakenBack) {
  return { ...pick(by), entire: isEntire, paths: paths.map((path) => toText(path)) };
}

function toJson({ turn, done, undone, skipped, failures, others, isRefused }: UndoResult) {
  return {
    refused: isRefused,
    otherSessions: others.map((other) => ({ ...pick(other), files: other.paths })),
    session: done?.session ?? null,
    turn: done?.turn ?? null,
    redo: done?.isRedo ?? true,
    until: turn.until,
    undone: undone.map(({ path, kind }) => ({ path, change: kind })),
    notRecorded: turn.unrecorded.map(({ path }) => path),
    skipped,
    failures,
  };
}

function describe(result: UndoResult, isDry: boolean): void {
  const { turn, done, undone, skipped, failures, isRefused } = result;
  const name = nameOf(done);
  if (isRefused) print(`Nothing was undone. Undoing ${name} would bring back ${filesOf(undone)}.`);
  else print(`${isDry ? `Undoing ${name} would bring` : `Undid ${name}: brought`} back ${filesOf(undone)}.`);
  printFiles(undone, Infinity);
  printOthers(result, isDry);
  if (turn.takenBack !== undefined) print(takenBackText(turn));
  const note = NOTES[turn.until];
  if (note !== undefined && undone.length > 0) print(`${note} counts as part of it, whoever changed it.`);
  if (skipped.length > 0) {
    print("Left alone, since it changed again after the turn (see --force), or is not recorded:");
    for (const path of skipped) print(`  ${shownName(path)}`);
  }
  printUnrecorded(turn.unrecorded);
  for (const { path, message } of failures) print(`✗ ${shownName(path)}: ${shownName(message)}`);
  if (!isDry && !isRefused && undone.length > 0)
    print("workspace-hooks undo --redo brings back what was there before.");
}

/** That the work of other sessions would be taken back as well, before anything is changed. */
function printOthers({ others, isRefused }: UndoResult, isDry: boolean): void {
  for (const { session, turn, paths } of others) {
    print(
      `${isDry || isRefused ? "That includes" : "That included"} what session ${shownName(session)} may have changed, which worked here at the same time (turn ${turn}):`,
    );
    for (const path of paths.slice(0, SHOWN_FILES)) print(`  ${shownName(path)}`);
    if (paths.length > SHOWN_FILES) print(`  and ${paths.length - SHOWN_FILES} more`);
  }
  if (isRefused) print("Add --force to undo it all the same, or name what is to be undone with --file.");
}

/** What cannot be told from a turn, since a record is missing. */
const NOTES = {
  turn: undefined,
  continued: "It went on after its end, so whatever was changed in between",
  session: "Its end is not recorded, so whatever was changed until the session ended",
  "next-turn": "Its end is not recorded, so whatever was changed until the next turn began",
  now: "Its end is not recorded, so whatever was changed until now",
} as const;

function nameOf(done: Pick<UndoneTurn, "session" | "turn" | "isRedo"> | undefined): string {
  if (done === undefined) return "the last undo";
  return `${done.isRedo ? "the undo of " : ""}turn ${done.turn} of session ${shownName(done.session)}`;
}

/** What is dear by its name; the rest is only counted. */
function printUnrecorded(unrecorded: readonly Unrecorded[]): void {
  if (unrecorded.length === 0) return;
  const dear = unrecorded.filter(({ isMadeAgain }) => !isMadeAgain).map(({ path }) => shownName(path));
  const rest = unrecorded.length - dear.length;
  const hidden = dear.length - SHOWN_FILES;
  const parts = [
    ...dear.slice(0, SHOWN_FILES),
    ...(hidden > 0 ? [`${hidden} more`] : []),
    ...(rest > 0 ? [`${rest} that ${rest === 1 ? "is" : "are"} made again, such as dependencies and builds`] : []),
  ];
  print(`  Not recorded, so left as it is: ${parts.join(", ")}`);
}

const MARKS = { added: "+", changed: "~", deleted: "-" } as const;

function printFiles(changes: UndoResult["undone"], limit = SHOWN_FILES): void {
  const lines = changes.slice(0, limit).map(({ path, kind }) => `  ${MARKS[kind]} ${shownName(path)}`);
  // At once, since each write to a terminal takes a while.
  if (lines.length > 0) print(lines.join("\n"));
  if (changes.length > limit) print(`  and ${changes.length - limit} more`);
}

function filesOf({ length }: readonly unknown[]): string {
  return length === 0 ? "nothing" : counted(length, "file");
}
