import type { CallSubject, SubjectFile } from "../policy/call-subject.ts";
import { isBelow, isInsideProject } from "../policy/file-location.ts";
import type { PolicyFacts } from "../policy/policy-facts.ts";
import { matchesGlob } from "../shell/path-glob.ts";
import { UNKNOWN } from "../shell/unknown.ts";

/** Names of files that are made again: found by such a pattern, they are not what is not recorded. */
const MADE_AGAIN = /\.(?:log|tmp|py[cod]|o|obj|class|map|tsbuildinfo)$/;

/** Whether a call takes away or replaces files of the project, so that what is not recorded of them would be lost. */
export function losesFiles({ files, facts }: CallSubject): boolean {
  return files.some(
    (file) => file.location.kind === "known" && isInsideProject(file.location.path, facts) && loses(file, facts),
  );
}

/** What a call would take away of a file's path or below it that is not recorded; undefined if that is nothing, or not known. */
export function unrecordedLoss(file: SubjectFile, path: string, facts: PolicyFacts): string | undefined {
  const { unrecorded = [] } = facts;
  if (unrecorded.length === 0 || !loses(file, facts)) return undefined;
  const real = `${facts.realPath(directoryOf(path))}/${nameOf(path)}`;
  return unrecorded.find((left) => isHit(file, real, left));
}

function loses(file: SubjectFile, facts: PolicyFacts): boolean {
  if (file.access === "delete") return file.manner !== "kept";
  if (!file.isReplaced && !file.isEmptied) return false;
  return file.location.kind === "known" && (file.word.hasGlob || facts.isFile(file.location.path));
}

function isHit({ word, isRecursive, manner }: SubjectFile, path: string, left: string): boolean {
  const isFolder = left.endsWith("/");
  const lost = isFolder ? left.slice(0, -1) : left;
  const isIn = (directory: string): boolean => lost === directory || isBelow(lost, directory);
  const isAround = (inner: string): boolean => isFolder && (inner === lost || isBelow(inner, lost));
  if (path.endsWith(`/${UNKNOWN}`)) return isIn(directoryOf(path)) || isAround(directoryOf(path));
  if (!word.hasGlob) return lost === path || isAround(path) || (isRecursive && isIn(path));
  const directory = directoryOf(path.slice(0, path.search(/[*?[{]/) + 1));
  if (MADE_AGAIN.test(path)) return false;
  if (isAround(directory)) return true;
  if (!isIn(directory)) return false;
  if (manner === "found" && isFolder) return true;
  const names = lost.slice(directory.length + 1).split("/");
  if (manner === "found") return names.some((name) => matchesGlob(nameOf(path), name));
  return names.some((_, at) => {
    const outer = `${directory}/${names.slice(0, at + 1).join("/")}`;
    return matchesGlob(path, outer) && (isRecursive || outer === lost);
  });
}

function directoryOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
