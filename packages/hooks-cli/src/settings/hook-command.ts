import type { HarnessEvent, HarnessId } from "../harness/harness.ts";
import { ASKING_TIMEOUT_S, DEFAULT_TIMEOUT_S } from "../hook/hook-plan.ts";
import { PLAIN_CHARACTERS } from "../memory/file-names.ts";
import { type ToolKind, kindOfTool } from "../policy/tool-kinds.ts";
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

/** The tools of Codex, whose hook reads the session and the tool from its input; all others are of the kind `other`. */
const CODEX_TOOLS = ["Bash", "apply_patch", "view_image"];

/**
 * Loaders and debuggers meant for the user's own programs would slow down every tool call, and so would certificates, which are
 * passed on for a server that needs them.
 */
const NODE_VARIABLES = `NODE_OPTIONS= ${EXTRA_CERTIFICATES_VARIABLE}="\${NODE_EXTRA_CA_CERTS-}" NODE_EXTRA_CA_CERTS=`;

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
  if (kind !== undefined) return unlessPassed(harness, kind, start, places);
  if (harness !== "codex") return start;
  if (event.event === "PreToolUse") return withInput(unlessPassedByInput(CODEX_TOOLS, places), start, places);
  return event.event === "PostToolUse" ? withInput(unlessKept(harness, places), start, places) : start;
}

/**
 * Ends without starting the program if the session has a pass for this kind of tools (`hook/passes.ts`): it exists, the rules have
 * not changed since, and it has not run out. Each condition that cannot be checked counts as not met. A shell takes less
 * than a tenth of the time that Node takes to start.
 */
function unlessPassed(harness: HarnessId, kind: ToolKind, start: string, { passes, policy }: CommandPaths): string {
  const isGemini = harness === "gemini-cli";
  const conditions = [
    `[ -e "$p/${kind}" ]`,
    `[ ! ${quoteForShell(policy)} -nt "$p/${kind}" ]`,
    isCurrent('"$p/now"', `"$p/${kind}"`),
  ].join(" && ");
  // In braces, since Gemini CLI replaces the variable by its quoted value otherwise, also in quotes.
  const variable = isGemini ? "{GEMINI_SESSION_ID}" : "CLAUDE_CODE_SESSION_ID";
  const session = `p=${quoteForShell(passes)}/"$${variable}"`;
  if (isGemini || !NAMING_FILES.includes(kind)) return `${session}; ${conditions} && exit 0; ${start}`;
  return `${session}; if ${conditions}; then ${unlessNamed(start)}; else ${start}; fi`;
}

/**
 * Ends without starting the program if the session is given no memory about the file of the call. With quotes as separators, the
 * payload becomes words, of which the path follows its key. The shell looks for its name in small letters: each letter separates in
 * turn, and what it has separated is put together with the small one. A path or a name that may mean something else than it says starts
 * the program. Everything is built in; a search with `grep` takes as long as the rest of the hook three times over.
 */
function unlessNamed(start: string): string {
  const letters = Array.from("abcdefghijklmnopqrstuvwxyz");
  const both = letters.map((letter) => letter + letter.toUpperCase());
  // A bracket is plain at the beginning, and a hyphen at the end.
  const plain = `][${both.join("")}'${PLAIN_CHARACTERS.replaceAll(/[[\]-]/g, "")}'-`;
  const fold = `for l in ${both.join(" ")}; do IFS=$l; set -- $n/; n="$*"; n=\${n%/}; done`;
  return [
    `[ -e "$p/named" ] || exit 0; IFS= read -r i; set -f; IFS='"'; set -- $i`,
    `while [ $# -gt 2 ]; do case $1$2 in file_path:|notebook_path:) break;; esac; shift; done; f=$3; n=\${f##*/}`,
    `case \${#f}$f in [0-9]/*|[0-9][0-9]/*|1[0-9][0-9]/*) case $n in *[!${plain}]*) ;; *) ${fold}; [ -e "$p/named/$n" ] || exit 0;; esac;; esac`,
    `{ printf '%s\\n' "$i"; command -p cat; } | ${start}`,
  ].join("; ");
}

/**
 * Reads the payload, in which Codex names the session first, and ends without starting the program if that has a pass. The
 * beginning is compared as it is, so that nothing else in the payload, such as the input of a tool, counts as the session. bash reads
 * without another process; in other shells, which do not know the option, `cat` reads, and without `cat` the program.
 */
function withInput(conditions: string, start: string, { passes }: CommandPaths): string {
  return [
    `start() { ${start}; }`,
    `i=; IFS= read -r -N 999999 i 2>/dev/null && i=$i$(command -p cat); [ -n "$i" ] || i=$(command -p cat); [ -n "$i" ] || start`,
    `h=\${i%%',"tool_name":"'*}; s=\${h#'{"session_id":"'}; s=\${s%%'"'*}`,
    `case $s in *[!0-9A-Za-z_-]*|'') ;; *) p=${quoteForShell(passes)}/$s; ${conditions} && exit 0;; esac`,
    `printf %s "$i" | start`,
  ].join("; ");
}

/**
 * It is before the pass runs out, and after it was given, by the time of a file that has just been written: the clock may have been set
 * back. Unlike `:`, `printf` may fail without ending the shell.
 */
function isCurrent(clock: string, given?: string): string {
  const isLeft = `printf '' 2>/dev/null >${clock} && [ "$p/end" -nt ${clock} ]`;
  return given === undefined ? isLeft : `${isLeft} && [ ${clock} -nt ${given} ]`;
}

/** Where a session whose calls are kept has its clock. */
function clockOf({ calls }: CommandPaths): string {
  return `${quoteForShell(calls)}/$s/now`;
}

/** In JSON, only a key has quotes without a backslash, so the first `"tool_name"` is the tool's, if no input comes before it. */
function unlessPassedByInput(tools: readonly string[], places: CommandPaths): string {
  const named = (name: string): string => `"$h"',"tool_name":"${name}'*`;
  const kinds = [...tools.map((name) => `${named(`${name}"`)}) k=${kindOfTool(name)};;`), `${named("")}) k=other;;`];
  return [
    `k=none; case $h in *'"tool_input"'*) ;; *) case $i in ${kinds.join(" ")} esac;; esac; [ -e "$p/$k" ]`,
    `[ ! ${quoteForShell(places.policy)} -nt "$p/$k" ]`,
    isCurrent(clockOf(places), '"$p/$k"'),
  ].join(" && ");
}

/**
 * Keeps the payload in a file of its own for a helper, which records the call. A file that is there, or cannot be written, starts the
 * program.
 */
function unlessKept(harness: HarnessId, places: CommandPaths): string {
  const keep = `set -C; printf %s "$i" >${quoteForShell(places.calls)}/$s/$$.${harness}`;
  return `umask 077; ${isCurrent(clockOf(places))} && { [ -e "$p/unkept" ] || { ${keep}; }; } 2>/dev/null`;
}

/** A command line for a shell. `exec` leaves no shell behind that would outlive us or swallow a signal. */
export function launchCommand(node: string, launcher: string, args: string): string {
  return `${NODE_VARIABLES} exec ${quoteForShell(node)} ${quoteForShell(launcher)} ${args}`;
}

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
