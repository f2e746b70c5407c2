import type { Environment } from "../environment.ts";
import type { Config, ConfigState, Switches } from "../files/config.ts";
import type { Home } from "../files/home.ts";
import type { Harness, HarnessEvent, HookInput, JudgedOutcome } from "../harness/harness.ts";
import { type Project, findProject, readProjectSwitches } from "../project/project.ts";

/** Reports a problem where a user will find it. */
export type Report = (message: string) => void;

/** One hook call, with everything that is known before it acts. */
export interface HookCall {
  readonly harness: Harness;
  readonly event: HarnessEvent;
  readonly input: HookInput;
  readonly environment: Environment;
  readonly home: Home;
  readonly config: ConfigState;
  readonly project: Project;
  /** The folder that relative names refer to. */
  readonly cwd: string;
  readonly switches: Switches;
  /** How long the assistant waits for this hook, from its start. */
  readonly limitMs: number;
  readonly now: () => number;
  /** What a person has decided about the session, whatever the rules say. */
  readonly overruled?: JudgedOutcome;
}

export function projectOf(input: HookInput, environment: Environment): { project: Project; cwd: string } {
  const cwd = input.cwd ?? environment.projectDir ?? process.cwd();
  const project = findProject(environment.projectDir ?? cwd);
  // The assistant's project folder is the project, even if it is inside a larger repository.
  return {
    project: environment.projectDir === undefined ? project : { ...project, root: environment.projectDir },
    cwd,
  };
}

/** The effective switches: global, of the project if it is known, of the project's own file, and of this session. */
export function effectiveSwitches(
  config: ConfigState,
  project: Project | undefined,
  environment: Environment,
): Switches {
  const all: readonly Switches[] = [
    ...(config.kind === "ready" ? switchesOf(config.config, project) : []),
    ...(project === undefined ? [] : [readProjectSwitches(project)]),
    { memory: !environment.isMemoryOff, events: !environment.isRecordingOff, undo: !environment.isUndoOff },
  ];
  return {
    memory: all.every((switches) => switches.memory),
    events: all.every((switches) => switches.events),
    undo: all.every((switches) => switches.undo),
  };
}

function switchesOf({ switches, projects }: Config, project: Project | undefined): readonly Switches[] {
  const own = project === undefined ? [] : [projects[project.identity], projects[project.root]];
  return [switches, ...own].filter((item) => item !== undefined);
}
