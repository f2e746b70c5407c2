import { Merge, Trash2 } from "lucide-react";
import { Button } from "../../components/button.tsx";
import { SelectionBar } from "../../lists/selection-bar.tsx";
import type { ListCursor } from "../../lists/use-list-cursor.ts";

/** The most memories that can be compared side by side. */
const MAX_MERGED = 6;

interface MemoryBulkBarProps {
  readonly cursor: ListCursor;
  readonly onMerge: (ids: readonly string[]) => void;
  readonly onForget: (ids: readonly string[]) => void;
}

/** Bulk actions for the selected memories. */
export function MemoryBulkBar({ cursor: { selectedIds, actions }, onMerge, onForget }: MemoryBulkBarProps) {
  const ids = [...selectedIds];
  const canMerge = ids.length >= 2 && ids.length <= MAX_MERGED;
  return (
    <SelectionBar label="Selected memories" count={ids.length} onClear={actions.clearSelection}>
      <Button
        size="small"
        tone="ghost"
        icon={<Merge aria-hidden size={16} />}
        disabled={!canMerge}
        aria-haspopup="dialog"
        onClick={() => onMerge(ids)}
      >
        Merge
      </Button>
      <Button
        size="small"
        tone="danger"
        icon={<Trash2 aria-hidden size={16} />}
        data-tooltip="Forget"
        data-tooltip-keys="delete"
        onClick={() => onForget(ids)}
      >
        Forget
      </Button>
    </SelectionBar>
  );
}
