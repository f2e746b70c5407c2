import { Folder, Vault } from "lucide-react";
import { useMemo } from "react";
import { OptionList } from "../../components/option-list.tsx";
import { isWithin, parentOf, VAULT_ROOT } from "./vault-path.ts";
import { currentVault } from "./vault-store.ts";

/** More are not looked through in a menu; folders may still be dragged, or moved by a new name. */
const MAX_FOLDERS = 1_000;

interface FolderPickerProps {
  /** What is to be moved. */
  readonly paths: readonly string[];
  onPick(folder: string): void;
}

/** The folders into which something can go. */
export default function FolderPicker({ paths, onPick }: FolderPickerProps) {
  const options = useMemo(() => {
    const places = [...currentVault().tree.keys()].filter(
      (folder) => folder !== VAULT_ROOT && !paths.some((path) => isWithin(folder, path)),
    );
    return [
      { value: VAULT_ROOT, label: "Top of the vault", icon: <Vault size={16} className="text-muted" /> },
      ...places
        .toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1))
        .slice(0, MAX_FOLDERS)
        .map((folder) => ({ value: folder, label: folder, icon: <Folder size={16} className="text-muted" /> })),
    ];
  }, [paths]);
  return (
    <OptionList label="Move to a folder" options={options} chosen={new Set(paths.map(parentOf))} onPick={onPick} />
  );
}
