import * as fs from "node:fs";
import { dirname } from "node:path";
import type { ApiResult, Connection } from "../delivery/api-call.ts";
import { type KeyCredentials, checkKey, createKey } from "../delivery/workspace-api.ts";
import type { Environment } from "../environment.ts";
import { PRIVATE_DIR_MODE, ensurePrivateDir, statIfExists, writeFileAtomic } from "../files/atomic-file.ts";
import { lacksCompiledCode } from "../files/compiled-code.ts";
import { readConfig, updateConfig } from "../files/config.ts";
import type { Home } from "../files/home.ts";
import { type InstallRequest, install, missingEvents, planInstall } from "../settings/installer.ts";
import { readLedger } from "../settings/ledger.ts";
import { type Arguments, UsageError, parseArguments } from "../terminal/arguments.ts";
import { ask, counted, describeChange, isInteractive, print } from "../terminal/terminal.ts";
import { compileAhead } from "./compile-ahead.ts";
import { offerPacks, readPacks } from "./offer-packs.ts";
import {
  installedCopies,
  knownRequests,
  targetPaths,
  readHarnesses,
  readScope,
  requestFor,
  requireHome,
} from "./targets.ts";

const CHECK_DEADLINE_MS = 5_000;
const PROGRAM_MODE = 0o700;

/** Makes the assistant call our hooks. Needs the server and a key, shows what it changes, and can be repeated. */
export async function runInstall(args: readonly string[], environment: Environment): Promise<number> {
  const parsed = parseArguments(args, {
    values: ["server", "key", "api-token", "email", "password", "for", "scope", "project", "packs"],
    flags: ["dry-run", "repair"],
  });
  const home = requireHome(environment);
  const packs = readPacks(parsed.values["packs"]);
  const requests = requestsOf(parsed, environment, home);
  // All changes are computed before anything is written, so that one untouchable file aborts everything.
  const plans = requests.map((request) => ({ request, change: planInstall(request) }));
  if (parsed.flags.has("dry-run")) {
    for (const { request, change } of plans) show(request, change, true);
    print("Nothing has been written.");
    return 0;
  }
  const connection = await findConnection(parsed, environment, home);
  if (connection === undefined) return 1;
  const isNew = installProgram(home, parsed.flags.has("repair"));
  if (isNew || lacksCompiledCode(home)) await compileAhead(home);
  updateConfig(home.config, ({ ownsKey, ...record }) => {
    const isOwn = connection.isOwn || (ownsKey === true && record["key"] === connection.key);
    return { ...record, server: connection.server, key: connection.key, ...(isOwn && { ownsKey: true }) };
  });
  for (const request of requests) show(request, install(request), false);
  warnOfDuplicates(environment, home);
  if (requests.some(({ harness }) => harness.id === "codex"))
    print("Codex skips new hooks without a word until you trust them: start it, and enter /hooks.");
  await offerPacks(home, environment, packs);
  print("Sessions that start from now on use it. `workspace-hooks doctor --self-test` tests it end to end.");
  return 0;
}

function requestsOf(parsed: Arguments, environment: Environment, home: Home): readonly InstallRequest[] {
  const known = knownRequests(environment, home);
  if (parsed.flags.has("repair") && known.length > 0) return known;
  const paths = targetPaths(environment, home, parsed.values["project"]);
  const scope = readScope(parsed.values);
  return readHarnesses(parsed.values, paths).map((harness) => requestFor(harness, scope, paths, home));
}

/** Shows each line of a change; of a file that is new, and so all ours, only if `isWhole`. */
function show(
  { harness, scope, target }: InstallRequest,
  { before, after }: { before: string | undefined; after: string | undefined },
  isWhole: boolean,
): void {
  const lines = describeChange(before, after);
  print(`${harness.title}, ${scope} settings: ${target.file}`);
  if (before === undefined && !isWhole) return print(`  a new file of ${counted(lines.length, "line")}`);
  if (lines.length === 0) print("  already up to date");
  for (const line of lines) print(`  ${line}`);
}

/** Copies the program, unless the copy is the same, and returns whether it did: the code compiled for a copy stays valid with it. */
function installProgram(home: Home, isRepair: boolean): boolean {
  ensurePrivateDir(home.root);
  fs.chmodSync(home.root, PRIVATE_DIR_MODE);
  ensurePrivateDir(dirname(home.program));
  const copies = installedCopies(home).map(([file, copy]) => ({ copy, text: fs.readFileSync(file) }));
  if (!isRepair && copies.every(isInstalled)) return false;
  for (const { copy, text } of copies) writeFileAtomic(copy, text, { mode: PROGRAM_MODE, isDurable: true });
  return true;
}

function isInstalled({ copy, text }: { copy: string; text: Buffer }): boolean {
  const status = statIfExists(copy);
  return status?.isFile() === true && (status.mode & 0o777) === PROGRAM_MODE && fs.readFileSync(copy).equals(text);
}

interface FoundKey {
  readonly key: string;
  /** Whether it was created just now, for nobody else. */
  readonly isOwn: boolean;
}
interface FoundConnection extends Connection, FoundKey {}

/**
 * What was given, what is known from before, or what the user enters. Undefined if it does not work, after printing the
 * reason.
 */
async function findConnection(
  parsed: Arguments,
  environment: Environment,
  home: Home,
): Promise<FoundConnection | undefined> {
  const known = readConfig(home.config);
  const before = known.kind === "ready" ? known.config.connection : undefined;
  const server = toServerUrl(
    parsed.values["server"] ??
      before?.server ??
      (await askFor("Server address, for example http://localhost:3000", "server")),
  );
  const made = await findKey(parsed, environment, server, before?.server === server ? before : undefined);
  if (made.kind !== "ok") {
    print(`No key could be created: ${made.message}`);
    return undefined;
  }
  const connection = { server, key: made.value.key, isOwn: made.value.isOwn };
  const checked = await checkKey(connection, CHECK_DEADLINE_MS);
  if (checked.kind === "unauthorized") {
    print(`${server} does not accept this key (${checked.message}). Nothing has been written.`);
    return undefined;
  }
  if (checked.kind !== "ok")
    print(`${server} cannot be reached now (${checked.message}). Events will wait until it can.`);
  return connection;
}

async function findKey(
  { values }: Arguments,
  { variables }: Environment,
  server: string,
  before: Connection | undefined,
): Promise<ApiResult<FoundKey>> {
  const found = (key: string): ApiResult<FoundKey> => ({ kind: "ok", value: { key, isOwn: false }, durationMs: 0 });
  const given = values["key"] ?? variables["WORKSPACE_HOOKS_KEY"];
  if (given !== undefined) return found(given);
  const credentials = await findKeyCredentials(values, variables);
  if (credentials !== undefined) {
    const made = await createKey(server, credentials, `hooks on ${process.getBuiltinModule("node:os").hostname()}`);
    return made.kind === "ok" ? { ...made, value: { key: made.value, isOwn: true } } : made;
  }
  const key =
    before?.key ??
    (await askFor(
      "Key with the scope hooks (created in the dashboard; see also --api-token and --email)",
      "key",
      true,
    ));
  return found(key);
}

async function findKeyCredentials(
  values: Arguments["values"],
  variables: Environment["variables"],
): Promise<KeyCredentials | undefined> {
  const apiToken = values["api-token"] ?? variables["SERVICE_API_TOKEN"];
  if (apiToken !== undefined) return { apiToken };
  const { email } = values;
  if (email === undefined) return undefined;
  return {
    email,
    password:
      values["password"] ?? variables["WORKSPACE_PASSWORD"] ?? (await askFor(`Password of ${email}`, "password", true)),
  };
}

async function askFor(question: string, option: string, isSecret = false): Promise<string> {
  if (!isInteractive()) throw new UsageError(`--${option} is required in non-interactive use.`);
  const answer = await ask(question, isSecret);
  if (answer === "") throw new UsageError("Nothing was entered, so nothing has been written.");
  return answer;
}

function toServerUrl(text: string): string {
  const address = /^https?:\/\//.test(text) ? text : `http://${text}`;
  if (!URL.canParse(address)) throw new UsageError(`${text} is not a server address.`);
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname}`.replace(/\/$/, "");
}

/** An assistant merges two of its scopes, and would record everything twice. */
function warnOfDuplicates(environment: Environment, home: Home): void {
  const entries = readLedger(home.ledger);
  const duplicates = knownRequests(environment, home).filter((request, index) => {
    const isDuplicate = entries.some(
      (other, at) =>
        at < index && other.harness === request.harness.id && (other.scope === "user" || request.scope === "user"),
    );
    return isDuplicate && missingEvents(request.target, request.harness).length === 0;
  });
  for (const { harness, target } of duplicates)
    print(`Note: ${harness.title} has the hooks more than once (also in ${target.file}); it will call each.`);
}
