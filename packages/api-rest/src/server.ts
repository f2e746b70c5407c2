import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import type { Server as HttpServer } from "node:http";
import { createServer as createTcpServer, type Server as TcpServer } from "node:net";
import { join } from "node:path";
import { createAuth, createEventBus, createServices, systemClock, uuidV7 } from "@workspace/core";
import type { Logger } from "pino";
import { createApp } from "./app.ts";
import { createAuthRoutes } from "./auth/auth-routes.ts";
import { createAuthenticator } from "./auth/authenticator.ts";
import type { OriginPolicy } from "./auth/origin-check.ts";
import { openDatabase, type OpenDatabase } from "./database.ts";
import type { Config } from "./env.ts";
import { createDashboard } from "./http/dashboard.ts";
import { createHealthRoute, measureLatencyMs } from "./http/health.ts";
import { createLeanServer } from "./http/lean-prototypes.ts";
import { ensureFirstUser } from "./initialise.ts";
import { createJsonBodyReader } from "./rest/json-body.ts";
import { readOrCreateSecretFile } from "./secret-files.ts";

/** How long requests in flight may take once the server is closing. */
const DRAIN_MS = 5_000;

export interface ServerOptions {
  readonly config: Config;
  readonly logger: Logger;
  readonly version: string;
  /** The built dashboard. */
  readonly webDir: string;
  readonly migrationsDir: string;
  readonly openApiDocument: object;
}

export interface RunningServer {
  /** Where the server is reached. */
  readonly url: string;
  /** Stops it cleanly: no new requests, those in flight finish, then the database. Idempotent. */
  close(): Promise<void>;
}

/**
 * Starts the whole service: the composition root. Resolves once it serves. Whatever was started before a failure is closed
 * again before the failure is thrown.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { config } = options;
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  if (config.vaultPath.startsWith(config.dataDir)) await mkdir(config.vaultPath, { recursive: true });

  const { dataDir, databaseUrl } = config;
  const database = await openDatabase({
    dataDir,
    databaseUrl,
    migrationsDir: options.migrationsDir,
    logger: options.logger,
  });
  try {
    return await serve(options, database);
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function serve(options: ServerOptions, database: OpenDatabase): Promise<RunningServer> {
  const { config, logger, version } = options;
  const { db, listener } = database;
  const clock = systemClock;
  const port = config.port === 0 ? await findFreePort(config.host) : config.port;
  const baseUrl = config.authUrl ?? `http://localhost:${port}`;
  const originPolicy = createOriginPolicy(config, baseUrl, port);
  const events = createEventBus((error) => logger.error({ err: error }, "an event handler failed"));
  const services = createServices({ db, clock, ids: uuidV7, events });

  const secret = config.secret ?? (await readOrCreateSecretFile(join(config.dataDir, "service-secret")));
  const trustedOrigins = [...originPolicy.ownOrigins, ...originPolicy.allowedOrigins];
  const auth = createAuth({ db, ids: uuidV7, logger, secret, baseUrl, trustedOrigins });
  await ensureFirstUser(db, auth, config.admin);
  const authenticator = await createAuthenticator({ auth, db, clock, listener, apiToken: config.apiToken });

  const readBody = {
    ordinary: createJsonBodyReader(config.bodyLimits.ordinaryBytes),
    content: createJsonBodyReader(config.bodyLimits.contentBytes),
  };
  const app = createApp({
    services,
    authenticator,
    originPolicy,
    readBody,
    logger,
    openApiDocument: options.openApiDocument,
    dashboard: createDashboard(options.webDir),
    health: createHealthRoute({
      db,
      clock,
      version,
      deployment: database.deployment,
      vaultPath: config.vaultPath,
      isSchedulerRunning: () => false,
    }),
    authRoutes: createAuthRoutes({
      auth,
      clock,
      baseUrl,
      isSignUpOpen: config.isSignUpOpen,
      trustsProxy: config.trustsProxy,
      readBody: readBody.ordinary,
      isDatabaseAvailable: async () => (await measureLatencyMs(db)) !== null,
      onSessionsChanged: authenticator.forgetSessions,
      onServerError: (error, req) =>
        logger.error({ err: error, method: req.method, path: req.originalUrl }, "sign-in failed"),
    }),
  });
  const http = await listen(createLeanServer(app), port, config.host);

  let closing: Promise<void> | undefined;
  return {
    url: baseUrl,
    close: () => (closing ??= drain(http).then(() => database.close())),
  };
}

function createOriginPolicy(config: Config, baseUrl: string, port: number): OriginPolicy {
  const local = ["localhost", "127.0.0.1", "[::1]"].map((host) => `http://${host}:${port}`);
  return {
    ownOrigins: new Set([new URL(baseUrl).origin, ...(config.accessMode === "localhost" ? local : [])]),
    allowedOrigins: new Set(config.accessMode === "specific" ? config.allowedOrigins : []),
    trustsHostHeader: config.accessMode === "any",
  };
}

async function findFreePort(host: string): Promise<number> {
  const probe = await listen(createTcpServer(), 0, host);
  const address = probe.address();
  probe.close();
  if (address === null || typeof address === "string") throw new Error("The system gave no free port.");
  return address.port;
}

async function listen<AnyServer extends TcpServer>(server: AnyServer, port: number, host: string): Promise<AnyServer> {
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (error) {
    throw new Error(`Cannot listen on ${host}:${port}. Is another program using it? Set PORT to change it.`, {
      cause: error,
    });
  }
  return server;
}

/** Refuses new connections, lets requests in flight finish for a while, and ends what is left. */
async function drain(http: HttpServer): Promise<void> {
  const closed = once(http, "close");
  http.close();
  const deadline = setTimeout(() => http.closeAllConnections(), DRAIN_MS);
  await closed;
  clearTimeout(deadline);
}
