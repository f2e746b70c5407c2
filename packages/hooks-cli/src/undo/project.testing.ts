import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Home, homeAt } from "../files/home.ts";
import {
  type RecordOutcome,
  type RecordTime,
  UndoCommand,
  recordContinuation,
  recordEnd,
  recordTurn,
} from "./recorder.ts";
import { type SessionTurn, beginTurn, currentTurn, endTurn } from "./turn-state.ts";

export const ENOUGH: RecordTime = { waitMs: 60_000, recordMs: 60_000, isFinal: true };

/** A project with a home of its own, both in a temporary folder. */
export class UndoProject {
  readonly path = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "undo-")));
  readonly root = join(this.path, "project");
  readonly home: Home = homeAt(join(this.path, "user"));

  constructor() {
    fs.mkdirSync(this.root);
    fs.mkdirSync(this.home.root);
  }

  get command(): UndoCommand {
    return new UndoCommand(this.home, this.root);
  }

  write(name: string, content: string | Buffer, mode?: number): void {
    const path = join(this.root, name);
    fs.mkdirSync(join(path, ".."), { recursive: true });
    fs.writeFileSync(path, content);
    if (mode !== undefined) fs.chmodSync(path, mode);
  }

  read(name: string): string {
    return fs.readFileSync(join(this.root, name), "utf8");
  }

  git(...args: string[]): string {
    const identity = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "protocol.file.allow=always"];
    return execFileSync("git", [...identity, ...args], { cwd: this.root, encoding: "utf8", stdio: "pipe" });
  }

  shell(script: string): void {
    execFileSync("/bin/bash", ["-c", script], { cwd: this.root, stdio: "ignore" });
  }

  /** Begins the next turn of a session, and records it. */
  turn(session = "session"): RecordOutcome {
    return recordTurn(this.home, beginTurn(this.home, session, this.root), ENOUGH);
  }

  /** The turn that a session is in. */
  current(session = "session"): SessionTurn {
    const turn = currentTurn(this.home, session, this.root);
    if (turn === undefined) throw new Error(`${session} has no turn`);
    return turn;
  }

  /** Ends the turn of a session, and records its end. */
  end(session = "session"): boolean {
    endTurn(this.home, this.current(session));
    return recordEnd(this.home, this.current(session), ENOUGH, "turn");
  }

  /** Goes on in the turn of a session that has ended. */
  goOn(session = "session"): RecordOutcome {
    return recordContinuation(this.home, this.current(session), ENOUGH);
  }

  /** Undoes the last turn that changed something. */
  undo(options: { path?: string; turn?: number; session?: string; isForced?: boolean } = {}) {
    const { path, turn, session, isForced = false } = options;
    return this.command.undo({ session, turn, path }, { isForced, isDry: false });
  }

  /** Undoes the last undo, or that of a turn. */
  redo({ session, turn }: { session?: string; turn?: number } = {}) {
    return this.command.redo({ session, turn }, { isForced: false, isDry: false });
  }

  close(): void {
    fs.rmSync(this.path, { recursive: true, force: true });
  }
}

/**
 * Everything in a folder by its path: type, permissions and content. New objects of a repository do not count, since they are
 * harmless; without `.git` if so wanted.
 */
export function snapshot(root: string, old?: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const visit = (directory: string): void => {
    for (const entry of fs.readdirSync(Buffer.from(`${root}/${directory}`, "latin1"), { encoding: "latin1" })) {
      const path = directory === "" ? entry : `${directory}/${entry}`;
      const absolute = Buffer.from(`${root}/${path}`, "latin1");
      const stat = fs.lstatSync(absolute);
      if (old !== undefined && !old.has(path) && /(?:^|\/)objects\/(?:[0-9a-f]{2}|pack)(?:\/|$)/.test(path)) continue;
      const content = stat.isFile()
        ? fs.readFileSync(absolute).toString("latin1")
        : stat.isSymbolicLink()
          ? fs.readlinkSync(absolute, { encoding: "latin1" })
          : "";
      found.set(path, `${stat.mode.toString(8)} ${content}`);
      if (stat.isDirectory()) visit(path);
    }
  };
  visit("");
  return found;
}

/** The paths at which two snapshots differ. */
export function differences(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): readonly string[] {
  return [...new Set([...one.keys(), ...other.keys()])].filter((path) => one.get(path) !== other.get(path)).toSorted();
}
