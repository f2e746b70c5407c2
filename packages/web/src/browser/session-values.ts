import { writeStored } from "./stored-value.ts";

/** The open folders of the tree of notes, by their paths. */
export const OPEN_FOLDERS_KEY = "documents.open-folders";

/** Which edits the texts include that were saved last. */
export const SAVED_VERSIONS_KEY = "documents.saved-versions";

/** Clears stored values that name what the user has. They end with the session; the user's drafts are not among them. */
export function clearSessionValues(): void {
  writeStored(OPEN_FOLDERS_KEY, null);
  writeStored(SAVED_VERSIONS_KEY, null);
}
