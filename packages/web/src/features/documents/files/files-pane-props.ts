import type { Vault } from "../vault/vault-store.ts";

export interface FilesPaneProps {
  readonly vault: Vault;
  readonly openId: string | undefined;
  readonly openPath: string | null;
  onOpen(id: string): void;
  onNewNote(folder: string): void;
  /** Has a folder named, which is then created in another one; `from` is the path of the row at which the user asked for it. */
  onNewFolder(folder: string, from: string): void;
  /** What is searched for. */
  readonly query: string;
  onQuery(query: string): void;
}
