import { runProcess, type TemporaryHome } from "./temporary-home.ts";

/** Many concurrent hooks, each with a unique event. */
export interface Storm {
  readonly events: number;
  /** How many processes run at a time. */
  readonly parallel: number;
  readonly onProgress?: (done: number) => void;
}

export interface StormOutcome {
  /** One for each hook that was run. */
  readonly markers: readonly string[];
  /** Exit codes other than 0. */
  readonly failures: readonly (number | null)[];
}

const KINDS = ["PreToolUse", "PreToolUse", "PostToolUse", "PreToolUse", "PostToolUseFailure"];
/** At this interval a session starts or ends, which also starts a helper that sends pending events. */
const SESSION_EVERY = 50;

/** Runs the hooks of many sessions concurrently, as on a machine with many assistants. */
export async function runStorm(
  home: TemporaryHome,
  { events, parallel, onProgress }: Storm,
  program: readonly string[],
): Promise<StormOutcome> {
  const markers: string[] = [];
  const failures: (number | null)[] = [];
  const [command = "", ...args] = program;
  const work = async (): Promise<void> => {
    while (markers.length < events) {
      const index = markers.length;
      const marker = `marker-${index}-of-the-storm`;
      markers.push(marker);
      const name = eventOf(index);
      const stdin = JSON.stringify({
        session_id: `session-${index % parallel}`,
        cwd: home.project,
        hook_event_name: name,
        tool_name: "Bash",
        tool_input: { command: `echo ${marker}` },
        source: marker,
        reason: marker,
        error: "failed",
      });
      const { exitCode } = await runProcess(command, [...args, "run", name], {
        stdin,
        cwd: home.project,
        env: home.env,
      });
      if (exitCode !== 0) failures.push(exitCode);
      onProgress?.(markers.length);
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  return { markers, failures };
}

function eventOf(index: number): string {
  if (index % SESSION_EVERY === 0) return "SessionStart";
  if (index % SESSION_EVERY === SESSION_EVERY - 1) return "SessionEnd";
  return KINDS[index % KINDS.length] ?? "PreToolUse";
}

/** Counts how often each marker occurs in the server's events. */
export function tally(markers: readonly string[], stored: readonly unknown[]): { lost: number; duplicated: number } {
  const counts = new Map<string, number>();
  for (const event of stored) {
    const marker = /marker-\d+-of-the-storm/.exec(JSON.stringify(event))?.[0];
    if (marker !== undefined) counts.set(marker, (counts.get(marker) ?? 0) + 1);
  }
  return {
    lost: markers.filter((marker) => !counts.has(marker)).length,
    duplicated: markers.filter((marker) => (counts.get(marker) ?? 0) > 1).length,
  };
}
