import { resolve } from "node:path";
import { UNKNOWN } from "../shell/unknown.ts";
import type { ShellWord } from "../shell/word-fields.ts";
import { matchesGlob } from "../shell/path-glob.ts";
import type { PolicyFacts, ProjectFacts } from "./policy-facts.ts";

/** The location that a file name refers to. */
export type FileLocation =
  /** The name starts with something that is unknown before the command runs. */
  { readonly kind: "unknown" } | { readonly kind: "known"; readonly path: string };

const DEVICES =
  /^\/dev\/(?:null|zero|full|random|urandom|stdin|stdout|stderr|tty\w*|pt[sy]\/\d+|console|fd\/\d+|tcp\/.*|udp\/.*)$|^\/proc\/self\/fd\/\d+$/;

export function locate(word: ShellWord, cwd: string | undefined, facts: PolicyFacts): FileLocation {
  const home = facts.home ?? UNKNOWN;
  const named = word.text === "~" || word.text.startsWith("~/") ? home + word.text.slice(1) : word.text;
  // A path of Windows, in a project that is not on Windows.
  const written = /^[A-Za-z]:\//.test(named) && facts.projectRoot.startsWith("/") ? `/${named}` : named;
  // `$(mktemp -d)/../a` is not below what is unknown.
  const text =
    /\/\.\.(?:\/|$)/.test(written) && !written.startsWith(UNKNOWN) && (cwd !== undefined || written.startsWith("/"))
      ? resolve(cwd ?? "/", written)
      : written;
  // What follows a known directory may be unknown: it is assumed to be below that directory.
  const known = text.includes(UNKNOWN) ? text.slice(0, text.indexOf(UNKNOWN)) : text;
  if (known === "" && text !== "") return { kind: "unknown" };
  if (!known.startsWith("/") && cwd === undefined) return { kind: "unknown" };
  const path = resolve(cwd ?? "/", known);
  return { kind: "known", path: known === text || known.endsWith("/") ? childOf(path, known !== text) : path };
}

/** Something unknown directly below a directory is not the directory itself. */
function childOf(path: string, hasUnknownChild: boolean): string {
  return hasUnknownChild ? `${path === "/" ? "" : path}/${UNKNOWN}` : path;
}

export function isDevice(path: string): boolean {
  return DEVICES.test(path);
}

/** Whether a path is strictly below a directory. */
export function isBelow(path: string, directory: string): boolean {
  const top = directory === "/" ? "/" : `${directory}/`;
  return path.startsWith(top) && path.length > top.length;
}

/** Whether a path is inside the project or a temporary directory, both as it is and with its links resolved. */
export function isInsideProject(path: string, facts: PolicyFacts): boolean {
  const roots = [facts.projectRoot, ...facts.temporaryDirs];
  const isInside = (candidate: string): boolean =>
    roots.some((root) => isBelow(candidate, root) || isBelow(candidate, facts.realPath(root)));
  return isInside(path) && isInside(facts.realPath(path));
}

/** Whether what is moved to such a name is kept there: not in a folder that is temporary, or not known. */
export function isLasting(target: string, { temporaryDirs }: PolicyFacts): boolean {
  const [known = ""] = target.split(UNKNOWN, 1);
  // `$folder/a` and `/$name` may be anywhere.
  if (known !== target && !/[^/]\//.test(known)) return false;
  return !temporaryDirs.some((directory) => known.startsWith(directory));
}

/**
 * Whether one of the globs matches a path. A glob without a slash applies to the name, one with a slash to the path from the
 * project's root, `~/` or `/`. A glob that starts with `!` excludes what the ones before it matched.
 */
export function isCovered(path: string, globs: readonly string[], facts: ProjectFacts): boolean {
  let covered = false;
  for (const glob of globs) {
    const isException = glob.startsWith("!");
    if (covered === isException && matchesLocation(path, isException ? glob.slice(1) : glob, facts))
      covered = !isException;
  }
  return covered;
}

function matchesLocation(path: string, glob: string, facts: ProjectFacts): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (!glob.includes("/")) return matchesGlob(glob, name);
  if (glob.startsWith("~/")) return facts.home !== undefined && matchesGlob(`${facts.home}${glob.slice(1)}`, path);
  if (glob.startsWith("/")) return matchesGlob(glob, path);
  if (glob.startsWith("**/")) return matchesGlob(`/${glob}`, path);
  return matchesGlob(`${facts.projectRoot}/${glob}`, path);
}
