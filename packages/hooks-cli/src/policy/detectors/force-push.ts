import { resolve } from "node:path";
import { type ShellCommand, argumentsOf, programOf } from "../../shell/shell-command.ts";
import { UNKNOWN, isUnknown } from "../../shell/unknown.ts";
import { type ShellWord, textAt, textsOf } from "../../shell/word-fields.ts";
import type { CallSubject } from "../call-subject.ts";
import { matchesGlob } from "../../shell/path-glob.ts";
import type { PolicyFacts } from "../policy-facts.ts";

const DEFAULT_BRANCHES = ["main", "master"];
const GLOBAL_VALUE_OPTIONS = new Set([
  "-C",
  "-c",
  "--git-dir",
  "--work-tree",
  "--namespace",
  "--exec-path",
  "--config-env",
  "--super-prefix",
]);
const PUSH_VALUE_OPTIONS = new Set([
  "-o",
  "--push-option",
  "--receive-pack",
  "--exec",
  "--repo",
  "--recurse-submodules",
]);

/** A push that rewrites or deletes a protected branch; undefined if there is none. */
export function detectForcePush(
  subject: CallSubject,
  branches: readonly string[] = DEFAULT_BRANCHES,
): string | undefined {
  const push = subject.dissection.commands.find((command) => isForcePush(command, branches, subject.facts));
  return push && textsOf(push.words).join(" ");
}

function isForcePush(command: ShellCommand, branches: readonly string[], facts: PolicyFacts): boolean {
  if (!/^(?:git|hub|git-push|git-send-pack)$/.test(programOf(command))) return false;
  const { directory, words } = afterSubcommand(command, facts);
  if (words === undefined) return false;
  const { flags, names } = splitArguments(words);
  const deletes = flags.some((flag) => /^(?:--delete|-[a-ce-z]*d[a-z]*)$/.test(flag));
  const forces = flags.some((flag) =>
    /^(?:--force(?:-[\w-]+)?(?:=.*)?|--mirror|--prune|-[a-eg-z]*f[a-z]*)$/.test(flag),
  );
  const hasLease = flags.some((flag) => flag.startsWith("--force-with-lease")) && !deletes;
  const refspecs = names.slice(1).filter((name) => name !== "tag");
  const isProtected = (name: string): boolean => {
    const branch = name.replace(/^refs\/heads\//, "");
    // `refs/heads/*` pushes every branch.
    // Whoever pushes with a lease to a branch that only the command knows has made sure that nothing is lost.
    if (branch.includes(UNKNOWN) && hasLease) return false;
    const pattern = branch.replaceAll(UNKNOWN, "*");
    return branches.some((glob) => matchesGlob(glob, pattern) || matchesGlob(pattern, glob));
  };
  const current = (): string => facts.branchAt(directory) ?? UNKNOWN;

  if (flags.some((flag) => flag === "--mirror" || (flag === "--all" && forces) || (flag === "--branches" && forces)))
    return true;
  if (refspecs.length === 0) return forces && isProtected(current());
  return refspecs.some((refspec) => {
    const isForced = forces || deletes || /^[+:]/.test(refspec);
    // A refspec that starts with something unknown may expand to several.
    return (
      isForced &&
      ((refspec.startsWith(UNKNOWN) && !hasLease) || isProtected(destinationOf(refspec.replace(/^\+/, ""), current)))
    );
  });
}

/** `src:dst` updates dst; a plain name, the branch of that name; HEAD, the current branch. */
function destinationOf(refspec: string, current: () => string): string {
  const destination = refspec.includes(":") ? refspec.slice(refspec.lastIndexOf(":") + 1) : refspec;
  return destination === "HEAD" || destination === "@" || destination === "" ? current() : destination;
}

/** Skips git's own options up to what follows `push`, and determines the directory set by `-C`. */
function afterSubcommand(
  command: ShellCommand,
  facts: PolicyFacts,
): { directory: string; words: readonly ShellWord[] | undefined } {
  const words = argumentsOf(command);
  let directory = command.cwd ?? facts.cwd;
  if (programOf(command).startsWith("git-")) return { directory, words };
  for (let at = 0; at < words.length; at += 1) {
    const text = textAt(words, at);
    if (GLOBAL_VALUE_OPTIONS.has(text)) {
      if (text === "-C") directory = resolve(directory, textAt(words, at + 1));
      at += 1;
    } else if (!text.startsWith("-")) {
      // An unknown subcommand may be any.
      const isPush = text === "push" || text === "send-pack" || isUnknown(text);
      return { directory, words: isPush ? words.slice(at + 1) : undefined };
    }
  }
  return { directory, words: undefined };
}

function splitArguments(words: readonly ShellWord[]): { flags: string[]; names: string[] } {
  const flags: string[] = [];
  const names: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const text = textAt(words, at);
    if (PUSH_VALUE_OPTIONS.has(text)) at += 1;
    else if (text.startsWith("-")) flags.push(text);
    else names.push(text);
  }
  return { flags, names };
}
