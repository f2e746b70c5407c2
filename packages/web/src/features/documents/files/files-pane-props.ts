import type { Vault } from "../vault/vault-store.ts";

export interface FilesPaneProps {
  readonly vault: Vault;
  readonly openId: string | undefined;
  readonly openPath: string | null;
  onOpen(id: string): void;
  onNewNote(folder: string): void;
  onNewFolder(folder: string): void;
  /** The path of a folder that was just created and needs a name. */
  readonly renaming: string | null;
  /** What is searched for. */
  readonly query: string;
  onQuery(query: string): void;
}
