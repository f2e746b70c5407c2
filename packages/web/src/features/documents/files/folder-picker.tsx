import { Folder, Vault } from "lucide-react";
import { useMemo } from "react";
import { OptionList } from "../../../components/option-list.tsx";
import { isWithin, parentOf, VAULT_ROOT } from "../vault/vault-path.ts";
import { useClient } from "../../../client/use-client.ts";
import { currentVault } from "../vault/vault-store.ts";

/** The most folders to list in a menu; beyond that, files can still be moved by dragging or renaming. */
const MAX_FOLDERS = 1_000;

interface FolderPickerProps {
  /** The paths to move. */
  readonly paths: readonly string[];
  onPick(folder: string): void;
}

/** The folders that the given paths can be moved to. */
export default function FolderPicker({ paths, onPick }: FolderPickerProps) {
  const client = useClient();
  const options = useMemo(() => {
    const places = [...currentVault(client).tree.keys()].filter(
      (folder) => folder !== VAULT_ROOT && !paths.some((path) => isWithin(folder, path)),
    );
    return [
      { value: VAULT_ROOT, label: "Top of the vault", icon: <Vault size={16} className="text-muted" /> },
      ...places
        .toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1))
        .slice(0, MAX_FOLDERS)
        .map((folder) => ({ value: folder, label: folder, icon: <Folder size={16} className="text-muted" /> })),
    ];
  }, [client, paths]);
  return (
    <OptionList label="Move to a folder" options={options} chosen={new Set(paths.map(parentOf))} onPick={onPick} />
  );
}
