import { Check, Merge, Trash2 } from "lucide-react";
import { Button } from "../../components/button.tsx";
import { SelectionBar } from "../../lists/selection-bar.tsx";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import type { ListCursor } from "../../lists/use-list-cursor.ts";

/** The most memories that can be compared side by side. */
const MAX_MERGED = 6;

interface MemoryBulkBarProps {
  readonly cursor: ListCursor;
  readonly onMerge: (ids: readonly string[]) => void;
  readonly onKeep: (ids: readonly string[]) => void;
  /** Whether any of the memories awaits review. */
  readonly canKeep: (ids: readonly string[]) => boolean;
  readonly onForget: (ids: readonly string[]) => void;
  /** Whether a row is a memory. Those of sessions are left out. */
  readonly isMemory: (id: string) => boolean;
}

/** Bulk actions for the selected memories. */
export function MemoryBulkBar({ cursor, onMerge, onKeep, canKeep, onForget, isMemory }: MemoryBulkBarProps) {
  const { cursorId, selectedIds, actions } = cursor;
  const ids = [...selectedIds].filter(isMemory);
  useShortcut("keep", () => {
    const targets = ids.length > 0 || cursorId === null ? ids : [cursorId];
    if (!canKeep(targets)) return false;
    onKeep(targets);
    return true;
  });
  const canMerge = ids.length >= 2 && ids.length <= MAX_MERGED;
  useShortcut("merge", () => {
    if (!canMerge) return false;
    onMerge(ids);
    return true;
  });
  return (
    <SelectionBar label="Selected memories" count={ids.length} onClear={actions.clearSelection}>
      {canKeep(ids) && (
        <Button
          size="small"
          tone="ghost"
          icon={<Check aria-hidden size={16} />}
          shortcut="keep"
          onClick={() => onKeep(ids)}
        >
          Keep
        </Button>
      )}
      <Button
        size="small"
        tone="ghost"
        icon={<Merge aria-hidden size={16} />}
        disabled={!canMerge}
        shortcut="merge"
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
