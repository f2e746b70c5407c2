import { newUuid } from "../../../api/local-id.ts";
import { toRequestError } from "../../../api/request-error.ts";
import type { Client } from "../../../client/client.ts";
import type { FolderChange, KeptChange } from "../../outbox/kept-change.ts";
import { outbox } from "../../outbox/outbox.ts";
import { SHOWN_ELSEWHERE } from "../../outbox/shown-change.ts";
import { isWithin, nameOf, rebase } from "../vault/vault-path.ts";

/** A folder that is to be created once the server responds. */
type UnsentFolder = KeptChange & { readonly change: FolderChange };

/** The folders that are still to be created, among changes that are kept. */
export function unsentFolders(changes: readonly KeptChange[]): UnsentFolder[] {
  return changes.filter((kept): kept is UnsentFolder => kept.change.kind === "create-folder");
}

/** Creates a folder, or has it kept while the server is away. Rejects with a RequestError if the server refuses. */
export async function makeFolder(client: Client, path: string): Promise<"made" | "kept"> {
  const { isFirst, keep } = outbox(client);
  const kept = { rowId: newUuid(), title: nameOf(path), change: { kind: "create-folder", path } } as const;
  if (isFirst() && (await keep(kept, SHOWN_ELSEWHERE))) return "kept";
  try {
    await client.api.fs.mkdir.mutate({ path: `/${path}` });
    return "made";
  } catch (error) {
    const failure = toRequestError(error);
    if (failure.kind === "no-response" && (await keep(kept, SHOWN_ELSEWHERE))) return "kept";
    throw failure;
  }
}

/** Has the folders at a path and in it created elsewhere. Returns whether there were any. */
export async function moveUnsentFolders(client: Client, { from, to }: { from: string; to: string }): Promise<boolean> {
  const moved = unsentFoldersWithin(client, from).map(({ number, change }) => {
    const path = rebase(change.path, from, to);
    return outbox(client).amend(number, (stored) => ({ ...stored, title: nameOf(path), change: { ...change, path } }));
  });
  return (await Promise.all(moved)).includes(true);
}

/** Has the folders at a path and in it not created. Returns whether there were any. */
export async function deleteUnsentFolders(client: Client, path: string): Promise<boolean> {
  const folders = unsentFoldersWithin(client, path);
  for (const folder of folders) await outbox(client).discard(folder);
  return folders.length > 0;
}

function unsentFoldersWithin(client: Client, path: string): UnsentFolder[] {
  return unsentFolders(outbox(client).changes.get()).filter(({ change }) => isWithin(change.path, path));
}
