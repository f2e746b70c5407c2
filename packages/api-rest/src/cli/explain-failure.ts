import { DataDirInUseError } from "@workspace/db";
import { isExplained } from "../start-error.ts";

/** The codes of the system and of PostgreSQL for a disk without space, or a quota that is used up. */
const FULL = new Set(["ENOSPC", "EDQUOT", "53100"]);

/**
 * The message printed if a command fails: one sentence, which says what mends it. `folder` is where the command writes, if it is
 * known; an error of a full disk does not name it.
 */
export function explainFailure(error: unknown, folder: string | null): string {
  if (!(error instanceof Error)) return String(error);
  if (isDiskFull(error))
    return `The disk is full${nameOf(pathOf(error) ?? folder)}. Free space on it, and repeat the command.`;
  if (error instanceof DataDirInUseError) {
    const process = error.ownerPid && ` (process ${error.ownerPid})`;
    return `The data folder ${error.dataDir} is in use by the service or another command${process}. Stop that first, and repeat this one.`;
  }
  return isExplained(error) ? error.message : (explainSystemError(error) ?? error.message);
}

/** Whatever has failed because of it may say something else, such as a migration. */
function isDiskFull(error: Error): boolean {
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    if (FULL.has(codeOf(each)) || each.message.includes("No space left on device")) return true;
  }
  return false;
}

function explainSystemError(error: Error): string | null {
  const path = pathOf(error);
  if (path === null) return null;
  switch (codeOf(error)) {
    case "EACCES":
    case "EPERM":
      return `The user who runs this command may not use ${path}. Run it as the user of the service, or as root.`;
    case "ENOENT":
      return "syscall" in error && error.syscall === "mkdir"
        ? `The folder ${path} cannot be created.`
        : `There is no ${path}.`;
    case "ENOTDIR":
      return `A part of ${path} is no folder.`;
    case "EISDIR":
      return `${path} is a folder.`;
    case "EROFS":
      return `${path} is on a disk that is read-only.`;
    default:
      return null;
  }
}

function nameOf(path: string | null): string {
  return path === null ? "" : `: that of ${path}`;
}

function codeOf(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : "";
}

function pathOf(error: Error): string | null {
  return "path" in error && typeof error.path === "string" ? error.path : null;
}
