import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Logger } from "pino";
import packageJson from "../../../package.json" with { type: "json" };
import { ConfigError, loadConfig, type Config } from "./env.ts";
import { createLogger, type RedactLogs } from "./logger.ts";
import { adoptKeys } from "./adopt-keys.ts";
import { describeFormerKey, rotateStoredSecrets } from "./rotate-secrets.ts";
import { startServer, type RunningServer } from "./server.ts";
import { explainFailedStart } from "./start-error.ts";

/** A graceful shutdown that takes longer, once requests in flight have had their time, is aborted. */
const SHUTDOWN_DEADLINE_MS = 4_500;

const COMMANDS = "others are rotate-secrets and adopt-keys";

const here = dirname(fileURLToPath(import.meta.url));
const isBuilt = !import.meta.url.endsWith(".ts");
const packagesDir = join(here, "../..");
const migrationsDir = join(packagesDir, "db/prisma/migrations");

const onWaiting = (message: string): void => void process.stdout.write(`${message}\n`);

/** Resolves to whether the service is running: false once another command is done. */
export const isServing: Promise<boolean> = run();

async function run(): Promise<boolean> {
  let startLogger: Logger | undefined;
  try {
    const config = loadConfig(join(packagesDir, ".."));
    const { logger, redactLogs } = createLogger(config.logLevel);
    startLogger = logger;
    const [command] = process.argv.slice(2);
    if (command === undefined) await serve(config, logger, redactLogs);
    else if (command === "rotate-secrets") await rotate(config, logger);
    else if (command === "adopt-keys") await adopt(config, logger);
    else throw new ConfigError([`there is no command "${command}"; without one, the service starts; ${COMMANDS}`]);
    return command === undefined;
  } catch (error) {
    startLogger?.debug({ err: error }, "the service could not start");
    process.stderr.write(`${explainFailedStart(error)}\n`);
    process.exit(1);
  }
}

async function serve(config: Config, logger: Logger, redactLogs: RedactLogs): Promise<void> {
  for (const { name, meant } of config.misspelt) {
    logger.warn(`${name} is not a setting and is ignored. Was ${meant} meant?`);
  }
  const server = await startServer({
    config,
    logger,
    redactLogs,
    version: packageJson.version,
    webDir: join(packagesDir, "web/dist"),
    migrationsDir,
    // Loaded on demand, because they are large and rarely requested.
    loadApiDescription: {
      api: async () => (await import("../../../docs/openapi.json", { with: { type: "json" } })).default,
      v1: async () => (await import("../../../docs/openapi.v1.json", { with: { type: "json" } })).default,
      socket: async () => (await import("../../../docs/asyncapi.json", { with: { type: "json" } })).default,
    },
    sharePageWorkerUrl: new URL("./share-page-worker.js", import.meta.url),
    backupWorkerPath: join(here, isBuilt ? "backup-worker.js" : "backups/backup-worker.ts"),
    hooksPackagePath: join(packagesDir, "hooks-cli/dist/workspace-hooks.tgz"),
    skillTemplatePath: join(packagesDir, "api-v1/skill/workspace.py"),
    onWaiting,
  });
  stopOnSignals(server, logger, config);
  process.stdout.write(`Workspace is ready at ${server.url}\n`);
}

async function rotate(config: Config, logger: Logger): Promise<void> {
  const { rotated, keyId } = await rotateStoredSecrets({ config, logger, migrationsDir, onWaiting });
  process.stdout.write(`Re-encrypted secrets: ${rotated}. The current key is ${keyId}${describeFormerKey(config)}.\n`);
}

async function adopt(config: Config, logger: Logger): Promise<void> {
  await adoptKeys({ config, logger, migrationsDir, onWaiting });
  process.stdout.write(
    "The configured keys now belong to the database. If the signing secret changed, all users have to sign in again, and whoever " +
      "uses an authenticator app has to set it up again, after `workspace user reset-sign-in EMAIL`.\n",
  );
}

function stopOnSignals(server: RunningServer, logger: Logger, config: Config): void {
  let isStopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (isStopping) return;
    isStopping = true;
    logger.info({ signal }, "stopping");
    setTimeout(
      () => {
        logger.error({}, "the shutdown took too long");
        process.exit(1);
      },
      config.shutdownDelayMs + config.shutdownFinishMs + SHUTDOWN_DEADLINE_MS,
    ).unref();
    server.close().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, "the shutdown failed");
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
}
