import { BackupError } from "./backup-error.ts";
import { isLoss } from "./vault/left-out.ts";

/** Restores something. If its content is damaged or missing in the backup, the error names it and says what can be done. */
export async function namingDamage<Result>(subject: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof BackupError) || !isLoss(cause)) throw cause;
    const message = `${subject} cannot be restored: ${cause.message}`;
    throw new BackupError(`${message} Restore from another backup that \`workspace verify --all\` finds whole.`, {
      cause,
    });
  }
}
