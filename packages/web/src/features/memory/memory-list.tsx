import { Brain, CircleCheck } from "lucide-react";
import { Suspense } from "react";
import { toRequestError } from "../../api/request-error.ts";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { EmptyState } from "../../components/states.tsx";
import { lazyPart } from "../../components/lazy-part.tsx";
import { NoMatch, ResourceList } from "../../lists/resource-list.tsx";
import type { ListCursor } from "../../lists/use-list-cursor.ts";
import type { ItemPanel } from "../shell/item-panel.ts";
import { forgetMemories, keepMemories } from "./memory-actions.ts";
import { MemoryBulkBar } from "./memory-bulk-bar.tsx";
import { memoryCollection } from "./memory-collection.ts";
import { isFiltering, isRepetition, isWholeQueue } from "./memory-filter.ts";
import { MemoryRow, useMemoryRowHeight } from "./memory-row.tsx";
import { TurnHitRow } from "./turn-hit-row.tsx";
import type { MemoryListing } from "./use-memory-listing.ts";

const ReviewPeriodSetting = lazyPart(() => import("./review-period.tsx"));

interface MemoryListProps {
  readonly listing: MemoryListing;
  readonly panel: ItemPanel;
  readonly onCreate: () => void;
  readonly onEdit: (id: string) => void;
  readonly onMerge: (ids: readonly string[]) => void;
}

/** The memories that match the filter, among what else a search finds, and what is done with them. */
export function MemoryList({ listing, panel, onCreate, onEdit, onMerge }: MemoryListProps) {
  const client = useClient();
  const { memories, filter, state, searchError } = listing;
  const isQueue = filter.isAwaitingReview;
  const heightOf = useMemoryRowHeight(isQueue);
  const forget = (ids: readonly string[], { actions }: ListCursor) => {
    if (!ids.some((id) => memories.has(id))) return;
    actions.leave(ids);
    actions.clearSelection();
    if (panel.openId !== undefined && ids.includes(panel.openId)) panel.close();
    void forgetMemories(client, ids);
  };
  const keep = (ids: readonly string[], { actions }: ListCursor) => {
    if (isQueue) actions.leave(ids);
    actions.clearSelection();
    void keepMemories(client, ids);
  };
  return (
    <>
      <Suspense>{isQueue && <ReviewPeriodSetting />}</Suspense>
      {searchError !== null && (
        <p role="alert" className="border-b border-border px-4 py-2 text-13 text-muted">
          The search failed, so only memories with all of these words are shown. {toRequestError(searchError).message}
        </p>
      )}
      <ResourceList
        label="Memories"
        state={state}
        realId={memoryCollection(client).realId}
        panel={panel}
        edit={onEdit}
        remove={forget}
        isSelectable
        heightOf={heightOf}
        renderRow={({ id, memory, turn }, place) =>
          memory === undefined ? (
            <TurnHitRow id={id} turn={turn} place={place} />
          ) : (
            <MemoryRow
              memory={memory}
              isRepetition={isRepetition(memory, memories)}
              review={
                isQueue ? { keep: () => keep([id], place.cursor), forget: () => forget([id], place.cursor) } : undefined
              }
              place={place}
            />
          )
        }
        empty={listing.isSettled && <NoRows listing={listing} onCreate={onCreate} />}
      >
        {(cursor) => (
          <MemoryBulkBar
            cursor={cursor}
            onMerge={onMerge}
            onKeep={(ids) => keep(ids, cursor)}
            canKeep={(ids) => ids.some((id) => memories.get(id)?.awaitsReview === true)}
            onForget={(ids) => forget(ids, cursor)}
            isMemory={(id) => memories.has(id)}
          />
        )}
      </ResourceList>
    </>
  );
}

function NoRows({ listing: { shownFilter, clear }, onCreate }: Pick<MemoryListProps, "listing" | "onCreate">) {
  if (isWholeQueue(shownFilter))
    return (
      <EmptyState
        icon={<CircleCheck size={20} />}
        title="Everything is reviewed"
        action={<Button onClick={clear}>Show all memories</Button>}
      >
        What is learnt from your next sessions comes here first.
      </EmptyState>
    );
  if (isFiltering(shownFilter))
    return (
      <NoMatch title="No matching memories" onClear={clear}>
        No memories match the filter.
      </NoMatch>
    );
  return (
    <EmptyState
      icon={<Brain size={20} />}
      title="No memories yet"
      action={
        <Button tone="primary" shortcut="create" onClick={onCreate}>
          Create a memory
        </Button>
      }
    >
      Decisions, facts and preferences that your coding assistants learn in one session are kept here for the next.
    </EmptyState>
  );
}
