import { useQuery } from "@tanstack/react-query";
import { CopyPlus } from "lucide-react";
import { useRow } from "../../api/use-collection.ts";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { updateMemory } from "./memory-actions.ts";
import { memoryCollection, memoryQuery } from "./memory-collection.ts";
import type { Memory } from "./memory.ts";

interface RepetitionNoticeProps {
  readonly memory: Memory;
  readonly onMerge: (ids: readonly string[]) => void;
}

/** Says which other memory this one may repeat, and offers to merge the two or to keep both. */
export function RepetitionNotice({ memory, onMerge }: RepetitionNoticeProps) {
  const client = useClient();
  const otherId = memory.nearDuplicateOfId;
  const other = useRow(memoryCollection(client), otherId ?? "");
  // If the other memory has been forgotten, this query fails, and there is nothing to show.
  useQuery({ ...memoryQuery(client, otherId ?? ""), enabled: otherId !== null && other === undefined, retry: false });
  if (other === undefined) return null;
  return (
    <section
      aria-label="May repeat another memory"
      className="flex flex-col gap-2 rounded-control border border-warning/30 bg-warning/8 p-3 text-13"
    >
      <p className="flex items-center gap-2 font-medium text-warning">
        <CopyPlus aria-hidden size={14} className="shrink-0" />
        This may repeat another memory
      </p>
      <p className="line-clamp-3 text-strong">{other.content}</p>
      <div className="flex flex-wrap gap-2">
        <Button size="small" aria-haspopup="dialog" onClick={() => onMerge([other.id, memory.id])}>
          Compare and merge
        </Button>
        <Button
          size="small"
          tone="ghost"
          onClick={() => void updateMemory(client, memory, { nearDuplicateOfId: null })}
        >
          Keep both
        </Button>
      </div>
    </section>
  );
}
