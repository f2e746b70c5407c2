import { once } from "node:events";
import type { Server as HttpServer } from "node:http";
import { createServer as createTcpServer, isIPv6, type Server as TcpServer } from "node:net";
import { join } from "node:path";
import {
  createAuth,
  createEventBus,
  createLargeReads,
  createServices,
  createTranscriptSource,
  followSecretChanges,
  openSecrets,
  repeat,
  systemClock,
  uuidV7,
  verifySigningSecret,
} from "@workspace/core";
import type { Logger } from "pino";
import { createApp, type OpenApiLoaders } from "./app.ts";
import { addressBlockOf } from "./auth/address-block.ts";
import { createAuthRoutes } from "./auth/auth-routes.ts";
import { createAuthenticator } from "./auth/authenticator.ts";
import { clientAddressOf, isLoopback } from "./auth/client-address.ts";
import { createKeyAuthenticator } from "./auth/key-authenticator.ts";
import type { OriginPolicy } from "./auth/origin-check.ts";
import { openDatabase, type OpenDatabase } from "./database.ts";
import { createEncryptionKeyStore } from "./encryption-key-store.ts";
import type { Config } from "./env.ts";
import { prepareFolders } from "./folders.ts";
import { createDashboard } from "./http/dashboard.ts";
import { followConnections } from "./http/connections.ts";
import { createHostCheck, type HostCheck } from "./http/host-check.ts";
import { createHealthRoute, createReadinessRoute, measureLatencyMs } from "./http/health.ts";
import { createWriteHealth } from "./http/write-health.ts";
import { createErrorReporter } from "./http/report-error.ts";
import { createLeanServer } from "./http/lean-prototypes.ts";
import { createLargeAnswers } from "./http/large-answers.ts";
import { securityHeadersFor } from "./http/security-headers.ts";
import { endSlowBodies } from "./http/slow-bodies.ts";
import { endUnreadAnswers } from "./http/unread-answers.ts";
import { ensureFirstUser } from "./initialise.ts";
import { loadPrices } from "./model-prices.ts";
import { createJsonAnswers } from "./rest/json-answers.ts";
import { createJsonBodyReader } from "./rest/json-body.ts";
import { readOrCreateSecretFile, SIGNING_SECRET_FILE } from "./secret-files.ts";
import { StartError } from "./start-error.ts";
import { createSkillLoader } from "./v1/skill-script.ts";
import { createPageRenderer } from "./vault-routes/page-renderer.ts";
import { createRenderThreads } from "./vault-routes/render-thread.ts";
import { createGateway } from "./ws/gateway.ts";

/** How often hook events are counted up, so that the first request for statistics need not wait for it. */
const COUNT_HOOK_EVENTS_EVERY_MS = 5 * 60_000;
/** How often to look for asks that a crash left uncharged. */
const SETTLE_ASKS_EVERY_MS = 60_000;
/** WebSockets are connections, too; `socket-limits.ts` leaves room beside them. */
const CONNECTION_LIMITS = { max: 3_000, maxPerAddress: 1_000 };
/** The slowest line that an upload may come over. */
const BODY_RATE = { minBytesPerSecond: 1024, windowMs: 30_000 };
/** What waits to be read, in memory: five of the longest notes, and two for one address. */
const LARGE_ANSWER_LIMITS = { maxBytes: 128 * 1024 * 1024, maxBytesPerAddress: 64 * 1024 * 1024 };
/** How long a client may leave its answer unread; widely used servers and proxies give it as long. */
const MAX_ANSWER_STALL_MS = 60_000;
/** How long a look at the vault may take before health calls it late. */
const LOOK_MS = 10_000;
/** How long requests in flight may take once the server is closing. */
const DRAIN_MS = 5_000;

export interface ServerOptions {
  readonly config: Config;
  readonly logger: Logger;
  readonly version: string;
  /** The built dashboard. */
  readonly webDir: string;
  readonly migrationsDir: string;
  /** The OpenAPI documents of the two surfaces. */
  readonly loadOpenApi: OpenApiLoaders;
  /** The Python script that `/api/v1/skill` hands out, without this server's address. */
  readonly skillTemplatePath: string;
  /** Told once, in a sentence, if the database has to be waited for. */
  readonly onWaiting: (message: string) => void;
  /** The program of the thread that renders shared pages. */
  readonly sharePageWorkerUrl: URL;
  /** Told how to keep the values of secrets out of what is logged, as soon as that is known. */
  readonly redactLogs: (redact: (text: string) => string) => void;
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
  // First, because it is the quickest to find out, and nothing has to be stopped again.
  const port = await choosePort(config);
  await prepareFolders(config);

  const { dataDir, databaseUrl } = config;
  const database = await openDatabase({
    dataDir,
    databaseUrl,
    migrationsDir: options.migrationsDir,
    logger: options.logger,
    onWaiting: options.onWaiting,
  });
  try {
    return await serve(options, database, port);
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function serve(options: ServerOptions, database: OpenDatabase, port: number): Promise<RunningServer> {
  const { config, logger, version } = options;
  const { db, listener } = database;
  const clock = systemClock;
  const baseUrl = config.authUrl ?? `http://localhost:${port}`;
  const originPolicy = createOriginPolicy(config, baseUrl, port);
  const checkHost = createHostCheckFor(config, baseUrl);
  const responseHeaders = securityHeadersFor(baseUrl);
  const events = createEventBus((error) => logger.error({ err: error }, "an event handler failed"));
  const keyStore = createEncryptionKeyStore(config.encryptionKeys, config.dataDir);
  const secret = config.secret ?? (await readOrCreateSecretFile(join(config.dataDir, SIGNING_SECRET_FILE)));
  const verifying = verifySigningSecret({ db, clock }, secret);
  const [secrets] = await Promise.all([openSecrets({ db, clock, ids: uuidV7, keyStore }), verifying]);
  options.redactLogs(secrets.redactor.redact);
  await followSecretChanges(listener, secrets.redactor, (error) =>
    logger.error({ err: error }, "the secrets could not be read again"),
  );
  const largeAnswers = createLargeAnswers({
    ...LARGE_ANSWER_LIMITS,
    addressOf: (req) => toCountedAddress(clientAddressOf(req, config.trustsProxy)),
  });
  const services = createServices({
    db,
    listener,
    clock,
    ids: uuidV7,
    events,
    logger,
    secrets,
    transcripts: createTranscriptSource({ roots: config.transcriptRoots, maxBytes: config.bodyLimits.contentBytes }),
    vaultRoot: config.vaultPath,
    dataDir: config.dataDir,
    maxContentBytes: config.bodyLimits.contentBytes,
    largeReads: createLargeReads(largeAnswers.hasRoom),
    model: config.model,
    prices: await loadPrices(config.modelPricesPath),
    dailyBudgetUsd: config.dailyBudgetUsd,
    initialCredits: config.v1Credits,
    agentHttpOrigins: config.agentHttpOrigins,
    timeZone: config.timeZone,
    processLeaseMs: config.processLeaseMs,
  });

  const trustedOrigins = [...originPolicy.ownOrigins, ...originPolicy.allowedOrigins];
  await services.credits.open();
  const { isSignUpOpen } = config;
  const auth = createAuth({ db, ids: uuidV7, logger, secret, baseUrl, trustedOrigins, isSignUpOpen });
  await ensureFirstUser(db, auth, config.admin);
  const authenticator = await createAuthenticator({ auth, db, clock, listener, apiToken: config.apiToken });

  const readBody = {
    ordinary: createJsonBodyReader(config.bodyLimits.ordinaryBytes),
    content: createJsonBodyReader(config.bodyLimits.contentBytes),
  };
  const writeHealth = createWriteHealth(db);
  const reportError = createErrorReporter(logger, writeHealth);
  const renderThreads = createRenderThreads({ workerUrl: options.sharePageWorkerUrl });
  const app = createApp({
    services,
    authenticator,
    keyAuthenticator: await createKeyAuthenticator({ apiKeys: services.apiKeys, clock, listener, events }),
    originPolicy,
    checkHost,
    responseHeaders,
    largeAnswers,
    answers: createJsonAnswers(largeAnswers),
    readBody,
    reportError,
    renderer: createPageRenderer(renderThreads),
    clock,
    trustsProxy: config.trustsProxy,
    version,
    loadOpenApi: options.loadOpenApi,
    loadSkill: createSkillLoader(options.skillTemplatePath, baseUrl),
    dashboard: createDashboard(options.webDir),
    health: createHealthRoute({
      db,
      clock,
      version,
      deployment: database.deployment,
      writeHealth,
      vault: services.vaultMirror,
      // The lease, for another process to take over, and as long again to look at everything.
      maxLookAgeMs: 2 * config.processLeaseMs + LOOK_MS,
      isSchedulerRunning: () => services.background.isSchedulerRunning,
    }),
    readiness: createReadinessRoute({ db, vault: services.vaultMirror }),
    authRoutes: createAuthRoutes({
      auth,
      clock,
      baseUrl,
      isSignUpOpen,
      trustsProxy: config.trustsProxy,
      readBody: readBody.ordinary,
      findSessionUser: (req) => authenticator.authenticateBySession(req, null),
      sessionCookieOf: authenticator.sessionCookieOf,
      isDatabaseAvailable: async () => (await measureLatencyMs(db)) !== null,
      onSessionsChanged: authenticator.forgetSessions,
      reportError,
    }),
  });
  await services.processes.start();
  await services.vaultMirror.start();
  const unstarted = createLeanServer(app);
  const connections = followConnections(unstarted, {
    ...CONNECTION_LIMITS,
    isExempt: (address) => config.trustsProxy || isLoopback(address),
  });
  const http = await listen(unstarted, port, config.host);
  const endingSlowBodies = endSlowBodies({ connections, rate: BODY_RATE, responseHeaders });
  const endingUnreadAnswers = endUnreadAnswers({ connections, maxStallMs: MAX_ANSWER_STALL_MS });
  await services.background.start();
  const gateway = await createGateway({
    http,
    connections,
    clock,
    trustsProxy: config.trustsProxy,
    services,
    authenticator,
    originPolicy,
    checkHost,
    responseHeaders,
    listener,
    logger,
  });
  const settlingAsks = repeat(() => services.asks.settleAbandoned(), {
    everyMs: SETTLE_ASKS_EVERY_MS,
    onError: (error) => logger.warn({ err: error }, "asks that a crash left behind could not be charged"),
  });
  const countingHookEvents = repeat(() => services.hookStatistics.prepare(), {
    everyMs: COUNT_HOOK_EVENTS_EVERY_MS,
    onError: (error) => logger.warn({ err: error }, "hook events could not be counted"),
  });

  const close = async (): Promise<void> => {
    await Promise.all([
      gateway.close(),
      drain(http),
      endingSlowBodies.close(),
      endingUnreadAnswers.close(),
      services.background.stopWork(),
      settlingAsks.close(),
      countingHookEvents.close(),
      renderThreads.close(),
    ]);
    await services.background.close();
    await services.vaultMirror.close();
    await services.processes.close();
    await services.apiKeys.close();
    await database.close();
  };
  let closing: Promise<void> | undefined;
  return { url: baseUrl, close: () => (closing ??= close()) };
}

/** This machine itself may take all the room, because clients of a proxy that is not trusted come from there. */
function toCountedAddress(address: string): string | null {
  return isLoopback(address) ? null : addressBlockOf(address);
}

function createOriginPolicy(config: Config, baseUrl: string, port: number): OriginPolicy {
  const local = ["localhost", "127.0.0.1", "[::1]"].map((host) => `http://${host}:${port}`);
  return {
    ownOrigins: new Set([new URL(baseUrl).origin, ...(config.accessMode === "localhost" ? local : [])]),
    allowedOrigins: new Set(config.accessMode === "specific" ? config.allowedOrigins : []),
    trustsHostHeader: config.accessMode === "any",
  };
}

/** With `ACCESS_MODE=localhost`, what is configured beside this machine's own names; otherwise any host. */
function createHostCheckFor(config: Config, baseUrl: string): HostCheck {
  if (config.accessMode !== "localhost") return createHostCheck(null);
  const listensOn = `http://${isIPv6(config.host) ? `[${config.host}]` : config.host}`;
  const addresses = [baseUrl, listensOn, ...config.allowedOrigins];
  return createHostCheck(new Set(addresses.map((address) => new URL(address).hostname)));
}

/** The configured port, made sure to be free, or any free one. Throws {@link StartError} where another program has it. */
async function choosePort({ port, host }: Pick<Config, "port" | "host">): Promise<number> {
  const probe = await listen(createTcpServer(), port, host);
  const address = probe.address();
  const closed = once(probe, "close");
  probe.close();
  await closed;
  if (address === null || typeof address === "string") throw new Error("The system gave no free port.");
  return address.port;
}

async function listen<AnyServer extends TcpServer>(server: AnyServer, port: number, host: string): Promise<AnyServer> {
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (error) {
    throw new StartError(`Cannot listen on ${host}:${port}. Is another program using it? Set PORT to change it.`, {
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
