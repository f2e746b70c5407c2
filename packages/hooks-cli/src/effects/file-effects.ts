import type { SubjectFile } from "../policy/call-subject.ts";
import { isBelow, isDevice, isInsideProject, isLasting } from "../policy/file-location.ts";
import type { PolicyFacts } from "../policy/policy-facts.ts";
import { matchesGlob } from "../shell/path-glob.ts";
import { UNKNOWN, UNSEEN } from "../shell/unknown.ts";
import { unrecordedLoss } from "./unrecorded-files.ts";

/** What a call would do, according to the rule of a pack. */
export interface FoundEffect {
  readonly rule: string;
  /** The command or the file that it was found in. */
  readonly subject: string;
  /** Whether it happens elsewhere: on another machine, in a container or outside the project. */
  readonly isElsewhere: boolean;
  /** What it takes away that is not recorded, as if it were elsewhere. */
  readonly unrecorded?: string | undefined;
}

/** What a call does to the files that it touches, wherever they are named. */
export function effectsOnFiles(files: readonly SubjectFile[], facts: PolicyFacts): readonly FoundEffect[] {
  return files.flatMap((file) => effectsOnFile(file, facts).map((effect) => ({ subject: file.word.text, ...effect })));
}

function effectsOnFile(file: SubjectFile, facts: PolicyFacts): readonly Omit<FoundEffect, "subject">[] {
  const isUnseen = file.word.text.includes(UNSEEN);
  if (file.access === "read") return [];
  const isMoved = file.manner === "kept" && file.target !== undefined && isLasting(file.target, facts);
  if (file.location.kind === "unknown") return isMoved ? [] : lossOfUnknown(file, isUnseen);
  const { path } = file.location;
  const isInside = isInsideProject(path, facts);
  const found: Omit<FoundEffect, "subject">[] = [];
  const unrecorded = isInside ? unrecordedLoss(file, path, facts) : undefined;
  const add = (rule: string): number =>
    found.push({ rule, isElsewhere: !isInside || unrecorded !== undefined, unrecorded });
  if (file.isReplaced && !/^\/(?:dev|proc|sys)\//.test(path) && !isInside && replacesSomething(file, path, facts))
    add("files.overwrite");
  if (path === "/proc/sysrq-trigger") add("processes.shutdown");
  if (/^\/etc\/(?:sudoers(?:\.d\/.*)?|passwd|g?shadow|group)$/.test(path)) add("permissions.accounts");
  if (path.startsWith("/dev/") && !isDevice(path) && !path.startsWith("/dev/shm/")) add("disks.write");
  const isTemporary = facts.temporaryDirs.some((directory) => isBelow(path, directory));
  if (isTemporary) return found;
  if (file.isEmptied && (!file.isReplaced || isUnseen || file.word.hasGlob || facts.isFile(path)))
    add("files.truncate");
  if (file.access !== "delete") {
    if (unrecorded !== undefined && found.length === 0) add("files.overwrite");
    return found;
  }
  if (isOfRepository(path, file.word.hasGlob && !isMoved) || isOfRepository(facts.realPath(path), false))
    add("git.delete-repository");
  if (!isInside || !(file.isRecursive || isUnseen || unrecorded !== undefined)) return found;
  add("files.delete");
  if (path === `${facts.projectRoot}/${UNKNOWN}`) add("files.delete-unseen");
  return found;
}

/** Files that something else names may be anywhere. */
function lossOfUnknown(file: SubjectFile, isUnseen: boolean): readonly Omit<FoundEffect, "subject">[] {
  // `rm "$folder"/*` deletes whatever is in there.
  const isAnything = isUnseen || (file.word.hasGlob && /\/\*(?:\.\*)?$/.test(file.word.text));
  if (file.access === "delete" && isAnything) return [{ rule: "files.delete-unseen", isElsewhere: true }];
  return file.isEmptied && (!file.isReplaced || isUnseen) ? [{ rule: "files.truncate", isElsewhere: true }] : [];
}

/** Whether there is such a file, or a whole tree of others is written into a folder of the system or a home. */
function replacesSomething(file: SubjectFile, path: string, facts: PolicyFacts): boolean {
  if (file.copied?.some((name) => facts.isFile(`${path}/${name}`)) === true) return true;
  return facts.isFile(path) || (file.isRecursive && (path === facts.home || SYSTEM_FOLDERS.test(path)));
}

const SYSTEM_FOLDERS = /^\/(?:(?:etc|usr|bin|sbin|lib\w*|boot|var|root|home(?:\/[^/]*)?)?$)/;

/** Whether a path is a git directory or in one, or may be if its names are patterns. A lock that git left behind holds nothing. */
function isOfRepository(path: string, hasGlob: boolean): boolean {
  if (path.endsWith(".lock")) return false;
  return path
    .toLowerCase()
    .split("/")
    .some((name) => name === ".git" || (hasGlob && name.startsWith(".") && matchesGlob(name, ".git")));
}
