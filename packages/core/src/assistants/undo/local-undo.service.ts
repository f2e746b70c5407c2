import { execFile } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import pLimit from "p-limit";
import * as z from "zod";
import { hashBearerKey } from "../../access/api-keys/bearer-key.ts";
import { ConflictError, NotFoundError } from "../../platform/errors.ts";
import {
  listedTurns,
  printedUndo,
  type UndoneTurn,
  type UndoneTurns,
  type UndoneTurnsQuery,
  type UndoTurn,
} from "./local-undo.schema.ts";

/** A program that is killed leaves a mixture, which the next undo completes; a large project takes seconds. */
const DEADLINE_MS = 5 * 60_000;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
const MAX_LISTED = 100;
const MAX_SESSIONS = 20;

const hooksConfig = z.object({ key: z.string() });

export interface LocalUndoDeps {
  /** Where the hooks of the server's own user are installed. */
  readonly hooksHome: string;
  /** Whether there is an API key with this hash. */
  readonly isKnownKey: (keyHash: string) => Promise<boolean>;
}

export type LocalUndoService = ReturnType<typeof createLocalUndoService>;

/**
 * Undoes turns in projects on the machine of the server, by the hooks program that recorded them, and only if those hooks report to
 * this workspace.
 */
export function createLocalUndoService({ hooksHome, isKnownKey }: LocalUndoDeps) {
  const program = join(hooksHome, "bin", "workspace-hooks.cjs");
  // Each takes the lock of its project, and a processor.
  const oneAtATime = pLimit(1);

  async function isLocal(): Promise<boolean> {
    try {
      await stat(program);
      const { key } = hooksConfig.parse(JSON.parse(await readFile(join(hooksHome, "config.json"), "utf8")));
      return await isKnownKey(hashBearerKey(key));
    } catch {
      return false;
    }
  }

  function run(args: readonly string[], cwd: string): Promise<{ stdout: string; stderr: string }> {
    const options = { cwd, timeout: DEADLINE_MS, maxBuffer: MAX_OUTPUT_BYTES, encoding: "utf8" } as const;
    return new Promise((resolve) => {
      execFile(process.execPath, [program, ...args], options, (_error, stdout, stderr) => resolve({ stdout, stderr }));
    });
  }

  async function requireLocal(folder: string): Promise<void> {
    if (!(await isLocal()))
      throw new ConflictError(
        "The hooks of this workspace are not on the machine of the server. Run the command there.",
      );
    const status = await stat(folder).catch(() => null);
    if (status?.isDirectory() !== true)
      throw new NotFoundError("The folder does not exist on the machine of the server.");
  }

  return {
    isLocal,

    /**
     * Undoes a turn or one of its files, or takes that back. Throws {@link NotFoundError} if the folder does not exist,
     * {@link ConflictError} if the hooks here are not those of this workspace or the program says that it cannot.
     */
    async undo({ sessionId, turn, folder, file, isForced, isRedo }: UndoTurn): Promise<UndoneTurn> {
      await requireLocal(folder);
      const args = ["undo", "--json", "--project", folder, "--session", sessionId, "--turn", String(turn)];
      if (file !== undefined) args.push("--file", file);
      if (isForced) args.push("--force");
      if (isRedo) args.push("--redo");
      const { stdout, stderr } = await oneAtATime(() => run(args, folder));
      const printed = parsed(printedUndo, stdout);
      if (printed === null) throw new ConflictError(lastLine(stderr) || lastLine(stdout) || "Nothing could be undone.");
      return toUndoneTurn(printed);
    },

    /**
     * The turns of a session of which something was undone, here or by the command, and not brought back since. Throws as
     * {@link undo} does.
     */
    async listUndone({ sessionId, folder }: UndoneTurnsQuery): Promise<UndoneTurns> {
      await requireLocal(folder);
      const args = ["undo", "--list", "--json", "--project", folder, "--session", sessionId];
      const { stdout, stderr } = await oneAtATime(() => run(args, folder));
      const listed = parsed(listedTurns, stdout);
      if (listed === null) throw new ConflictError(lastLine(stderr) || "What was undone is not known.");
      return listed.flatMap(({ turn, undone }) =>
        // What was recorded later in a turn has fractions.
        undone === null || !Number.isInteger(turn)
          ? []
          : [{ turn, isEntire: undone.entire, files: undone.paths.slice(0, MAX_LISTED) }],
      );
    },
  };
}

function parsed<T>(schema: z.ZodType<T>, text: string): T | null {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

function toUndoneTurn({ refused, undone, otherSessions, skipped, failures }: z.infer<typeof printedUndo>): UndoneTurn {
  return {
    isRefused: refused,
    files: undone.slice(0, MAX_LISTED),
    fileCount: undone.length,
    otherSessions: otherSessions
      .slice(0, MAX_SESSIONS)
      .map(({ session, turn, files }) => ({ sessionId: session, turn, files: files.slice(0, MAX_LISTED) })),
    skipped: skipped.slice(0, MAX_LISTED),
    skippedCount: skipped.length,
    failures: failures.slice(0, MAX_LISTED),
    failureCount: failures.length,
  };
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1) ?? "";
}
