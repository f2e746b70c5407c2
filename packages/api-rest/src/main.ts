import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { DataDirInUseError } from "@workspace/db";
import pino, { type Logger } from "pino";
import openApiDocument from "../../../docs/openapi.json" with { type: "json" };
import packageJson from "../../../package.json" with { type: "json" };
import { ConfigError, loadConfig } from "./env.ts";
import { startServer, type RunningServer } from "./server.ts";

/** A clean stop takes less than this, or the process ends without it. */
const STOP_DEADLINE_MS = 9_500;

const packagesDir = join(dirname(fileURLToPath(import.meta.url)), "../..");

try {
  const config = loadConfig(join(packagesDir, ".."));
  const logger = pino({ level: config.logLevel, redact: ["headers.cookie", "headers.authorization"] });
  const server = await startServer({
    config,
    logger,
    version: packageJson.version,
    webDir: join(packagesDir, "web/dist"),
    migrationsDir: join(packagesDir, "db/prisma/migrations"),
    openApiDocument,
  });
  stopOnSignals(server, logger);
  process.stdout.write(`Workspace is ready at ${server.url}\n`);
} catch (error) {
  process.stderr.write(`${explainFailedStart(error)}\n`);
  process.exit(1);
}

function stopOnSignals(server: RunningServer, logger: Logger): void {
  let isStopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (isStopping) return;
    isStopping = true;
    logger.info({ signal }, "stopping");
    setTimeout(() => {
      logger.error({}, "the clean stop took too long");
      process.exit(1);
    }, STOP_DEADLINE_MS).unref();
    server.close().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, "the clean stop failed");
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
}

function explainFailedStart(error: unknown): string {
  if (error instanceof ConfigError || error instanceof DataDirInUseError) return error.message;
  if (!(error instanceof Error)) return `Workspace could not start: ${String(error)}`;
  const cause = error.cause instanceof Error ? `\n  caused by: ${error.cause.stack ?? error.cause.message}` : "";
  return `Workspace could not start: ${error.stack ?? error.message}${cause}`;
}
