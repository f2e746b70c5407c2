import { rmSync } from "node:fs";
import type { Environment } from "../environment.ts";
import { recordCalls } from "../calls/record-calls.ts";
import { ALL_ON, type Switches, readConfig, readSwitches, updateConfig } from "../files/config.ts";
import type { Home } from "../files/home.ts";
import { recordAt } from "../json/json-value.ts";
import { findProject } from "../project/project.ts";
import { UsageError, parseArguments } from "../terminal/arguments.ts";
import { Spool } from "../spool/spool.ts";
import { print } from "../terminal/terminal.ts";
import { pauseCalls } from "../usage/usage-record.ts";
import { requireHome } from "./targets.ts";

/** `memory on|off`, `events on|off` and `undo on|off`: globally, or with `--project [folder]` for one project. */
export async function runSwitch(
  name: keyof Switches,
  args: readonly string[],
  environment: Environment,
): Promise<number> {
  const { positionals, values, flags } = parseArguments(args, { values: ["project"], flags: ["here"] });
  const [state] = positionals;
  if (state !== "on" && state !== "off") throw new UsageError(`${name} on|off [--here | --project <folder>]`);
  const home = requireHome(environment);
  const folder = values["project"] ?? (flags.has("here") ? process.cwd() : undefined);
  const identity = folder === undefined ? undefined : findProject(folder).identity;
  if (name === "events") await recordUntilNow(home);
  updateConfig(home.config, (record) => {
    if (identity === undefined) return { ...record, [name]: state === "on" };
    const projects = recordAt(record, "projects") ?? {};
    const before = readSwitches(recordAt(projects, identity) ?? {}, ALL_ON);
    return { ...record, projects: { ...projects, [identity]: { ...before, [name]: state === "on" } } };
  });
  rmSync(home.passes, { recursive: true, force: true });
  const changed = readConfig(home.config);
  if (changed.kind === "ready") {
    const { switches, projects } = changed.config;
    pauseCalls(home.usage, (project) => switches.events && projects[project]?.events !== false);
  }
  print(`${name} is ${state} ${identity === undefined ? "everywhere" : `in ${identity}`}.`);
  return 0;
}

const CALLS_MS = 2_000;

/** What sessions have done until events are switched is recorded, or not, as it was until then. */
async function recordUntilNow(home: Home): Promise<void> {
  const state = readConfig(home.config);
  if (state.kind !== "ready") return;
  const { connection, maxSpooledEvents } = state.config;
  const spool = new Spool(home, { maxEvents: maxSpooledEvents }, Date.now);
  const problem = await recordCalls(
    { home, spool, maxSpooledEvents, now: Date.now, knownSecrets: [connection.key] },
    CALLS_MS,
  );
  if (problem !== undefined) print(`Not everything could be recorded: ${problem}`);
}
