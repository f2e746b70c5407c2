import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, resolve } from "node:path";
import { parseEnv } from "node:util";
import type { S3Access } from "@workspace/object-store";
import {
  isTimeZone,
  MAX_RETENTION_DAYS,
  MIN_PASSWORD_LENGTH,
  RETENTION_KINDS,
  RETENTION_RULES,
  type MailSettings,
  type SignInProvider,
  type EnvironmentModels,
  type EnvironmentRetention,
  type VaultStore,
} from "@workspace/core";
import { urlPerHost } from "@workspace/db";
import * as z from "zod";
import { isLoopback } from "./auth/client-address.ts";
import { findMisspelt, type MisspeltSetting } from "./misspelt-settings.ts";
import { readPrices } from "./model-prices.ts";
import { readTracing, type TracingConfig } from "./observing/tracing/tracing-config.ts";
import { findVaultProblems, storeVariables, toBackupAccess, toPlace, toVaultStore } from "./store-config.ts";
import { findSignInConflicts, signInVariables, toMailSettings, toSignInProvider } from "./sign-in-config.ts";

const MIB = 1024 * 1024;

const optionalText = z.string().optional();
const url = z.url({ protocol: /^https?$/, error: "expected an http or https address" });
/** Parts of a URL that are the same in all spellings, so that the base path is found where it is looked for. */
const PUBLIC_URL = /^https?:\/\/[^/?#@]+(?:\/[\w.~-]+)*\/?$/i;
const publicUrl = url
  .regex(PUBLIC_URL, "expected an address without a query, whose path has only letters, digits and - . _ ~")
  .transform((address) => new URL(address).href.replace(/\/$/, ""));
const wholeNumber = z.string().regex(/^\d+$/, "expected a whole number").transform(Number);
const amount = z
  .string()
  .regex(/^\d+(\.\d{1,9})?$/, "expected an amount such as 5 or 2.50")
  .transform(Number);
const onOff = z
  .enum(["on", "off", "true", "false", "1", "0"], "expected on or off")
  .transform((word) => word === "on" || word === "true" || word === "1");
const originList = z
  .string()
  .transform(originNames)
  .pipe(z.array(url.transform((address) => new URL(address).origin)));

const variables = z.object({
  PORT: wholeNumber.pipe(z.number().max(65_535, "expected a port from 0 to 65535")).default(3000),
  HOST: optionalText,
  DATA_DIR: z.string().default("./data"),
  VAULT_PATH: optionalText,
  VAULT_SCAN_S: wholeNumber.pipe(z.number().min(1, "expected at least 1")).default(60),
  ...storeVariables,
  DATABASE_URL: z.string().refine(isDatabaseUrl, "expected a postgresql:// address").optional(),
  ADMIN_EMAIL: z.email("expected an email address").optional(),
  ADMIN_PASSWORD: z.string().min(MIN_PASSWORD_LENGTH, `expected at least ${MIN_PASSWORD_LENGTH} characters`).optional(),
  ADMIN_NAME: optionalText,
  SERVICE_AUTH_URL: publicUrl.optional(),
  ACCESS_MODE: z.enum(["localhost", "specific", "any"], "expected localhost, specific or any").default("localhost"),
  ALLOWED_ORIGINS: originList.default([]),
  SIGN_UP: z.enum(["open", "closed"], "expected open or closed").optional(),
  ...signInVariables,
  SERVICE_API_TOKEN: z.string().min(16, "expected at least 16 characters").optional(),
  SERVICE_SECRET: z.string().min(32, "expected at least 32 characters").optional(),
  SERVICE_ENCRYPTION_KEY: z.string().min(32, "expected at least 32 characters").optional(),
  SERVICE_ENCRYPTION_KEY_PREVIOUS: z.string().min(32, "expected at least 32 characters").optional(),
  AGENT_HTTP_ORIGINS: originList.default([]),
  TRANSCRIPT_ROOTS: optionalText,
  WORKSPACE_HOOKS_HOME: optionalText,
  CLAUDE_CONFIG_DIR: optionalText,
  OPENAI_API_KEY: optionalText,
  OPENAI_BASE_URL: url.optional(),
  OPENAI_MODEL: optionalText,
  OPENAI_MAX_OUTPUT_TOKENS: wholeNumber.pipe(z.number().min(1, "expected at least 1")).default(4096),
  MODEL_SILENCE_TIMEOUT_S: wholeNumber.pipe(z.number().min(1, "expected at least 1")).default(120),
  EMBEDDINGS_API_KEY: optionalText,
  EMBEDDINGS_BASE_URL: url.optional(),
  EMBEDDINGS_MODEL: optionalText,
  EMBEDDINGS_DIMENSIONS: wholeNumber
    .pipe(z.number().min(2, "expected at least 2").max(16_384, "expected at most 16384"))
    .optional(),
  MODEL_PRICES: optionalText,
  DAILY_BUDGET_USD: amount.optional(),
  V1_CREDITS: wholeNumber.pipe(z.number().max(2_000_000_000, "expected at most 2,000,000,000")).default(1000),
  V1_REQUESTS_PER_MINUTE: wholeNumber.pipe(z.number().min(1, "expected at least 1")).optional(),
  TZ: z.string().refine(isTimeZone, "expected the IANA name of a time zone, such as Europe/Berlin").optional(),
  PROCESS_LEASE_S: wholeNumber.pipe(z.number().min(2, "expected at least 2")).default(30),
  SHUTDOWN_DELAY_S: wholeNumber.pipe(z.number().max(3600, "expected at most 3600")).default(0),
  TRUST_PROXY: onOff.default(false),
  BACKUP_DIR: optionalText,
  BACKUP_PASSPHRASE: z.string().min(8, "expected at least 8 characters").optional(),
  ACCESS_LOG: onOff.default(false),
  METRICS_TOKEN: z.string().min(16, "expected at least 16 characters").optional(),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
  MAX_BODY_BYTES: wholeNumber.default(MIB),
  MAX_CONTENT_BYTES: wholeNumber.default(32 * MIB),
});

/** The names of all variables but those of OpenTelemetry, whose library reads more of them. */
const KNOWN = [...Object.keys(variables.shape), ...RETENTION_KINDS.map((kind) => RETENTION_RULES[kind].variable)];

/** All settings, parsed and with defaults filled in. */
export interface Config {
  readonly port: number;
  readonly host: string;
  readonly dataDir: string;
  /** A folder, or `s3://bucket/path`. */
  readonly vaultPath: string;
  /** How the store of the vault is reached; null unless it is in one. */
  readonly vaultStore: VaultStore | null;
  /** Null for the embedded database. */
  readonly databaseUrl: string | null;
  readonly admin: {
    readonly email?: string | undefined;
    readonly password?: string | undefined;
    readonly name?: string | undefined;
  };
  /** The public URL; null to derive it from the port once that is known. */
  readonly authUrl: string | null;
  readonly accessMode: "localhost" | "specific" | "any";
  readonly allowedOrigins: readonly string[];
  readonly isSignUpOpen: boolean;
  /** With whose accounts people sign in, besides their passwords; null for nobody's. */
  readonly signInProvider: SignInProvider | null;
  /** Null if no mail can be sent. */
  readonly mail: MailSettings | null;
  readonly apiToken: string | null;
  /** Null for the one stored in the data directory. */
  readonly secret: string | null;
  /** The current key, followed during a rotation by the previous one. Null for those stored in the data directory. */
  readonly encryptionKeys: readonly string[] | null;
  /** The folders below which assistants' transcripts may be read. */
  readonly transcriptRoots: readonly string[];
  /** Whether transcripts of sessions are stored at all. */
  readonly keepsTranscripts: boolean;
  /** For how many days things are kept, null for ever, as far as the environment says so. */
  readonly retention: EnvironmentRetention;
  /** Where the hooks of the server's own user are installed. */
  readonly hooksHome: string;
  /** The origins to which agents may send requests, with secrets that they refer to by name. */
  readonly agentHttpOrigins: readonly string[];
  readonly models: EnvironmentModels;
  /** The initial balance of the credit pool of `/api/v1`. */
  readonly v1Credits: number;
  /** How many requests each API key can make in a minute; null for any number. */
  readonly keyRequestsPerMinute: number | null;
  /** Undefined if it is that of the settings. */
  readonly timeZone: string | undefined;
  /** How long a server process counts as alive after its last renewal. */
  readonly processLeaseMs: number;
  /** For how long a process that is told to stop still serves requests, while it reports that it is not ready. */
  readonly shutdownDelayMs: number;
  /** How long requests in flight may take after that. Longer with a delay, because then others serve what comes next. */
  readonly shutdownFinishMs: number;
  readonly trustsProxy: boolean;
  /** The default place of backups, the store if it is in one, and the passphrase that encrypts them; null for none. */
  readonly backup: {
    readonly dir: string | null;
    readonly s3: S3Access | null;
    readonly passphrase: string | null;
  };
  readonly logLevel: string;
  /** Whether each request is logged. */
  readonly hasAccessLog: boolean;
  /** What a request for the metrics has to present; null to have none. */
  readonly metricsToken: string | null;
  /** Null if there are no traces. */
  readonly tracing: TracingConfig | null;
  /** The variables that are ignored, but nearly have the name of one of these settings. */
  readonly misspelt: readonly MisspeltSetting[];
  readonly bodyLimits: { readonly ordinaryBytes: number; readonly contentBytes: number };
}

/** Lists all invalid variables, not only the first. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The configuration has problems:\n${problems.map((problem) => `  ${problem}`).join("\n")}`);
    this.problems = problems;
  }
}

/**
 * Reads the configuration from the environment and `.env` in `rootDir`; the environment wins. An empty variable counts as unset.
 * Throws {@link ConfigError}.
 */
export function loadConfig(rootDir: string): Config {
  const envFile = resolve(rootDir, ".env");
  const fromFile = existsSync(envFile) ? parseEnv(readFileSync(envFile, "utf8")) : {};
  return parseConfig({ ...fromFile, ...process.env }, rootDir);
}

/** {@link loadConfig} without access to `.env` and the process's environment. */
export function parseConfig(environment: Readonly<Record<string, string | undefined>>, rootDir: string): Config {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ""),
  );
  const { data: env, error } = variables.safeParse(given);
  const { prices, problems: priceProblems } = readPrices(resolveUnlessUnset(rootDir, given["MODEL_PRICES"]));
  const retention = readRetention(given);
  const { tracing, problems: tracingProblems } = readTracing(given);
  const problems = [
    ...(error?.issues ?? []).map((issue) => `${issue.path.slice(0, 1).join("")}: ${issue.message}`),
    ...findConflicts(given),
    ...findVaultProblems(given),
    ...findSignInConflicts(given),
    ...priceProblems.map((problem) => `MODEL_PRICES: ${problem}`),
    ...retention.problems,
    ...tracingProblems,
  ];
  if (env === undefined || prices === undefined || problems.length > 0) throw new ConfigError(problems);
  const dataDir = resolve(rootDir, env.DATA_DIR);
  const host = env.HOST ?? (env.ACCESS_MODE === "localhost" ? "127.0.0.1" : "0.0.0.0");
  // A name in the Host header can be forged: what counts is where it listens.
  const isOnlyLocal = env.ACCESS_MODE === "localhost" && (host === "localhost" || isLoopback(host));
  return {
    port: env.PORT,
    host,
    dataDir,
    vaultPath: toPlace(rootDir, env.VAULT_PATH) ?? resolve(dataDir, "vault"),
    vaultStore: toVaultStore(env),
    databaseUrl: env.DATABASE_URL ?? null,
    admin: { email: env.ADMIN_EMAIL, password: env.ADMIN_PASSWORD, name: env.ADMIN_NAME },
    authUrl: env.SERVICE_AUTH_URL ?? null,
    accessMode: env.ACCESS_MODE,
    allowedOrigins: env.ALLOWED_ORIGINS,
    isSignUpOpen: (env.SIGN_UP ?? (isOnlyLocal ? "open" : "closed")) === "open",
    signInProvider: toSignInProvider(env),
    mail: toMailSettings(env),
    apiToken: env.SERVICE_API_TOKEN ?? null,
    secret: env.SERVICE_SECRET ?? null,
    encryptionKeys: toEncryptionKeys(env.SERVICE_ENCRYPTION_KEY, env.SERVICE_ENCRYPTION_KEY_PREVIOUS),
    transcriptRoots:
      env.TRANSCRIPT_ROOTS === undefined
        ? assistantFolders(env.CLAUDE_CONFIG_DIR)
        : splitPaths(env.TRANSCRIPT_ROOTS).map((path) => resolve(rootDir, path)),
    keepsTranscripts: retention.days.transcripts !== 0,
    retention: retention.days,
    hooksHome: env.WORKSPACE_HOOKS_HOME ?? resolve(homedir(), ".workspace-hooks"),
    agentHttpOrigins: env.AGENT_HTTP_ORIGINS,
    models: {
      model: toModel(env),
      embeddings: toEmbeddingSettings(env),
      prices,
      dailyBudgetUsd: env.DAILY_BUDGET_USD ?? null,
      silenceTimeoutMs: env.MODEL_SILENCE_TIMEOUT_S * 1000,
    },
    v1Credits: env.V1_CREDITS,
    keyRequestsPerMinute: env.V1_REQUESTS_PER_MINUTE ?? null,
    timeZone: env.TZ,
    processLeaseMs: env.PROCESS_LEASE_S * 1000,
    shutdownDelayMs: env.SHUTDOWN_DELAY_S * 1000,
    shutdownFinishMs: env.SHUTDOWN_DELAY_S === 0 ? 5_000 : 15_000,
    trustsProxy: env.TRUST_PROXY,
    backup: {
      dir: toPlace(rootDir, env.BACKUP_DIR),
      s3: toBackupAccess(env),
      passphrase: env.BACKUP_PASSPHRASE ?? null,
    },
    logLevel: env.LOG_LEVEL,
    hasAccessLog: env.ACCESS_LOG,
    metricsToken: env.METRICS_TOKEN ?? null,
    tracing,
    misspelt: findMisspelt(Object.keys(given), KNOWN),
    bodyLimits: { ordinaryBytes: env.MAX_BODY_BYTES, contentBytes: env.MAX_CONTENT_BYTES },
  };
}

/** Reads for how long things are kept. */
function readRetention(given: Readonly<Record<string, string | undefined>>) {
  const days: { -readonly [Kind in keyof EnvironmentRetention]: EnvironmentRetention[Kind] } = {};
  const problems: string[] = [];
  for (const kind of RETENTION_KINDS) {
    const { variable, least } = RETENTION_RULES[kind];
    const text = given[variable];
    if (text === undefined) continue;
    // No transcripts at all may be kept.
    const fewest = kind === "transcripts" ? 0 : least;
    const number = /^\d+$/.test(text) ? Number(text) : NaN;
    if (text === "forever") days[kind] = null;
    else if (number >= fewest && number <= MAX_RETENTION_DAYS) days[kind] = number;
    else problems.push(`${variable}: expected ${fewest} to ${MAX_RETENTION_DAYS} days, or forever`);
  }
  return { days, problems };
}

/** Finds variables that are only invalid in combination. */
function findConflicts(given: Readonly<Record<string, string | undefined>>): string[] {
  const conflicts: string[] = [];
  const allowedOrigins = originNames(given["ALLOWED_ORIGINS"] ?? "");
  if (given["ACCESS_MODE"] === "specific" && allowedOrigins.length === 0 && given["SERVICE_AUTH_URL"] === undefined) {
    conflicts.push("ALLOWED_ORIGINS: must name at least one origin when ACCESS_MODE is specific");
  }
  if (given["SERVICE_ENCRYPTION_KEY_PREVIOUS"] !== undefined && given["SERVICE_ENCRYPTION_KEY"] === undefined) {
    conflicts.push("SERVICE_ENCRYPTION_KEY_PREVIOUS: requires SERVICE_ENCRYPTION_KEY");
  }
  const hasEmbeddingAccess = (given["EMBEDDINGS_API_KEY"] ?? given["EMBEDDINGS_BASE_URL"]) !== undefined;
  if (given["EMBEDDINGS_MODEL"] !== undefined && !hasEmbeddingAccess) {
    conflicts.push("EMBEDDINGS_MODEL: requires EMBEDDINGS_API_KEY or EMBEDDINGS_BASE_URL");
  }
  return conflicts;
}

/** Of one server or several. */
function isDatabaseUrl(text: string): boolean {
  return urlPerHost(text).every((address) => /^postgres(?:ql)?:\/\//.test(address) && URL.canParse(address));
}

function originNames(text: string): string[] {
  return text
    .split(",")
    .map((origin) => origin.trim())
    .filter((origin) => origin !== "");
}

function resolveUnlessUnset(rootDir: string, path: string | undefined): string | undefined {
  return path === undefined ? undefined : resolve(rootDir, path);
}

/** A custom endpoint may not need a key; OpenAI's does. */
function toModel(env: z.output<typeof variables>): EnvironmentModels["model"] {
  const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseUrl = null, OPENAI_MODEL: model } = env;
  const hasAccess = apiKey !== undefined || baseUrl !== null;
  if (!hasAccess || model === undefined) {
    return { missing: [...(hasAccess ? [] : ["OPENAI_API_KEY"]), ...(model === undefined ? ["OPENAI_MODEL"] : [])] };
  }
  const maxOutputTokens = env.OPENAI_MAX_OUTPUT_TOKENS;
  const silenceTimeoutMs = env.MODEL_SILENCE_TIMEOUT_S * 1000;
  return { settings: { apiKey: apiKey ?? "none", baseUrl, model, maxOutputTokens, silenceTimeoutMs } };
}

/** Off unless there is a model. Its texts are sent to no endpoint that was configured for anything else. */
function toEmbeddingSettings(env: z.output<typeof variables>): EnvironmentModels["embeddings"] {
  const { EMBEDDINGS_API_KEY: apiKey = "none", EMBEDDINGS_BASE_URL: baseUrl = null, EMBEDDINGS_MODEL: model } = env;
  return model === undefined ? null : { apiKey, baseUrl, model, dimensions: env.EMBEDDINGS_DIMENSIONS ?? null };
}

function toEncryptionKeys(newest: string | undefined, previous: string | undefined): readonly string[] | null {
  if (newest === undefined) return null;
  return previous === undefined || previous === newest ? [newest] : [newest, previous];
}

/** The folders in which coding assistants store the transcripts of their sessions. */
function assistantFolders(claudeConfigDir = resolve(homedir(), ".claude")): readonly string[] {
  const others = [".codex/sessions", ".gemini/tmp", ".cursor/projects", ".local/share/opencode/storage"];
  return [resolve(claudeConfigDir, "projects"), ...others.map((folder) => resolve(homedir(), folder))];
}

function splitPaths(text: string): string[] {
  return text.split(delimiter).filter((path) => path !== "");
}
