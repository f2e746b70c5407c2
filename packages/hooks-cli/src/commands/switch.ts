import { rmSync } from "node:fs";
import type { Environment } from "../environment.ts";
import { ALL_ON, type Switches, readSwitches, updateConfig } from "../files/config.ts";
import { recordAt } from "../json/json-value.ts";
import { findProject } from "../project/project.ts";
import { UsageError, parseArguments } from "../terminal/arguments.ts";
import { print } from "../terminal/terminal.ts";
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
  updateConfig(home.config, (record) => {
    if (identity === undefined) return { ...record, [name]: state === "on" };
    const projects = recordAt(record, "projects") ?? {};
    const before = readSwitches(recordAt(projects, identity) ?? {}, ALL_ON);
    return { ...record, projects: { ...projects, [identity]: { ...before, [name]: state === "on" } } };
  });
  rmSync(home.passes, { recursive: true, force: true });
  print(`${name} is ${state} ${identity === undefined ? "everywhere" : `in ${identity}`}.`);
  return 0;
}
