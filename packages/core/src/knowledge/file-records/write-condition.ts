import { matchesEntityTag } from "../../platform/entity-tag.ts";
import { ConflictError, PreconditionFailedError } from "../../platform/errors.ts";
import { FileChangedError } from "../vault/durable-write.ts";

/** The preconditions of a write. */
export interface WriteCondition {
  /** The expected content hash, in the form of `If-Match`. */
  readonly expectedHash?: string | undefined;
  /** Whether the path must be free. */
  readonly createOnly?: boolean | undefined;
  /** The hash of the content that the new content is derived from. If it has changed, {@link FileChangedError} is thrown. */
  readonly basedOn?: string | undefined;
}

/** Throws if a precondition is not met. `actualHash` is null if there is no file. */
export function assertWriteCondition(condition: WriteCondition, actualHash: string | null): void {
  if (condition.createOnly === true && actualHash !== null) {
    throw new ConflictError("There is a file at this path already.");
  }
  assertExpected(condition.expectedHash, actualHash);
  if (condition.basedOn !== undefined && condition.basedOn !== actualHash) {
    throw new FileChangedError("The file has changed.");
  }
}

/** Throws {@link PreconditionFailedError} if a hash is expected and the actual one is different. */
export function assertExpected(expectedHash: string | undefined, actualHash: string | null): void {
  if (expectedHash === undefined || matchesEntityTag(expectedHash, actualHash)) return;
  throw new PreconditionFailedError(
    "The file has changed since it was read, so nothing was done. Read it again, and base the change on its contentHash.",
  );
}
