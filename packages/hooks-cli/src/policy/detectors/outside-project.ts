import type { CallSubject, SubjectFile } from "../call-subject.ts";
import { UNKNOWN } from "../../shell/unknown.ts";
import { isBelow, isCovered, isDevice, isInsideProject, isLasting } from "../file-location.ts";
import type { PolicyFacts } from "../policy-facts.ts";

/** A file outside the project that the call deletes, or an entire unknown tree; undefined if there is none. */
export function detectDeleteOutside(subject: CallSubject, allow: readonly string[] = []): string | undefined {
  const { facts } = subject;
  const file = subject.files.find((candidate) => {
    if (candidate.access !== "delete") return false;
    if (candidate.location.kind === "unknown") return candidate.isRecursive;
    if (isKept(candidate, facts) || isMissing(candidate, subject)) return false;
    const path = withoutCatchAll(candidate, candidate.location.path);
    return !isAllowed(path, allow, facts) && !isInsideProject(path, facts) && !isCache(path, facts);
  });
  return file?.word.text;
}

/** Whether a file is only moved, or a link to it removed, which breaks nothing. */
function isKept({ manner, target, location }: SubjectFile, facts: PolicyFacts): boolean {
  if (manner !== "kept" || target === undefined || location.kind === "unknown") return false;
  return isLasting(target, facts) && !holdsSystem(location.path, facts);
}

/** Whether a path is of the system, has the home or the project in it, or is a setting in the home. */
function holdsSystem(path: string, { home, projectRoot }: PolicyFacts): boolean {
  const isAbove = [home, projectRoot].some((inner) => inner === path || (inner !== undefined && isBelow(inner, path)));
  if (home !== undefined && path.startsWith(`${home}/.`)) return true;
  return isAbove || /^\/(?:bin|boot|dev|etc|lib\w*|proc|root|sbin|sys|usr|var)(?:$|\/[^/]*$)/.test(path);
}

/**
 * Whether there is no such file, nor will the call make one other than by writing it itself, as by `curl -o`. Only what one name
 * stands for is looked for.
 */
function isMissing(file: SubjectFile, { files, facts }: CallSubject): boolean {
  if (
    file.isRecursive ||
    file.manner === "kept" ||
    file.isElsewhere === true ||
    file.word.hasGlob ||
    file.location.kind === "unknown"
  )
    return false;
  const { path } = file.location;
  if (path.includes(UNKNOWN) || facts.isFile(path)) return false;
  const writes = files.filter(
    ({ access, location }) =>
      access === "write" && location.kind === "known" && (location.path === path || isBelow(path, location.path)),
  );
  if (writes.length === 0) return !facts.exists(path);
  // What is moved there has no other copy.
  const [first] = writes.filter(({ isReplaced }) => isReplaced);
  return (
    first?.location.kind === "known" &&
    first.location.path === path &&
    files.indexOf(first) < files.indexOf(file) &&
    writes.every(({ copied }) => copied === undefined)
  );
}

/** A file outside the project that the call writes, moves or deletes; undefined if there is none. */
export function detectWriteOutside(subject: CallSubject, allow: readonly string[] = []): string | undefined {
  const { facts } = subject;
  const file = subject.files.find(({ access, location }) => {
    if (access === "read" || location.kind === "unknown") return false;
    return (
      !isDevice(location.path) && !isAllowed(location.path, allow, facts) && !isWithinProject(location.path, facts)
    );
  });
  return file?.word.text;
}

/** For writing, the project's root itself is inside: `touch .` and `chmod +x .` change nothing else. */
function isWithinProject(path: string, facts: PolicyFacts): boolean {
  return path === facts.projectRoot || facts.temporaryDirs.includes(path) || isInsideProject(path, facts);
}

/** Caches of package managers and compilers, whose content is made again; those of the system and of a user. */
const CACHES =
  /^\/var\/(?:cache|lib\/apt\/lists)(?:\/.|$)|^~\/(?:\.cache\/.|Library\/Caches\/.|Library\/Developer\/Xcode\/DerivedData|\.npm\/_|\.gradle\/caches|\.yarn\/(?:berry\/)?cache|\.cargo\/(?:registry|git)(?:\/|$)|\.bun\/install\/cache|\.pnpm-store|\.local\/share\/pnpm\/store|go\/pkg\/mod|\.m2\/repository\/.)/;

/** What is installed or compiled again, unless a system uses it. */
const MADE_AGAIN = /\/(?:node_modules|__pycache__|\.(?:pytest|mypy|ruff|parcel-)_?cache|\.turbo)(?:\/|$)/;

function isCache(path: string, { home }: PolicyFacts): boolean {
  if (MADE_AGAIN.test(path) && !/^\/(?:usr|opt|lib|nix)\//.test(path)) return true;
  return CACHES.test(home !== undefined && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path);
}

function isAllowed(path: string, allow: readonly string[], facts: PolicyFacts): boolean {
  return allow.length > 0 && isCovered(path, allow, facts);
}

/** `rm -rf dir/*` deletes everything in a directory, which is equivalent to the directory itself. */
function withoutCatchAll(file: SubjectFile, path: string): string {
  if (!file.word.hasGlob) return path;
  const everything = /^(.*)\/(?:\.?\*+|\{?\*,\.\*\}?|\.\[!?[^\]]*\]\*)$/.exec(path);
  return everything === null ? path : everything[1] || "/";
}
