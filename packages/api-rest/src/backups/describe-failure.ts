import { BackupError } from "@workspace/backup";

const SYSTEM_PROBLEMS: Readonly<Record<string, string>> = {
  ENOSPC: "There is no space left on the disk.",
  EDQUOT: "There is no space left for the user of the service.",
  EROFS: "The disk cannot be written.",
  EACCES: "The service has no access to the folder.",
  EPERM: "The service has no access to the folder.",
  ENOENT: "The folder does not exist, or its disk is not mounted.",
  EBUSY: "Another program uses the file.",
  EIO: "The disk cannot be read or written.",
};

/** What went wrong with backups, for a person, or with its stack if nobody could expect it. */
export function describeFailure(error: unknown): { message: string; isUnexpected: boolean } {
  if (error instanceof BackupError) return { message: error.message, isUnexpected: false };
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const known = SYSTEM_PROBLEMS[code];
  const detail = error instanceof Error ? error.message : String(error);
  if (known !== undefined) return { message: `${known} (${detail})`, isUnexpected: false };
  return { message: error instanceof Error ? (error.stack ?? detail) : detail, isUnexpected: true };
}
