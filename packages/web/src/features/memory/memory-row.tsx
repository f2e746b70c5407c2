import { CopyPlus } from "lucide-react";
import { PHONE, useMediaQuery } from "../../browser/use-media-query.ts";
import { TimeAgo } from "../../components/time-ago.tsx";
import { ListRow } from "../../lists/list-row.tsx";
import type { RowPosition } from "../../lists/resource-list.tsx";
import { ChunkTypeIcon } from "./chunk-type-icon.tsx";
import { CHUNK_TYPE_LABELS, nameOf, projectNameOf, formatRelevance, type Memory } from "./memory.ts";

interface MemoryRowProps {
  readonly memory: Memory;
  /** Whether it may duplicate another memory that still exists. */
  readonly isRepetition: boolean;
  /** Whether only memories that await review are listed. */
  readonly isInQueue: boolean;
  readonly place: RowPosition;
}

/** One memory in the list. */
export function MemoryRow({ memory, isRepetition, isInQueue, place }: MemoryRowProps) {
  const isPhone = useMediaQuery(PHONE);
  const { id, chunkType, content } = memory;
  return (
    <ListRow id={id} name={nameOf(memory)} {...place} isSelectable>
      <div
        role="gridcell"
        data-tooltip={CHUNK_TYPE_LABELS[chunkType]}
        className="max-md:self-start max-md:pt-3 max-md:pl-2"
      >
        <ChunkTypeIcon type={chunkType} hasName />
      </div>
      <div role="gridcell" className="flex min-w-0 flex-1 flex-col justify-center">
        <span className="truncate text-strong">{content}</span>
        {isPhone && <Details memory={memory} isRepetition={isRepetition} isInQueue={isInQueue} />}
      </div>
      {!isPhone && (
        <div role="gridcell" className="shrink-0">
          <Details memory={memory} isRepetition={isRepetition} isInQueue={isInQueue} />
        </div>
      )}
    </ListRow>
  );
}

function Details({ memory, isRepetition, isInQueue }: Omit<MemoryRowProps, "place">) {
  const { projectPath, relevanceScore, createdAt, awaitsReview, supersededById, withheldAt } = memory;
  return (
    <span className="flex items-center gap-3 text-12 whitespace-nowrap text-muted">
      {awaitsReview && !isInQueue && <span className="text-accent-text">To review</span>}
      {supersededById !== null && <span>Replaced</span>}
      {withheldAt !== null && <span className="text-warning">Withheld</span>}
      {isRepetition && (
        <span className="flex items-center gap-1 text-warning">
          <CopyPlus aria-hidden size={12} />
          May repeat another
        </span>
      )}
      {projectPath !== null && (
        <span data-tooltip={projectPath} className="max-w-36 min-w-0 truncate">
          {projectNameOf(projectPath)}
        </span>
      )}
      <span data-tooltip="Relevance" className="tabular max-md:hidden md:w-10 md:text-right">
        {formatRelevance(relevanceScore)}
      </span>
      <span className="md:w-18 md:text-right">
        <TimeAgo timestamp={createdAt} />
      </span>
    </span>
  );
}
