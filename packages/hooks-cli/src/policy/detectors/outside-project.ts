import type { CallSubject, SubjectFile } from "../call-subject.ts";
import { isCovered, isDevice, isInsideProject } from "../file-location.ts";
import type { PolicyFacts } from "../policy-facts.ts";

/** A file outside the project that the call deletes, or an entire unknown tree; undefined if there is none. */
export function detectDeleteOutside(subject: CallSubject, allow: readonly string[] = []): string | undefined {
  const { facts } = subject;
  const file = subject.files.find((candidate) => {
    if (candidate.access !== "delete") return false;
    if (candidate.location.kind === "unknown") return candidate.isRecursive;
    const path = withoutCatchAll(candidate, candidate.location.path);
    return !isAllowed(path, allow, facts) && !isInsideProject(path, facts) && !isCache(path, facts);
  });
  return file?.word.text;
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

function isCache(path: string, { home }: PolicyFacts): boolean {
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
