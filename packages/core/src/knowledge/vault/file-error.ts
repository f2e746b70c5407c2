import {
  ConflictError,
  ForbiddenError,
  InsufficientStorageError,
  InvalidInputError,
  NotFoundError,
  TooLargeError,
  UnavailableError,
} from "../../platform/errors.ts";

/** The code of a failed system call, such as `ENOENT`; undefined for any other error. */
export function systemErrorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/**
 * Turns a system error into an error for callers. One that means nothing to them, such as a failing disk, is returned
 * unchanged: it becomes a 500 without details and is logged.
 */
export function toFileError(cause: unknown): unknown {
  switch (systemErrorCode(cause)) {
    case "ENOENT":
    case "ENOTDIR":
      return new NotFoundError("There is nothing at this path.", { cause });
    case "EISDIR":
      return new InvalidInputError("The path is a directory.", { cause });
    case "ENAMETOOLONG":
    case "EILSEQ":
    case "EINVAL":
      return new InvalidInputError("The file system does not support this name.", { cause });
    case "EEXIST":
    case "ENOTEMPTY":
      return new ConflictError("Something is at this path already.", { cause });
    case "EBUSY":
    case "ETXTBSY":
      return new ConflictError("Another program is using this file or directory.", { cause });
    case "ELOOP":
      return linkRefused(cause);
    case "EACCES":
    case "EPERM":
      return new ForbiddenError("The server lacks the permission for this on the file or directory.", { cause });
    case "ENOSPC":
    case "EDQUOT":
      return new InsufficientStorageError("The disk is full.", { cause });
    case "EFBIG":
      return new TooLargeError("The file is larger than the file system supports.", { cause });
    case "EROFS":
      return new UnavailableError("The vault is on a read-only file system.", { cause });
    case "EMFILE":
    case "ENFILE":
    case "ENOMEM":
      return new UnavailableError("The server has too many files open. Try again in a moment.", { cause });
    case undefined:
    default:
      return cause;
  }
}

/** Runs file operations and turns their system errors into errors for callers. */
export async function withFileErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw toFileError(error);
  }
}

/** The path contains a symbolic link, so it does not refer to anything in the vault. */
export class LinkRefusedError extends ForbiddenError {}

export function linkRefused(cause?: unknown): LinkRefusedError {
  return new LinkRefusedError("Symbolic links are not followed.", { cause });
}
