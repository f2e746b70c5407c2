import * as fs from "node:fs";
import { checkKey, getExtractionStatus } from "../delivery/workspace-api.ts";
import type { Environment } from "../environment.ts";
import { describeError, errorCode, statIfExists } from "../files/atomic-file.ts";
import { lacksCompiledCode } from "../files/compiled-code.ts";
import { readConfig } from "../files/config.ts";
import type { Home } from "../files/home.ts";
import { type InstallRequest, missingEvents } from "../settings/installer.ts";
import { parseArguments } from "../terminal/arguments.ts";
import { counted, countedEvents, print } from "../terminal/terminal.ts";
import { proveCalls } from "./call-proof.ts";
import { type Check, describeCheck } from "./check.ts";
import { selfTest } from "./self-test.ts";
import { collectStatus } from "./status.ts";
import { installedCopies, knownRequests, requireHome } from "./targets.ts";

const SERVER_DEADLINE_MS = 5_000;

/**
 * Checks everything that the hooks need to work, with one real event of each assistant that can be started; `--self-test` also
 * fires every rule.
 */
export async function runDoctor(args: readonly string[], environment: Environment): Promise<number> {
  const { flags } = parseArguments(args, { flags: ["self-test"] });
  const home = requireHome(environment);
  const checks = [
    ...checkFiles(home),
    await checkServer(home),
    ...(await checkExtraction(home)),
    ...(await checkInstallations(environment, home)),
    ...checkState(environment, home),
  ];
  if (flags.has("self-test")) checks.push(...(await selfTest(environment, home)));
  for (const each of checks) print(describeCheck(each));
  return checks.every(({ failure }) => failure === undefined) ? 0 : 1;
}

function check(title: string, failure: string | false | undefined): Check {
  return { title, failure: failure === false ? undefined : failure };
}

function checkFiles(home: Home): readonly Check[] {
  const config = readConfig(home.config);
  const modeOf = (path: string): number => (statIfExists(path)?.mode ?? 0) & 0o077;
  const isCurrent = installedCopies(home).every(
    ([file, copy]) => fs.existsSync(copy) && fs.readFileSync(copy).equals(fs.readFileSync(file)),
  );
  return [
    check(
      "configuration",
      config.kind !== "ready" && (config.kind === "missing" ? "not installed; run install" : config.message),
    ),
    check("nobody else can read the key", modeOf(home.config) !== 0 && `chmod 600 ${home.config}`),
    check("the installed program has this version", !isCurrent && "run install --repair"),
    check(
      "it is compiled for this version of Node",
      lacksCompiledCode(home) && "hooks start more slowly than they could; run install --repair",
    ),
    check("events can be stored on disk", tryToWrite(home)),
  ];
}

function tryToWrite(home: Home): string | undefined {
  const probe = `${home.root}/.probe`;
  try {
    fs.writeFileSync(probe, "probe", { mode: 0o600 });
    fs.rmSync(probe);
    return undefined;
  } catch (error) {
    return `${errorCode(error) ?? describeError(error)} in ${home.root}`;
  }
}

async function checkServer(home: Home): Promise<Check> {
  const config = readConfig(home.config);
  if (config.kind !== "ready") return check("server", "unknown without configuration");
  const { connection } = config.config;
  const result = await checkKey(connection, SERVER_DEADLINE_MS);
  return check(`server ${connection.server} accepts the key`, result.kind !== "ok" && result.message);
}

/** Nothing if the server cannot be asked, which is a failure of its own. */
async function checkExtraction(home: Home): Promise<readonly Check[]> {
  const config = readConfig(home.config);
  if (config.kind !== "ready") return [];
  const status = await getExtractionStatus(config.config.connection, SERVER_DEADLINE_MS);
  if (status.kind !== "ok") return [];
  const { isModelConfigured, pending, lastError } = status.value;
  const title = "the server extracts memories from sessions";
  if (!isModelConfigured)
    return [
      { title, failure: undefined, unproven: "it has no model; what sessions said waits for one, up to a month" },
    ];
  return [check(title, lastError !== undefined && `${pending} parts are pending: ${lastError}`)];
}

async function checkInstallations(environment: Environment, home: Home): Promise<readonly Check[]> {
  const requests = knownRequests(environment, home);
  if (requests.length === 0) return [check("hooks are installed", "in no assistant; run install")];
  const checks: Check[] = [];
  for (const request of requests) {
    const entries = checkEntries(request);
    checks.push(entries);
    if (entries.failure === undefined) checks.push(await proveCalls(request.harness, request.target.file, environment));
  }
  return checks;
}

function checkEntries({ harness, target }: InstallRequest): Check {
  const title = `${target.file} has the hooks`;
  try {
    const missing = missingEvents(target, harness);
    return check(title, missing.length > 0 && `${missing.join(", ")} missing; run install --repair`);
  } catch (error) {
    return check(title, describeError(error));
  }
}

function checkState(environment: Environment, home: Home): readonly Check[] {
  const { waiting, dropped, rejected, policyProblems, rules } = collectStatus(environment, home);
  return [
    check(`policy of ${counted(rules.length, "rule")}`, policyProblems[0]),
    check(`${countedEvents(waiting)} pending`, waiting > 1_000 && "run flush"),
    check(
      "no events were lost",
      (dropped > 0 || rejected > 0) &&
        `${dropped} dropped because the spool was full, ${rejected} refused by the server (see ${home.rejected})`,
    ),
  ];
}
