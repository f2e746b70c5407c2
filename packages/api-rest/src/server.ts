import { join } from "node:path";
import { isIPv6 } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import {
  createAuth,
  createMailer,
  systemClock,
  uuidV7,
  writePasswordResetMail,
  type Auth,
  type Clock,
  type PasswordReset,
  type Services,
} from "@workspace/core";
import type { Db, Listener } from "@workspace/db";
import type { Logger } from "pino";
import { createApp } from "./app.ts";
import { addressBlockOf } from "./auth/address-block.ts";
import { createAuthRoutes } from "./auth/auth-routes.ts";
import { createAuthenticator, type Authenticator } from "./auth/authenticator.ts";
import { clientAddressOf, isLoopback } from "./auth/client-address.ts";
import { createKeyAuthenticator } from "./auth/key-authenticator.ts";
import type { OriginPolicy } from "./auth/origin-check.ts";
import { createPasswordAttempts, type PasswordAttempts } from "./auth/password-attempts.ts";
import { createBackupEngine } from "./backups/backup-engine.ts";
import { openDatabase, type OpenDatabase } from "./database.ts";
import type { Config } from "./env.ts";
import { prepareFolders, warnOfMissingVault } from "./folders.ts";
import type { ApiDescriptionLoaders } from "./docs-page/description-routes.ts";
import { basePathOf, serveWithoutBasePath } from "./http/base-path.ts";
import { createDashboard } from "./http/dashboard.ts";
import { followConnections } from "./http/connections.ts";
import { createDrain, type Drain } from "./http/drain.ts";
import { createHostCheck, type HostCheck } from "./http/host-check.ts";
import { createHealthRoute, createReadinessRoute, measureLatencyMs } from "./http/health.ts";
import { createWriteHealth } from "./http/write-health.ts";
import { createErrorReporter } from "./http/report-error.ts";
import { createLeanServer } from "./http/lean-prototypes.ts";
import { createLargeBodies } from "./http/large-bodies.ts";
import { createLargeResponses } from "./http/large-responses.ts";
import { choosePort, listen } from "./http/listen.ts";
import { securityHeadersFor } from "./http/security-headers.ts";
import { endSlowBodies } from "./http/slow-bodies.ts";
import { endUnreadResponses } from "./http/unread-responses.ts";
import { startReleasingMemory } from "./idle-memory.ts";
import { ensureFirstUser } from "./initialise.ts";
import { createObserving } from "./observing/observing.ts";
import { startPeriodicTasks } from "./periodic-tasks.ts";
import { createJsonResponses } from "./rest/json-responses.ts";
import { createJsonBodyReader } from "./rest/json-body.ts";
import { createSkillLoader } from "./v1/skill-script.ts";
import { createPageRenderer } from "./vault-routes/page-renderer.ts";
import { createRenderThread, createRenderThreads } from "./vault-routes/render-thread.ts";
import { openWorkspace, type OpenWorkspace } from "./workspace.ts";
import { createGateway, type Gateway } from "./ws/gateway.ts";

/** For one page of an export, which nobody is waiting for. */
const CONVERSION_DEADLINE_MS = 10_000;
/** WebSockets count as connections; the limits in `socket-limits.ts` are lower, so that they cannot use all of these. */
const CONNECTION_LIMITS = { max: 3_000, maxPerAddress: 1_000 };
/** The slowest rate at which a client may upload. */
const BODY_RATE = { minBytesPerSecond: 1024, windowMs: 30_000 };
/** How many bytes of unread responses are held in memory: five of the longest notes, and two for one address. */
const LARGE_RESPONSE_LIMITS = { maxBytes: 128 * 1024 * 1024, maxBytesPerAddress: 64 * 1024 * 1024 };
/** How long a large request waits for memory that others are using; handling the largest one takes seconds. */
const MAX_BODY_WAIT_MS = 60_000;
/** How long a client may leave its response unread; widely used servers and proxies allow as long. */
const MAX_RESPONSE_STALL_MS = 60_000;
/** How long a scan of the vault may take before health reports it as late. */
const SCAN_MS = 10_000;

export interface ServerOptions {
  readonly config: Config;
  readonly logger: Logger;
  readonly version: string;
  /** The built dashboard. */
  readonly webDir: string;
  readonly migrationsDir: string;
  /** The OpenAPI documents of the two surfaces. */
  readonly loadApiDescription: ApiDescriptionLoaders;
  /** The Python script that `/api/v1/skill` serves, before this server's URL is filled in. */
  readonly skillTemplatePath: string;
  /** The hooks CLI as a package of npm. */
  readonly hooksPackagePath: string;
  /** Called once, with a sentence for the user, if the database is not available yet. */
  readonly onWaiting: (message: string) => void;
  /** The script of the worker thread that renders shared pages. */
  readonly sharePageWorkerUrl: URL;
  /** The script of the process that makes backups. */
  readonly backupWorkerPath: string;
  /** Called with the function that removes the values of secrets from log lines, as soon as there is one. */
  readonly redactLogs: (redact: (text: string) => string) => void;
}

export interface RunningServer {
  /** The server's URL. */
  readonly url: string;
  /**
   * Shuts down gracefully: first reports that it is not ready and starts no more runs, for the time that is configured; then accepts
   * no new requests, finishes those in flight and closes the database. Idempotent.
   */
  close(): Promise<void>;
}

/**
 * Starts the whole service: the composition root. Resolves once it serves requests. If it fails, everything that was already
 * started is closed before the error is thrown.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { config } = options;
  // First, because it is the quickest check, and nothing has to be closed if it fails.
  const port = await choosePort(config);
  await prepareFolders(config);
  await warnOfMissingVault(config.vaultPath, options.logger);

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
  const { config, logger } = options;
  const { db, listener } = database;
  const baseUrl = config.authUrl ?? `http://localhost:${port}`;
  const basePath = basePathOf(baseUrl);
  const largeResponses = createLargeResponses({
    ...LARGE_RESPONSE_LIMITS,
    addressOf: (req) => toCountedAddress(clientAddressOf(req, config.trustsProxy)),
  });
  const { dataDir, vaultPath, vaultStore } = config;
  const { migrationsDir, version, backupWorkerPath: workerPath } = options;
  const vaultS3 = vaultStore?.access ?? null;
  const backedUp = { database: database.poolConfig, dataDir, vaultPath, vaultS3, migrationsDir, version };
  const backupEngine = createBackupEngine({ workerPath, workspace: backedUp });
  const workspace = await openWorkspace({ ...options, db, listener, backupEngine, largeResponses });
  const { services } = workspace;
  const access = {
    originPolicy: createOriginPolicy(config, baseUrl, port),
    checkHost: createHostCheckFor(config, baseUrl),
    responseHeaders: securityHeadersFor(baseUrl),
    trustsProxy: config.trustsProxy,
    tryPassword: createPasswordAttempts(systemClock),
    clock: systemClock,
  };
  const { auth, authenticator } = await openAccounts({ ...options, ...access, db, listener, baseUrl, workspace });
  const renderThreads = createRenderThreads({ workerUrl: options.sharePageWorkerUrl });
  const conversion = createRenderThread({ workerUrl: options.sharePageWorkerUrl, deadlineMs: CONVERSION_DEADLINE_MS });
  let gateway: Gateway | undefined;
  let drain: Drain | undefined;
  const isStopping = (): boolean => drain?.hasBegun ?? false;
  const countSockets = (): number => gateway?.socketCount ?? 0;
  const observing = await createObserving({ config, version, logger, db, services, countSockets });
  const app = createApp({
    ...options,
    ...access,
    db,
    baseUrl,
    keyRequestsPerMinute: config.keyRequestsPerMinute,
    observing,
    ...createRequestHandlers({ ...options, ...access, database, baseUrl, services, auth, authenticator, isStopping }),
    services,
    authenticator,
    keyAuthenticator: await createKeyAuthenticator({ ...workspace, ...access, apiKeys: services.apiKeys, listener }),
    largeResponses,
    responses: createJsonResponses(largeResponses),
    renderer: createPageRenderer(renderThreads),
    loadSkill: createSkillLoader(options.skillTemplatePath, baseUrl),
    dashboard: createDashboard(options.webDir, basePath),
    convertHtml: async (notionHtml) => {
      const result = await conversion.render({ notionHtml });
      return typeof result === "string" ? null : result.html;
    },
    importDir: join(config.dataDir, ".note-imports"),
  });
  await services.processes.start({ isOnly: database.deployment === "embedded" });
  await services.vaultMirror.start();
  const http = createLeanServer(app, (serve) => serveWithoutBasePath(basePath, observing.observe(serve)));
  const connections = followConnections(http, {
    ...CONNECTION_LIMITS,
    isExempt: (address) => config.trustsProxy || isLoopback(address),
  });
  drain = createDrain(http, connections);
  const { responseHeaders } = access;
  const endingSlowBodies = endSlowBodies({ connections, rate: BODY_RATE, responseHeaders });
  const endingUnreadResponses = endUnreadResponses({ connections, maxStallMs: MAX_RESPONSE_STALL_MS });
  await services.background.start();
  gateway = await createGateway({ ...access, basePath, http, connections, services, authenticator, listener, logger });
  const periodicTasks = [...startPeriodicTasks(services, logger), startReleasingMemory(logger)];

  const close = async (delayMs: number): Promise<void> => {
    drain.begin();
    await services.background.stopScheduling();
    await sleep(delayMs);
    await drain.stopListening();
    await Promise.all([
      gateway.close(),
      drain.finish(config.shutdownFinishMs),
      services.background.stopWork(),
      ...periodicTasks.map((task) => task.close()),
    ]);
    await Promise.all([endingSlowBodies, endingUnreadResponses, renderThreads, conversion].map((part) => part.close()));
    await services.background.close();
    await services.vaultMirror.close();
    await services.processes.close();
    await services.apiKeys.close();
    await services.calendarFeeds.close();
    await observing.close();
    await database.close();
  };
  // Last, so that the first request finds everything.
  await listen(http, port, config.host).catch(async (error: unknown) => {
    await close(0);
    throw error;
  });
  let closing: Promise<void> | undefined;
  return { url: baseUrl, close: () => (closing ??= close(config.shutdownDelayMs)) };
}

interface AccountsOptions extends ServerOptions {
  readonly db: Db;
  readonly listener: Listener;
  readonly clock: Clock;
  readonly originPolicy: OriginPolicy;
  readonly baseUrl: string;
  readonly workspace: OpenWorkspace;
}

/** Opens sign-in, with the first user on the first start. */
async function openAccounts({
  config,
  logger,
  db,
  listener,
  clock,
  originPolicy,
  baseUrl,
  workspace,
}: AccountsOptions) {
  const trustedOrigins = [...originPolicy.ownOrigins, ...originPolicy.allowedOrigins];
  const { signingSecret: secret } = workspace;
  const { isSignUpOpen, signInProvider, mail, admin, apiToken } = config;
  const deps = { db, clock, ids: uuidV7, logger };
  const mailer = mail === null ? null : createMailer({ ...mail, logger });
  const sendPasswordReset =
    mailer && ((reset: PasswordReset) => mailer.sendLater(writePasswordResetMail(reset, baseUrl)));
  const auth = createAuth({
    ...deps,
    secret,
    baseUrl,
    trustedOrigins,
    isSignUpOpen,
    signInProvider,
    sendPasswordReset,
  });
  await ensureFirstUser(db, auth, admin);
  return { auth, authenticator: await createAuthenticator({ auth, db, clock, listener, apiToken, isSignUpOpen }) };
}

interface RequestHandlersOptions extends ServerOptions {
  readonly database: OpenDatabase;
  readonly baseUrl: string;
  readonly services: Services;
  readonly auth: Auth;
  readonly authenticator: Authenticator;
  readonly tryPassword: PasswordAttempts;
  /** Whether the process is about to stop. */
  readonly isStopping: () => boolean;
}

/** Creates the body readers, the error reporter and the handlers of routes without a procedure. */
function createRequestHandlers(options: RequestHandlersOptions) {
  const { config, logger, version, database, baseUrl, services, auth, authenticator, tryPassword, isStopping } =
    options;
  const { db, deployment } = database;
  const { isSignUpOpen, trustsProxy, bodyLimits } = config;
  const largeBodies = {
    arriving: createLargeBodies({ maxBytes: 4 * bodyLimits.contentBytes, maxWaitMs: MAX_BODY_WAIT_MS }),
    // One of the largest at a time: the thread can do no more, and each takes several times its size.
    handled: createLargeBodies({ maxBytes: bodyLimits.contentBytes, maxWaitMs: MAX_BODY_WAIT_MS }),
  };
  const readBody = {
    ordinary: createJsonBodyReader(bodyLimits.ordinaryBytes),
    content: createJsonBodyReader(bodyLimits.contentBytes, largeBodies),
  };
  const writeHealth = createWriteHealth(db);
  const reportError = createErrorReporter(logger, writeHealth);
  return {
    readBody,
    reportError,
    health: createHealthRoute({
      db,
      clock: systemClock,
      version,
      deployment,
      writeHealth,
      vault: services.vaultMirror,
      // Another process takes over after the lease, and may need as long again to scan everything.
      maxLookAgeMs: 2 * config.processLeaseMs + SCAN_MS,
      isSchedulerRunning: () => services.background.isSchedulerRunning,
      embeddings: services.memoryEmbeddings,
      backups: services.backups,
    }),
    readiness: createReadinessRoute({ db, vault: services.vaultMirror, isStopping }),
    authRoutes: createAuthRoutes({
      auth,
      clock: systemClock,
      baseUrl,
      isSignUpOpen,
      trustsProxy,
      tryPassword,
      readBody: readBody.ordinary,
      findSessionUser: (req) => authenticator.authenticateBySession(req, null),
      cookieOf: authenticator.cookieOf,
      isDatabaseAvailable: async () => (await measureLatencyMs(db)) !== null,
      onSessionsChanged: authenticator.forgetSessions,
      reportError,
      recordSignIn: services.accounts.recordSignIn,
      listSignInMethods: services.accounts.listSignInMethods,
      unlinkProvider: services.accounts.unlinkProvider,
      provider: config.signInProvider,
      canSendMail: config.mail !== null,
    }),
  };
}

/** Null, and so unlimited, for this machine itself: all clients behind a proxy that is not trusted seem to be there. */
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

/** With `ACCESS_MODE=localhost`, only this machine's own names and configured hosts are allowed; otherwise any host. */
function createHostCheckFor(config: Config, baseUrl: string): HostCheck {
  if (config.accessMode !== "localhost") return createHostCheck(null);
  const listensOn = `http://${isIPv6(config.host) ? `[${config.host}]` : config.host}`;
  const addresses = [baseUrl, listensOn, ...config.allowedOrigins];
  return createHostCheck(new Set(addresses.map((address) => new URL(address).hostname)));
}
