import * as z from "zod";

const MAX_PATH_LENGTH = 4096;

const path = z.string().min(1, "must not be empty").max(MAX_PATH_LENGTH, "must be at most 4,096 characters");

const sessionId = z.string().min(1, "must not be empty").max(255, "must be at most 255 characters");
const folder = path
  .regex(/^(?:\/|[A-Za-z]:[\\/])/, "expected an absolute path")
  .meta({ description: "The folder in which the turns were recorded" });

export const undoTurnInput = z.object({
  sessionId,
  turn: z.number().int().min(1).max(1_000_000),
  folder,
  file: path.optional().meta({ description: "Only this file, by its path from the folder; otherwise the whole turn" }),
  isForced: z.boolean().default(false).meta({
    description: "Whether to take back also what was changed again later, and what another session may have changed",
  }),
  isRedo: z.boolean().default(false).meta({ description: "Whether to take back the undo of the turn instead" }),
});
export type UndoTurn = z.infer<typeof undoTurnInput>;

const changedFile = z.object({ path: z.string(), change: z.enum(["added", "changed", "deleted"]) });
const failure = z.object({ path: z.string(), message: z.string() });

export const undoneTurnSchema = z
  .object({
    isRefused: z
      .boolean()
      .meta({ description: "Whether nothing was changed, because another session may have changed the files too" }),
    files: z.array(changedFile).meta({ description: "What was brought back, or would be: the first 100" }),
    fileCount: z.number().int(),
    otherSessions: z
      .array(z.object({ sessionId: z.string(), turn: z.number().int(), files: z.array(z.string()) }))
      .meta({
        description: "Sessions that worked in the folder at the same time, with files that they may have changed",
      }),
    skipped: z
      .array(z.string())
      .meta({ description: "Left alone, since changed again after the turn, or not recorded: the first 100" }),
    skippedCount: z.number().int(),
    failures: z.array(failure).meta({ description: "What could not be brought back, and why: the first 100" }),
    failureCount: z.number().int(),
  })
  .meta({ id: "UndoneTurn" });
export type UndoneTurn = z.infer<typeof undoneTurnSchema>;

/** What the hooks program prints. */
export const printedUndo = z.object({
  refused: z.boolean(),
  undone: z.array(changedFile),
  otherSessions: z.array(z.object({ session: z.string(), turn: z.number().int(), files: z.array(z.string()) })),
  skipped: z.array(z.string()),
  failures: z.array(failure),
});

export const undoneTurnsInput = z.object({ sessionId, folder });
export type UndoneTurnsQuery = z.infer<typeof undoneTurnsInput>;

export const undoneTurnsSchema = z
  .array(
    z.object({
      turn: z.number().int(),
      isEntire: z.boolean(),
      files: z.array(z.string()).meta({
        description: "What is as it was before the turn, if that is not all of it: the first 100",
      }),
    }),
  )
  .meta({ id: "UndoneTurns", description: "The turns that were undone, at least in part, and not brought back" });
export type UndoneTurns = z.infer<typeof undoneTurnsSchema>;

/** What the hooks program lists. */
export const listedTurns = z.array(
  z.object({
    turn: z.number(),
    undone: z
      .object({ entire: z.boolean(), paths: z.array(z.string()).default([]) })
      .nullable()
      .default(null),
  }),
);

export const localUndoSchema = z.object({
  isLocal: z.boolean().meta({
    description:
      "Whether the hooks on the machine of the server belong to it, so that their turns can be undone from here",
  }),
});
