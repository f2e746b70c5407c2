import { matchesEntityTag } from "../platform/entity-tag.ts";
import { ConflictError, PreconditionFailedError } from "../platform/errors.ts";
import { FileChangedError } from "../vault/durable-write.ts";

/** Under which circumstances a file may be written. */
export interface WriteCondition {
  /** In the terms of `If-Match`; without it the write is unconditional. */
  readonly expectedHash?: string | undefined;
  /** Whether the path must be free. */
  readonly createOnly?: boolean | undefined;
  /** The content that the new one was made from; the write throws {@link FileChangedError} where it is another one by now. */
  readonly basedOn?: string | undefined;
}

/** Throws where a condition does not hold for the content that is there; null stands for no file. */
export function assertWriteCondition(condition: WriteCondition, actualHash: string | null): void {
  if (condition.createOnly === true && actualHash !== null) {
    throw new ConflictError("There is a file at this path already.");
  }
  assertExpected(condition.expectedHash, actualHash);
  if (condition.basedOn !== undefined && condition.basedOn !== actualHash) {
    throw new FileChangedError("The file has changed.");
  }
}

/** Throws {@link PreconditionFailedError} where something is expected and something else is there. */
export function assertExpected(expectedHash: string | undefined, actualHash: string | null): void {
  if (expectedHash === undefined || matchesEntityTag(expectedHash, actualHash)) return;
  throw new PreconditionFailedError("The file has changed since it was read. Nothing was changed.");
}
