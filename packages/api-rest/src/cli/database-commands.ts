import { moveToEmbedded, moveToExternal, upgradeDatabase } from "@workspace/backup";
import { awaitServer } from "@workspace/db";
import { type Command, type CommandContext, type Outcome, textOption, UsageError } from "./command.ts";

/** Brings the embedded database to the service's major version of PostgreSQL, as a start does. */
const upgradeDatabaseCommand: Command = {
  name: "upgrade-database",
  parameters: [],
  summary: "bring the embedded database to the PostgreSQL of this version; npm start does it too",
  options: {},
  async run(context): Promise<Outcome> {
    const { config } = context;
    if (config.databaseUrl !== null) {
      throw new UsageError("upgrade-database is for the embedded database; DATABASE_URL names an external one");
    }
    const result = await upgradeDatabase({ ...context, dataDir: config.dataDir, log: context.logger });
    if (result === null) return { text: "There is nothing to do.", json: { upgraded: false } };
    return { text: `Upgraded from PostgreSQL ${result.from} to ${result.to}.`, json: { upgraded: true, ...result } };
  },
};

/** Copies the database to another server. */
const moveDatabaseCommand: Command = {
  name: "move-database",
  parameters: [],
  summary: "copy the database from the embedded to an external server, or back, while the service is stopped",
  options: {
    to: { value: "URL", description: "the external database, without rows; or `embedded`, from that of DATABASE_URL" },
  },
  async run(context, _args, options): Promise<Outcome> {
    const to = textOption(options, "to");
    if (to === null) throw new UsageError("move-database needs --to URL or --to embedded");
    const { databaseUrl } = context.config;
    if (to === "embedded") {
      if (databaseUrl === null) throw new UsageError("the database is embedded already: DATABASE_URL is not set");
      return move(context, moveToEmbedded, databaseUrl);
    }
    if (databaseUrl !== null) {
      throw new UsageError(
        "the database is external already; move it with --to embedded, or by PostgreSQL's own means",
      );
    }
    if (!/^postgres(?:ql)?:\/\//.test(to)) throw new UsageError("--to must be a postgres:// URL or the word embedded");
    return move(context, moveToExternal, to);
  },
};

async function move(
  context: CommandContext,
  moveBetween: typeof moveToEmbedded,
  externalUrl: string,
): Promise<Outcome> {
  const external = { connectionString: externalUrl };
  const setting = moveBetween === moveToExternal ? "--to" : "DATABASE_URL";
  await awaitServer(external, { onWaiting: context.tell, timeoutMs: 15_000, setting });
  const { dataDir } = context.config;
  const { next, ...result } = await moveBetween({ ...context, dataDir, log: context.logger, external });
  return { text: `The database has been copied, and the copy compared. ${next}`, json: { ...result, next } };
}

export const DATABASE_COMMANDS: readonly Command[] = [upgradeDatabaseCommand, moveDatabaseCommand];
