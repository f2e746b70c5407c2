import {
  ConflictError,
  ForbiddenError,
  InsufficientStorageError,
  InvalidInputError,
  NotFoundError,
  TooLargeError,
  UnavailableError,
} from "../platform/errors.ts";

/** The code of a failed system call, such as `ENOENT`; undefined for any other failure. */
export function systemErrorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/**
 * What a failed system call means to a caller. What says nothing to them, such as a failing disk, stays as it is: it becomes
 * a 500 without details, and the log has the rest.
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
      return new InvalidInputError("The file system does not take this name.", { cause });
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
      return new ForbiddenError("The server may not do this with the file or directory.", { cause });
    case "ENOSPC":
    case "EDQUOT":
      return new InsufficientStorageError("The disk is full.", { cause });
    case "EFBIG":
      return new TooLargeError("The file is larger than the file system takes.", { cause });
    case "EROFS":
      return new UnavailableError("The vault is on a file system that can only be read.", { cause });
    case "EMFILE":
    case "ENFILE":
    case "ENOMEM":
      return new UnavailableError("The server has too many files open. Try again in a moment.", { cause });
    case undefined:
    default:
      return cause;
  }
}

/** Runs file operations and lets their failures out as callers may be told of them. */
export async function withFileErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw toFileError(error);
  }
}

/** The path leads through a symbolic link, so that nothing of the vault is there. */
export class LinkRefusedError extends ForbiddenError {}

export function linkRefused(cause?: unknown): LinkRefusedError {
  return new LinkRefusedError("Symbolic links are not followed.", { cause });
}
