import { StoreError, type S3Client } from "@workspace/object-store";
import { VaultMissingError } from "./directory.ts";
import { SERVICE_DIRECTORY } from "./vault-path.ts";

/** Runs work with the store and turns its errors into errors for callers. */
export async function withStoreErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw toVaultError(error);
  }
}

/** What the store has responded is only for the log. */
export function toVaultError(cause: unknown): unknown {
  if (!(cause instanceof StoreError)) return cause;
  switch (cause.status) {
    case null:
      return new VaultMissingError("The vault's store cannot be reached.", { cause });
    case 401:
    case 403:
      // The response to a HEAD request does not say which.
      return new VaultMissingError(
        "The vault's store refuses the key of the service, or the clock of this machine is wrong by minutes.",
        { cause },
      );
    case 404:
      return new VaultMissingError("The bucket of the vault does not exist.", { cause });
    default:
      return new VaultMissingError("The vault's store does not respond as it should.", { cause });
  }
}

const NO_CONDITIONS =
  "The vault's store ignores the conditions of writes (If-Match, If-None-Match), so that changes could be lost. " +
  "Use a store that supports conditional writes and copies.";
const OTHER_ETAG = "0".repeat(32);

/** Why a store must not be used for a vault; null if it may. Several processes may try that at once. */
export async function findStoreProblem(client: S3Client, prefix: string): Promise<string | null> {
  const key = `${prefix}${SERVICE_DIRECTORY}/conditions`;
  const content = Buffer.from("Workspace finds out here whether the store respects the conditions of writes.\n");
  await client.put(key, content, "new");
  const attempts = [
    () => client.put(key, content, "new"),
    () => client.put(key, content, { etag: OTHER_ETAG }),
    () => client.copy(key, `${key}-copy`, OTHER_ETAG),
  ];
  if ((await client.read(key)) === null) return "The vault's store does not return what it has stored.";
  for (const attempt of attempts) if ((await attempt()) !== null) return NO_CONDITIONS;
  return null;
}
