import { InvalidInputError } from "../../platform/errors.ts";
import type { VaultFiles } from "./vault-files.ts";
import { prefixWithControlCharacters, type VaultPath } from "./vault-path.ts";

/** Throws {@link InvalidInputError} for a path that would give something new a name with control characters. */
export async function assertPrintable(files: VaultFiles, path: VaultPath, field = "path"): Promise<void> {
  const unprintable = prefixWithControlCharacters(path);
  if (unprintable === null || (await files.stat(unprintable)) !== null) return;
  throw InvalidInputError.at(field, "must not contain control characters, such as line breaks");
}
