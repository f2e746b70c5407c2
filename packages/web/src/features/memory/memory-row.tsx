import { Check, CopyPlus, Trash2 } from "lucide-react";
import { useCallback, type MouseEvent } from "react";
import { PHONE, useMediaQuery } from "../../browser/use-media-query.ts";
import { IconButton } from "../../components/button.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { ListRow } from "../../lists/list-row.tsx";
import type { RowPosition } from "../../lists/resource-list.tsx";
import { useRowHeight } from "../../lists/row-height.ts";
import { ChunkTypeIcon } from "./chunk-type-icon.tsx";
import { CHUNK_TYPE_LABELS, nameOf, projectNameOf, formatRelevance, type Memory } from "./memory.ts";

/** About as many characters as a phone shows in a line. */
const PHONE_LINE = 44;
const PHONE_LINE_PX = 20;
const REVIEW_BUTTONS_PX = 20;

/** On a phone a long memory takes two lines, and there is room for the buttons of the queue. */
export function useMemoryRowHeight(isInQueue: boolean): (hit: { readonly memory?: Memory | undefined }) => number {
  const isPhone = useMediaQuery(PHONE);
  const usual = useRowHeight();
  return useCallback(
    ({ memory }) => {
      if (!isPhone || memory === undefined) return usual;
      return usual + (memory.content.length > PHONE_LINE ? PHONE_LINE_PX : 0) + (isInQueue ? REVIEW_BUTTONS_PX : 0);
    },
    [isPhone, isInQueue, usual],
  );
}

/** What a person does with a memory that awaits review. */
export interface ReviewActions {
  readonly keep: () => void;
  readonly forget: () => void;
}

interface MemoryRowProps {
  readonly memory: Memory;
  /** Whether it may duplicate another memory that still exists. */
  readonly isRepetition: boolean;
  /** Undefined unless only memories that await review are listed. */
  readonly review: ReviewActions | undefined;
  readonly place: RowPosition;
}

/** One memory in the list. */
export function MemoryRow({ memory, isRepetition, review, place }: MemoryRowProps) {
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
      <div
        role="gridcell"
        className="flex min-w-0 flex-1 flex-col justify-center max-md:justify-start max-md:self-start max-md:pt-2.5"
      >
        <span className="text-strong max-md:line-clamp-2 md:truncate">{content}</span>
        {isPhone && (
          <div className="flex items-center justify-between gap-2">
            <Details memory={memory} isRepetition={isRepetition} isInQueue={review !== undefined} />
            {review !== undefined && <ReviewButtons {...review} />}
          </div>
        )}
      </div>
      {!isPhone && (
        <div role="gridcell" className="flex shrink-0 items-center gap-2">
          <Details memory={memory} isRepetition={isRepetition} isInQueue={review !== undefined} />
          {review !== undefined && <ReviewButtons {...review} />}
        </div>
      )}
    </ListRow>
  );
}

/** Reached by keys of their own, so that Tab leaves the list. */
function ReviewButtons({ keep, forget }: ReviewActions) {
  const alone = (action: () => void) => (event: MouseEvent) => {
    // The row would open.
    event.stopPropagation();
    action();
  };
  return (
    <span className="flex shrink-0">
      <IconButton
        size="small"
        label="Keep"
        icon={<Check size={16} />}
        shortcut="keep"
        tabIndex={-1}
        onClick={alone(keep)}
      />
      <IconButton
        size="small"
        label="Forget"
        icon={<Trash2 size={16} />}
        data-tooltip-keys="delete"
        tabIndex={-1}
        onClick={alone(forget)}
      />
    </span>
  );
}

interface DetailsProps extends Pick<MemoryRowProps, "memory" | "isRepetition"> {
  readonly isInQueue: boolean;
}

function Details({ memory, isRepetition, isInQueue }: DetailsProps) {
  const { projectPath, relevanceScore, createdAt, awaitsReview, supersededById, withheldAt } = memory;
  return (
    <span className="flex min-w-0 items-center gap-3 text-12 whitespace-nowrap text-muted">
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
