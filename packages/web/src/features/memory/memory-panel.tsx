import { useQuery } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useRow } from "../../api/use-collection.ts";
import { useClient } from "../../client/use-client.ts";
import { IconButton } from "../../components/button.tsx";
import { ErrorState, Skeleton } from "../../components/states.tsx";
import { PanelHeader } from "../shell/side-panel.tsx";
import { forgetMemories } from "./memory-actions.ts";
import { memoryCollection, memoryQuery } from "./memory-collection.ts";
import { MemoryContent } from "./memory-content.tsx";
import { MemoryFields } from "./memory-fields.tsx";
import { MemoryInjections } from "./memory-injections.tsx";
import { MemoryProvenance } from "./memory-provenance.tsx";
import { MemoryRecall } from "./memory-recall.tsx";
import { MemoryValidity } from "./memory-validity.tsx";
import { ReviewNotice } from "./review-notice.tsx";
import { RepetitionNotice } from "./repetition-notice.tsx";
import { WithheldNotice } from "./withheld-notice.tsx";

interface MemoryPanelProps {
  readonly memoryId: string;
  /** Incremented when the caret must move into the text. */
  readonly editRequest: number;
  readonly onMerge: (ids: readonly string[]) => void;
  readonly onClose: () => void;
}

/** Everything about one memory: its text, whether it is valid, where it comes from, why it is recalled, and where it was given. */
export default function MemoryPanel({ memoryId, editRequest, onMerge, onClose }: MemoryPanelProps) {
  const client = useClient();
  const memory = useRow(memoryCollection(client), memoryId);
  const { error, refetch } = useQuery({ ...memoryQuery(client, memoryId), enabled: memory === undefined });
  const forget = () => {
    onClose();
    void forgetMemories(client, [memoryId]);
  };
  return (
    <>
      <PanelHeader title="Memory" onClose={onClose}>
        {memory !== undefined && (
          <IconButton label="Forget" shortcut="delete" icon={<Trash2 size={16} />} onClick={forget} />
        )}
      </PanelHeader>
      <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain">
        {memory !== undefined && (
          <div className="flex flex-col gap-5 px-5 py-5">
            {memory.awaitsReview && <ReviewNotice memory={memory} />}
            {memory.withheldAt !== null && <WithheldNotice memory={memory} />}
            <RepetitionNotice memory={memory} onMerge={onMerge} />
            <MemoryContent key={memory.id} memory={memory} editRequest={editRequest} />
            <MemoryFields memory={memory} />
            <MemoryValidity memory={memory} />
            <MemoryProvenance memory={memory} />
            <MemoryRecall memory={memory} />
            <MemoryInjections memory={memory} />
          </div>
        )}
        {memory === undefined && error === null && <PanelSkeleton />}
        {memory === undefined && error !== null && (
          <ErrorState title="The memory could not be opened" error={error} onRetry={() => void refetch()} />
        )}
      </div>
    </>
  );
}

function PanelSkeleton() {
  return (
    <div role="status" aria-label="Loading" className="flex flex-col gap-4 px-5 py-5">
      <Skeleton className="h-16 w-full" />
      <Skeleton className="h-4 w-2/5" />
      <Skeleton className="h-4 w-1/2" />
      <Skeleton className="h-24 w-full" />
    </div>
  );
}
