import type { CallSubject, SubjectFile } from "../call-subject.ts";
import { isBelow, isCovered, isInsideProject } from "../file-location.ts";
import { matchesGlob } from "../../shell/path-glob.ts";
import { ENV_FILES, KEY_FILES } from "../secret-file-names.ts";
import { mayPrintVariables } from "./printed-variables.ts";

/** Sample names against which a glob on the command line is tested, to see whether it would match a secret file. */
const SAMPLES = [
  ".env",
  ".env.local",
  ".env.production",
  "prod.env",
  "id_rsa",
  "id_ed25519",
  "credentials",
  "server.pem",
  "server.key",
  ".netrc",
  ".pgpass",
  "secrets.yml",
];

/** A file with secrets that the call reads, copies or moves; undefined if there is none. */
export function detectSecretFile(
  subject: CallSubject,
  files: readonly string[] = [...ENV_FILES, ...KEY_FILES],
): string | undefined {
  const file = subject.files.find(
    (candidate) =>
      candidate.access === "read" &&
      isSecret(candidate, files, subject) &&
      !staysSecret(candidate, files, subject) &&
      !onlySetsVariables(candidate, subject),
  );
  return file?.word.text;
}

/** Whether the shell takes variables from a file that is made for that, or a variable its content, and nothing prints them. */
function onlySetsVariables({ manner, location }: SubjectFile, { facts, dissection }: CallSubject): boolean {
  if (manner === "assigned") return !mayPrintVariables(dissection.commands, true);
  if (manner !== "sourced" || location.kind === "unknown") return false;
  return isCovered(location.path, ENV_FILES, facts) && !mayPrintVariables(dissection.commands, false);
}

/** Whether a file of the project is copied, within it, to the home or to a service's settings, under a name by which it is protected as before. */
function staysSecret(
  { word, location, copiedTo, isElsewhere }: SubjectFile,
  files: readonly string[],
  { facts }: CallSubject,
): boolean {
  if (location.kind === "unknown" || copiedTo?.kind !== "known" || isElsewhere === true || word.hasGlob) return false;
  return (
    isInsideProject(location.path, facts) &&
    [facts.projectRoot, facts.home, "/etc", "/var/lib"].some(
      (folder) => folder !== undefined && isBelow(copiedTo.path, folder),
    ) &&
    isCovered(copiedTo.path, files, facts)
  );
}

function isSecret({ word, location }: SubjectFile, files: readonly string[], { facts }: CallSubject): boolean {
  if (location.kind === "unknown") return false;
  const { path } = location;
  if (isCovered(path, files, facts)) return true;
  if (word.hasGlob) {
    const isCommon = COMMON_GLOB.test(path.slice(path.lastIndexOf("/") + 1));
    const telling = isCommon ? files.filter((pattern) => pattern.includes("/")) : files;
    return SAMPLES.some((name) => reaches(path, name) && isCovered(sampleAt(path, name), telling, facts));
  }
  const real = facts.realPath(path);
  return real !== path && isCovered(real, files, facts);
}

/** Globs that say nothing about secrets: of nearly every name, or of every document. As with a folder, only where it is matters. */
const COMMON_GLOB = /^(?!\.)(?:[*.]|\[[!^][^\]]*\])+(?:json|ya?ml|toml)?$/;

function reaches(pattern: string, name: string): boolean {
  const last = pattern.slice(pattern.lastIndexOf("/") + 1);
  // A star or a set at the start of a name does not match a leading dot.
  if (name.startsWith(".") && !last.startsWith(".")) return false;
  return matchesGlob(last, name);
}

function sampleAt(pattern: string, name: string): string {
  return `${pattern.slice(0, pattern.lastIndexOf("/"))}/${name}`;
}
