import type { PolicyFacts } from "../policy/policy-facts.ts";
import { type GivenArguments, matchesPattern } from "./argument-pattern.ts";
import { textAt, textsOf } from "../shell/word-fields.ts";

/** What git commands lose that depends on more than their options. */
export function effectsOfGit(
  given: GivenArguments,
  directory: string | undefined,
  facts: PolicyFacts,
): readonly string[] {
  const branch = resetBranch(given);
  if (branch !== undefined && isBranch(branch, directory, facts)) return ["git.delete-branch"];
  if (matchesPattern("checkout", given)) return discardsFiles(given) ? ["git.discard-changes"] : [];
  if (matchesPattern("push|send-pack", given)) return effectsOfRefspecs(given);
  // `git fetch origin +main:main` resets the branch, unlike `+refs/heads/*:refs/remotes/origin/*`.
  const resets = given.items.some(({ text }) => /^\+[^:]+:(?!refs\/(?!heads))./.test(text));
  if (matchesPattern("fetch|pull", given) && resets) return ["git.delete-branch"];
  return [];
}

/** The branch that `git checkout -B` or `git switch -C` creates, or resets if there is one. */
function resetBranch({ items }: GivenArguments): string | undefined {
  const [command] = items.filter(({ isOption, mayBeValue }) => !isOption && !mayBeValue);
  const option =
    command?.text === "checkout" ? /^-B$/ : command?.text === "switch" ? /^(?:-C|--force-create)$/ : undefined;
  return option && items[items.findIndex(({ text }) => option.test(text)) + 1]?.text;
}

function isBranch(
  name: string,
  directory: string | undefined,
  { projectRoot, isFile, contentOf }: PolicyFacts,
): boolean {
  return [projectRoot, directory ?? projectRoot].some(
    (folder) =>
      isFile(`${folder}/.git/refs/heads/${name}`) ||
      contentOf(`${folder}/.git/packed-refs`)?.includes(` refs/heads/${name}\n`) === true,
  );
}

/** Options of `git checkout` whose value may be the next word. */
const CHECKOUT_VALUES = /^(?:--conflict|--unified|-U|--inter-hunk-context)$/;
/** Words that git takes for the value of these options, though usually attached. */
const TRACK_VALUES = /^(?:direct|inherit|checkout|on-demand)$/;

/**
 * `git checkout` restores files if they are named after `--` or after a commit, or by a path: `.`, `./src`, `:/`. A single other
 * word is a branch as a rule.
 */
function discardsFiles({ items, namesFrom }: GivenArguments): boolean {
  const start = items.findIndex(({ text, isOption }) => !isOption && text === "checkout");
  const rest = items.slice(start + 1);
  if (rest.some(({ text, isOption }) => isOption && /^-[a-zA-Z]*[bB]|^--orphan$/.test(text))) return false;
  if (
    rest.some(({ text, isOption }) => isOption && /^(?:--pathspec-from-file|-p$|--patch$|--ours$|--theirs$)/.test(text))
  )
    return true;
  if (namesFrom !== undefined && namesFrom < items.length) return true;
  const words = rest.filter(({ isOption, text }, index) => {
    const before = textAt(rest, index - 1);
    return !isOption && !CHECKOUT_VALUES.test(before) && !(before.startsWith("--") && TRACK_VALUES.test(text));
  });
  const [first] = words;
  if (first === undefined) return false;
  return words.length > 1 || /^(?:\.\.?(?:\/|$)|:\/|:\(|\*)|[*?]/.test(first.text);
}

/** `+branch` overwrites, `:branch` deletes. */
function effectsOfRefspecs(given: GivenArguments): readonly string[] {
  const refspecs = textsOf(given.items.filter(({ isOption }) => !isOption));
  return [
    ...(refspecs.some((refspec) => refspec.startsWith("+")) ? ["git.force-push"] : []),
    ...(refspecs.some((refspec) => /^\+?:./.test(refspec)) ? ["git.delete-remote"] : []),
  ];
}
