import type { HarnessEvent, HarnessId } from "../harness/harness.ts";
import { ASKING_TIMEOUT_S, DEFAULT_TIMEOUT_S } from "../hook/hook-plan.ts";
import type { ToolKind } from "../policy/tool-kinds.ts";
import { EXTRA_CERTIFICATES_VARIABLE } from "../streams/extra-certificates.ts";
import type { Scope } from "./ledger.ts";

export interface CommandPaths {
  /**
   * The Node binary that runs us, and the launcher of our copy of this program: absolute, so that they do not depend on
   * PATH.
   */
  readonly node: string;
  readonly launcher: string;
  /** Where sessions have their passes, the user's own rules, and where calls are kept. */
  readonly passes: string;
  readonly policy: string;
  readonly calls: string;
}

export interface HookOfEvent {
  readonly harness: HarnessId;
  readonly event: HarnessEvent;
  /** The kind of tools that the hook is for; undefined if it is for all. */
  readonly kind: ToolKind | undefined;
}

/** Before calls of these kinds, a session that has a pass may still be given memories about a file. */
const NAMING_FILES: readonly (ToolKind | undefined)[] = ["edit", "read"];

/**
 * Loaders and debuggers meant for the user's own programs would slow down every tool call, and so would certificates, which are
 * passed on for a server that needs them.
 */
const NODE_VARIABLES = `NODE_OPTIONS= ${EXTRA_CERTIFICATES_VARIABLE}="$NODE_EXTRA_CA_CERTS" NODE_EXTRA_CA_CERTS=`;

/** How long the assistant waits for a hook. */
export function timeoutSeconds({ event }: HarnessEvent): number {
  return event === "PreToolUse" ? ASKING_TIMEOUT_S : DEFAULT_TIMEOUT_S;
}

/** A file shared by a team contains no path of this machine, and does nothing where the command is not installed. */
export function hookCommand(hook: HookOfEvent, scope: Scope, places: CommandPaths): string {
  const { harness, event, kind } = hook;
  const timeout = timeoutSeconds(event);
  const args = `run ${event.name} --for ${harness}${timeout === DEFAULT_TIMEOUT_S ? "" : ` --timeout ${timeout}`}`;
  if (scope === "project")
    return `command -v workspace-hooks >/dev/null 2>&1 || exit 0; ${NODE_VARIABLES} exec workspace-hooks ${args}`;
  const start = launchCommand(places.node, places.launcher, args);
  return kind === undefined ? start : unlessPassed(kind, start, places);
}

/**
 * Ends without starting the program if the session has a pass for this kind of tools (`hook/passes.ts`): it exists, the rules have
 * not changed since, and it has not run out. Each condition that cannot be checked counts as not met. A shell takes less
 * than a tenth of the time that Node takes to start.
 */
function unlessPassed(kind: ToolKind, start: string, { passes, policy }: CommandPaths): string {
  const conditions = [
    `[ -e "$p/${kind}" ]`,
    `[ ! ${quoteForShell(policy)} -nt "$p/${kind}" ]`,
    `[ "$p/until" -nt "$p/transcript" ]`,
  ].join(" && ");
  const session = `p=${quoteForShell(passes)}/"$CLAUDE_CODE_SESSION_ID"`;
  if (!NAMING_FILES.includes(kind)) return `${session}; ${conditions} && exit 0; ${start}`;
  // A search that prints all that it searches is one process; `cat` and a search beside it would be three.
  const named = `[ -s "$p/names" ] && i=$(grep -aiFC99999 -f "$p/names") || exit 0`;
  return `${session}; if ${conditions}; then ${named}; printf %s "$i" | ${start}; else ${start}; fi`;
}

/** A command line for a shell. `exec` leaves no shell behind that would outlive us or swallow a signal. */
export function launchCommand(node: string, launcher: string, args: string): string {
  return `${NODE_VARIABLES} exec ${quoteForShell(node)} ${quoteForShell(launcher)} ${args}`;
}

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
