import type { SubjectFile } from "../policy/call-subject.ts";
import { isBelow, isDevice, isInsideProject } from "../policy/file-location.ts";
import type { PolicyFacts } from "../policy/policy-facts.ts";
import { matchesGlob } from "../shell/path-glob.ts";

/** What a call would do, according to the rule of a pack. */
export interface FoundEffect {
  readonly rule: string;
  /** The command or the file that it was found in. */
  readonly subject: string;
  /** Whether it happens elsewhere: on another machine, in a container or outside the project. */
  readonly isElsewhere: boolean;
}

/** What a call does to the files that it touches, wherever they are named. */
export function effectsOnFiles(files: readonly SubjectFile[], facts: PolicyFacts): readonly FoundEffect[] {
  return files.flatMap((file) => effectsOnFile(file, facts).map((effect) => ({ subject: file.word.text, ...effect })));
}

function effectsOnFile(file: SubjectFile, facts: PolicyFacts): readonly Omit<FoundEffect, "subject">[] {
  if (file.location.kind === "unknown" || file.access === "read") return [];
  const { path } = file.location;
  const isInside = isInsideProject(path, facts);
  const found: Omit<FoundEffect, "subject">[] = [];
  const add = (rule: string): number => found.push({ rule, isElsewhere: !isInside });
  if (file.isReplaced && !/^\/(?:dev|proc|sys)\//.test(path) && !isInside && facts.isFile(path)) add("files.overwrite");
  if (path.startsWith("/dev/") && !isDevice(path) && !path.startsWith("/dev/shm/")) add("disks.write");
  const isTemporary = facts.temporaryDirs.some((directory) => isBelow(path, directory));
  if (file.access !== "delete" || isTemporary) return found;
  if (isOfRepository(path, file.word.hasGlob) || isOfRepository(facts.realPath(path), false))
    add("git.delete-repository");
  if (file.isRecursive && isInside) add("files.delete");
  return found;
}

/** Whether a path is a git directory or in one, or may be if its names are patterns. A lock that git left behind holds nothing. */
function isOfRepository(path: string, hasGlob: boolean): boolean {
  if (!hasGlob && !/\/\.git(?:\/|$)/i.test(path)) return false;
  if (path.endsWith(".lock")) return false;
  return path
    .toLowerCase()
    .split("/")
    .some((name) => name === ".git" || (hasGlob && name.startsWith(".") && matchesGlob(name, ".git")));
}
