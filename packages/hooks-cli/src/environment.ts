import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Home, homeAt } from "./files/home.ts";

/** The variable by which `doctor` has a hook report that it was called, to a file, and do nothing else. */
export const PROBE_VARIABLE = "WORKSPACE_HOOKS_PROBE";

/** What this program takes from its environment, read once, at the edge. */
export interface Environment {
  /** Undefined if there is no home directory; nothing can be stored then. */
  readonly home: Home | undefined;
  readonly userHome: string | undefined;
  /** `WORKSPACE_HOOKS=off`: the hooks are disabled for this session. */
  readonly isOff: boolean;
  /** `WORKSPACE_HOOKS_MEMORY=off`: no memories are added to this session or extracted from it. */
  readonly isMemoryOff: boolean;
  /** `WORKSPACE_HOOKS_EVENTS=off`: nothing is recorded in this session. */
  readonly isRecordingOff: boolean;
  /** `WORKSPACE_HOOKS_UNDO=off`: the project is not recorded before it is changed. */
  readonly isUndoOff: boolean;
  readonly claudeConfigDir: string | undefined;
  readonly projectDir: string | undefined;
  /** The session named by the assistant's own environment; if it differs from the event's, this is a child session. */
  readonly assistantSessionId: string | undefined;
  /** The file to which a hook reports that it was called, for `doctor`. */
  readonly probe: string | undefined;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** Both default to the process's own; tests override them. */
export function readEnvironment(
  // oxlint-disable-next-line node/no-process-env -- The only place that reads it.
  variables: Readonly<Record<string, string | undefined>> = process.env,
  program = process.argv[1] ?? "",
): Environment {
  const userHome = findUserHome(variables);
  const root =
    filled(variables["WORKSPACE_HOOKS_HOME"]) ??
    rootOfProgram(program) ??
    (userHome && join(userHome, ".workspace-hooks"));
  return {
    home: root === undefined ? undefined : homeAt(root),
    userHome,
    isOff: isSwitchedOff(variables["WORKSPACE_HOOKS"]),
    isMemoryOff: isSwitchedOff(variables["WORKSPACE_HOOKS_MEMORY"]),
    isRecordingOff: isSwitchedOff(variables["WORKSPACE_HOOKS_EVENTS"]),
    isUndoOff: isSwitchedOff(variables["WORKSPACE_HOOKS_UNDO"]),
    claudeConfigDir: filled(variables["CLAUDE_CONFIG_DIR"]),
    projectDir: filled(variables["CLAUDE_PROJECT_DIR"]),
    assistantSessionId: filled(variables["CLAUDE_CODE_SESSION_ID"]),
    probe: filled(variables[PROBE_VARIABLE]),
    variables,
  };
}

/** The installed copy is in a folder of its own, and finds it without any environment. */
function rootOfProgram(program: string): string | undefined {
  const directory = dirname(program);
  const root = dirname(directory);
  return directory === join(root, "bin") && existsSync(join(root, "config.json")) ? root : undefined;
}

function findUserHome(variables: Readonly<Record<string, string | undefined>>): string | undefined {
  const named = filled(variables["HOME"]);
  if (named !== undefined) return named;
  try {
    // Without HOME this queries the system's user database, which throws if the user is not in it.
    return filled(process.getBuiltinModule("node:os").homedir());
  } catch {
    return undefined;
  }
}

function isSwitchedOff(value: string | undefined): boolean {
  return value !== undefined && /^(?:off|0|false|no)$/i.test(value.trim());
}

function filled(value: string | undefined): string | undefined {
  return value === undefined || value === "" ? undefined : value;
}
