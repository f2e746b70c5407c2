import type { CallSubject, SubjectFile } from "../call-subject.ts";
import { isCovered, isDevice, isInsideProject } from "../file-place.ts";
import type { PolicyFacts } from "../policy-facts.ts";

/** A file outside the project that the call deletes, or a whole tree that cannot be told; undefined where there is none. */
export function detectDeleteOutside(subject: CallSubject, allow: readonly string[] = []): string | undefined {
  const { facts } = subject;
  const file = subject.files.find((candidate) => {
    if (candidate.access !== "delete") return false;
    if (candidate.place.kind === "unknown") return candidate.isRecursive;
    const path = withoutEverything(candidate, candidate.place.path);
    return !isAllowed(path, allow, facts) && !isInsideProject(path, facts);
  });
  return file?.word.text;
}

/** A file outside the project that the call writes, moves or deletes; undefined where there is none. */
export function detectWriteOutside(subject: CallSubject, allow: readonly string[] = []): string | undefined {
  const { facts } = subject;
  const file = subject.files.find(({ access, place }) => {
    if (access === "read" || place.kind === "unknown") return false;
    return !isDevice(place.path) && !isAllowed(place.path, allow, facts) && !isWithinProject(place.path, facts);
  });
  return file?.word.text;
}

/** For writing, the project's root itself is inside: `touch .` and `chmod +x .` change nothing else. */
function isWithinProject(path: string, facts: PolicyFacts): boolean {
  return path === facts.projectRoot || facts.temporaryDirs.includes(path) || isInsideProject(path, facts);
}

function isAllowed(path: string, allow: readonly string[], facts: PolicyFacts): boolean {
  return allow.length > 0 && isCovered(path, allow, facts);
}

/** `rm -rf dir/*` takes everything in a directory: as good as the directory itself. */
function withoutEverything(file: SubjectFile, path: string): string {
  if (!file.word.hasGlob) return path;
  const everything = /^(.*)\/(?:\.?\*+|\{?\*,\.\*\}?|\.\[!?[^\]]*\]\*)$/.exec(path);
  return everything === null ? path : everything[1] || "/";
}
