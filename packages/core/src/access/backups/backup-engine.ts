/** How an S3-compatible store is reached. */
export interface S3Connection {
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Where backups are, and what is needed to read them. */
export interface BackupPlace {
  /** A folder, or `s3://bucket/path`. */
  readonly place: string;
  /** How the store of `s3://…` is reached; not used for a folder. */
  readonly s3: S3Connection | null;
  /** Null if they are not encrypted. */
  readonly passphrase: string | null;
}

/**
 * How many backups are kept: the newest of each of so many hours before the newest of all, and of each of so many days, weeks and
 * months that have any.
 */
export interface BackupRetention {
  readonly hourly: number;
  readonly daily: number;
  readonly weekly: number;
  readonly monthly: number;
}

/** A backup at its place. */
export interface StoredBackup {
  readonly id: string;
  readonly createdAt: string;
  /** Of the service that made it. */
  readonly version: string;
  readonly rows: number;
  readonly files: number;
  readonly vaultBytes: number;
  /** How many files were not as their records said. */
  readonly disagreements: number;
  /** Whether it needs something that is known to be lost. */
  readonly isDamaged: boolean;
}

/** What came of work on a backup. */
export interface BackupOutcome {
  readonly backupId: string;
  readonly rows: number;
  readonly files: number;
  readonly vaultBytes: number | null;
  /** What it has added to its place; null if it only read. */
  readonly storedBytes: number | null;
  /** What a person should know although it succeeded, as sentences. */
  readonly message: string | null;
  /** Whether it is stored, but counts as failed, because it lacks so much that it replaces no earlier one. */
  readonly isIncomplete?: boolean;
  /** Of a backup: those that need something that is lost and is not stored anew yet, the oldest first; null if that is not known. */
  readonly damagedIds?: readonly string[] | null;
}

/** Work on a backup failed. The message is a sentence for people. */
export class BackupFailure extends Error {
  override readonly name = "BackupFailure";
}

/**
 * Makes backups and reads them, outside of this process, so that requests do not wait for it. Every method rejects with
 * {@link BackupFailure} for what people can mend, and when its signal is aborted.
 */
export interface BackupEngine {
  /** Whether backups can be stored there, which creates the place if it is empty. */
  check(place: BackupPlace, signal: AbortSignal): Promise<void>;
  /** Makes a backup, and then removes those that the retention does not keep. */
  backUp(place: BackupPlace, retention: BackupRetention, signal: AbortSignal): Promise<BackupOutcome>;
  /** The newest backups first. */
  list(place: BackupPlace, signal: AbortSignal): Promise<readonly StoredBackup[]>;
  /** Reads a backup, and compares it with what was backed up. */
  verify(place: BackupPlace, backupId: string, signal: AbortSignal): Promise<BackupOutcome>;
  /** Restores the newest backup into a temporary place. */
  drill(place: BackupPlace, signal: AbortSignal): Promise<BackupOutcome>;
}
