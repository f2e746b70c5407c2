import { clientPart } from "../../../client/client-part.ts";
import type { Client } from "../../../client/client.ts";
import { Store } from "../../../client/store.ts";
import { createFolder } from "./vault-actions.ts";
import { childOf, freeName, parentOf } from "./vault-path.ts";
import { beginChange, currentVault, vaultMoves } from "./vault-store.ts";
import { isNameTaken } from "./vault-tree.ts";

/** A folder that is shown in the tree while it is being named, and not created before. */
interface NewFolder {
  readonly path: string;
  /** The path of the row at which the user asked for it; null if it was not at a row. */
  readonly from: string | null;
  /** Shows it no longer. */
  hide(): void;
}

/** The folder that is being named; null if there is none. */
export const newFolder = clientPart(() => new Store<NewFolder | null>(null));

/** Shows a new folder inside another one under a name that is free, for the user to name. */
export function showNewFolder(client: Client, parent: string, from: string | null): void {
  dropNewFolder(client);
  const { tree } = currentVault(client);
  const path = childOf(
    parent,
    freeName("New folder", (candidate) => isNameTaken(tree, parent, candidate)),
  );
  const { rollback } = beginChange(client, { kind: "folder", path });
  newFolder(client).set({ path, from, hide: rollback });
}

/** Forgets the folder that is being named, if there is one. */
export function dropNewFolder(client: Client): void {
  newFolder(client).get()?.hide();
  newFolder(client).set(null);
}

/** Creates the folder that was shown at a path under its name. Shows an error if the server refuses. */
export async function createNamedFolder(client: Client, shownAt: string, name: string): Promise<void> {
  const path = childOf(parentOf(shownAt), name);
  const created = createFolder(client, path);
  vaultMoves(client).emit({ from: shownAt, to: path });
  await created;
}
