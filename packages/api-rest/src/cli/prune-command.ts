import { createRetention, describeClockJump, systemClock, uuidV7, type RetentionKind } from "@workspace/core";
import { withDatabase } from "./command-database.ts";
import { type Command, type CommandContext, EXIT, type Outcome } from "./command.ts";
import { count, describeBytes } from "./sizes.ts";
import { StartError } from "../start-error.ts";

/** What each kind is called, with one of them and several. */
const NAMES: Readonly<Record<RetentionKind, readonly [one: string, several: string]>> = {
  hookEvents: ["hook event", "hook events"],
  transcripts: ["session transcript", "session transcripts"],
  assistantUsage: ["usage report of assistants", "usage reports of assistants"],
  usage: ["usage record", "usage records"],
  runs: ["agent run", "agent runs"],
  signIns: ["sign-in", "sign-ins"],
  secretAccesses: ["use of a secret", "uses of secrets"],
  changes: ["change in the log", "changes in the log"],
  conversations: ["conversation", "conversations"],
  deletedTasks: ["deleted task", "deleted tasks"],
  deletedProjects: ["deleted project", "deleted projects"],
  deletedViews: ["deleted view", "deleted views"],
  versions: ["version of documents", "versions of documents"],
  trash: ["file in the trash", "files in the trash"],
};

/** Removes what is older than the settings and the environment say, also while the service runs. */
export const pruneCommand: Command = {
  name: "prune",
  parameters: [],
  summary: "remove what is older than it is to be kept (Settings, Storage), also while the service runs",
  options: {
    "dry-run": { description: "only say what would be removed" },
    "accept-clock": { description: "believe a clock that is far ahead of the last time the service ran" },
  },
  run: (context, _args, options) =>
    withDatabase(context, async (db) => {
      const { config, logger } = context;
      const retention = createRetention({
        db,
        clock: systemClock,
        ids: uuidV7,
        logger,
        vaultRoot: config.vaultPath,
        vaultStore: config.vaultStore,
        dataDir: config.dataDir,
        environmentRetention: config.retention,
      });
      const isDryRun = options["dry-run"] === true;
      const isAccepted = options["accept-clock"] === true;
      if (isAccepted && !isDryRun) await retention.acceptClock();
      const jump = isAccepted ? null : await retention.findClockJump();
      const refusal = jump === null ? null : refuseJump(describeClockJump(jump));
      if (isDryRun) return preview(await retention.preview(), refusal, context);
      if (refusal === null) return prune(retention, context);
      throw new StartError(refusal);
    }),
};

type Preview = Awaited<ReturnType<ReturnType<typeof createRetention>["preview"]>>;

function refuseJump({ message, remedy }: ReturnType<typeof describeClockJump>): string {
  return `${message} ${remedy}`;
}

function preview(kinds: Preview, refusal: string | null, { config: { dataDir } }: CommandContext): Outcome {
  const lines = kinds.map(({ kind, days, oldRows, oldBytes, oldestKeptAt }) => {
    const kept = days === null ? "kept for ever" : `kept for ${count(days, "day")}`;
    const oldest = oldestKeptAt === null ? "" : `; the oldest that stays is of ${oldestKeptAt}`;
    return `${named(kind, oldRows)}, about ${describeBytes(oldBytes)}, would be removed (${kept}${oldest})`;
  });
  const refused = refusal === null ? [] : [`Without --dry-run, this refuses: ${refusal}`];
  return {
    text: [...refused, ...lines].join("\n"),
    json: { dataDir, isDryRun: true, refusal, kinds },
    exitCode: refusal === null ? EXIT.done : EXIT.problems,
  };
}

async function prune(
  retention: ReturnType<typeof createRetention>,
  { config: { dataDir } }: CommandContext,
): Promise<Outcome> {
  const ending = new AbortController();
  const end = (): void => ending.abort();
  process.once("SIGINT", end).once("SIGTERM", end);
  try {
    const done = await retention.prune({ signal: ending.signal, isBackground: false });
    if (done === null) throw new StartError("Old data is being removed already, by the service or another command.");
    const lines = done.removed.map(({ kind, rows }) => `${named(kind, rows)} removed`);
    const isComplete = done.completedAt !== null;
    const end = isComplete ? [] : ["Ended before everything was removed; the rest is removed the next time."];
    return {
      text: [...(lines.length === 0 ? ["Nothing is old enough to be removed."] : lines), ...end].join("\n"),
      json: { dataDir, isDryRun: false, isComplete, ...done },
      exitCode: isComplete ? EXIT.done : EXIT.problems,
    };
  } finally {
    process.off("SIGINT", end).off("SIGTERM", end);
  }
}

function named(kind: RetentionKind, rows: number): string {
  const [one, several] = NAMES[kind];
  return `${rows.toLocaleString("en")} ${rows === 1 ? one : several}`;
}
