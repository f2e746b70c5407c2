/** A backup, a restore or a check cannot be done. The message is written for the person who asked for it. */
export class BackupError extends Error {
  override readonly name = "BackupError";
}

/** The newest backup lacks much of what earlier ones may have, so that it replaces none of them. */
export class IncompleteError extends BackupError {}

/** Stored content is not what was backed up, or is missing, however often it is read. */
export class DamagedError extends BackupError {}
