import { readBreaker } from "../delivery/breaker-file.ts";
import type { Environment } from "../environment.ts";
import { type ConfigState, readConfig } from "../files/config.ts";
import type { Home } from "../files/home.ts";
import { readProblems } from "../files/problem-log.ts";
import { effectiveSwitches } from "../hook/hook-session.ts";
import { findDueSessions } from "../memory/session-record.ts";
import { loadPolicy } from "../policy/policy-store.ts";
import { findProject } from "../project/project.ts";
import { missingEvents } from "../settings/installer.ts";
import { readCounter } from "../spool/counters.ts";
import { Spool } from "../spool/spool.ts";
import { parseArguments } from "../terminal/arguments.ts";
import { counted, countedEvents, print } from "../terminal/terminal.ts";
import { VERSION } from "../version.ts";
import { knownRequests, requireHome } from "./targets.ts";

const SHOWN_PROBLEMS = 5;

/** What is installed, what is pending, and what went wrong: every failure of a hook is visible here. */
export async function runStatus(args: readonly string[], environment: Environment): Promise<number> {
  const { flags } = parseArguments(args, { flags: ["json"] });
  const status = collectStatus(environment, requireHome(environment));
  if (flags.has("json")) print(JSON.stringify(status, undefined, 2));
  else for (const line of describeStatus(status)) print(line);
  return 0;
}

export interface Status {
  readonly version: string;
  /** Where this program keeps its files. */
  readonly folder: string;
  readonly server: string;
  readonly serverFailure: string | null;
  readonly lastSuccessAt: string | null;
  readonly project: { readonly identity: string; readonly memory: boolean; readonly events: boolean };
  readonly installations: readonly {
    readonly assistant: string;
    readonly scope: string;
    readonly file: string;
    readonly missing: readonly string[];
  }[];
  readonly waiting: number;
  readonly dropped: number;
  readonly rejected: number;
  readonly sessionsToHandOver: number;
  readonly rules: readonly { readonly id: string; readonly decision: string }[];
  /** How many rules of packs apply. */
  readonly rulesOfPacks: number;
  readonly policyProblems: readonly string[];
  readonly problems: readonly { readonly at: string; readonly message: string }[];
}

export function collectStatus(environment: Environment, home: Home): Status {
  const config = readConfig(home.config);
  const breaker = readBreaker(home.breaker);
  const project = findProject(environment.projectDir ?? process.cwd());
  const { policy, problems } = loadPolicy(home);
  const spool = new Spool(home, { maxEvents: Infinity }, Date.now);
  return {
    version: VERSION,
    folder: home.root,
    server: describeServer(config),
    serverFailure: breaker.failures > 0 ? (breaker.lastFailure?.message ?? "unknown") : null,
    lastSuccessAt: breaker.lastSuccessAtMs === undefined ? null : new Date(breaker.lastSuccessAtMs).toISOString(),
    project: { identity: project.identity, ...effectiveSwitches(config, project, environment) },
    installations: knownRequests(environment, home).map(({ harness, scope, target }) => ({
      assistant: harness.title,
      scope,
      file: target.file,
      missing: missingOrAll(target, harness),
    })),
    waiting: spool.length,
    dropped: readCounter(home.counters, "dropped"),
    rejected: readCounter(home.counters, "rejected"),
    sessionsToHandOver:
      config.kind === "ready" ? findDueSessions(home.sessions, config.config, Date.now(), true).length : 0,
    rules: policy.rules.map(({ id, decision }) => ({ id, decision })),
    rulesOfPacks: Object.keys(policy.effects ?? {}).length,
    policyProblems: problems,
    problems: readProblems(home.problems).slice(-SHOWN_PROBLEMS),
  };
}

function describeServer(config: ConfigState): string {
  if (config.kind === "ready") return config.config.connection.server;
  return config.kind === "missing" ? "not installed" : `broken: ${config.message}`;
}

/** A settings file that cannot be read contains no hooks of ours. */
function missingOrAll(...[target, harness]: Parameters<typeof missingEvents>): readonly string[] {
  try {
    return missingEvents(target, harness);
  } catch {
    return harness.events.map(({ name }) => name);
  }
}

function describeStatus(status: Status): readonly string[] {
  const { project, rules } = status;
  return [
    `workspace-hooks ${status.version}, in ${status.folder}`,
    `Server: ${status.server}${status.serverFailure === null ? "" : `, unreachable: ${status.serverFailure}`}`,
    `Last delivery: ${status.lastSuccessAt ?? "none yet"}`,
    `Pending: ${countedEvents(status.waiting)}, ${counted(status.sessionsToHandOver, "session")}. Dropped: ${status.dropped}. Refused by the server: ${status.rejected}.`,
    `This project: ${project.identity}, memory ${onOff(project.memory)}, recording ${onOff(project.events)}`,
    `Rules of packs: ${status.rulesOfPacks}`,
    `Rules: ${rules.length === 0 ? "none" : rules.map(({ id, decision }) => `${id} (${decision})`).join(", ")}`,
    ...status.policyProblems.map((problem) => `  ✗ ${problem}`),
    ...status.installations.map(({ assistant, scope, file, missing }) =>
      missing.length === 0
        ? `✓ ${assistant}, ${scope}: ${file}`
        : `✗ ${assistant}, ${scope}: ${file} is missing ${missing.join(", ")}; run install --repair`,
    ),
    ...(status.problems.length === 0 ? [] : ["Latest problems:"]),
    ...status.problems.map(({ at, message }) => `  ${at} ${message}`),
  ];
}

function onOff(isOn: boolean): string {
  return isOn ? "on" : "off";
}
