import { Brain, CircleCheck } from "lucide-react";
import { lazy, Suspense, useDeferredValue, useCallback, useMemo, useState } from "react";
import { toRequestError } from "../../api/request-error.ts";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { EmptyState } from "../../components/states.tsx";
import { useFilterText } from "../../lists/use-filter-text.ts";
import { NoMatch, ResourceList } from "../../lists/resource-list.tsx";
import type { ListCursor } from "../../lists/use-list-cursor.ts";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import { useItemPanel } from "../shell/item-panel.ts";
import { Page } from "../shell/page.tsx";
import { PanelPage } from "../shell/side-panel.tsx";
import { forgetMemories, keepMemories } from "./memory-actions.ts";
import { MemoryBulkBar } from "./memory-bulk-bar.tsx";
import { memoryCollection, useMemories } from "./memory-collection.ts";
import { filterMemories, isFiltering, isRepetition, isWholeQueue, NO_MEMORY_FILTER } from "./memory-filter.ts";
import { MemoryRow, useMemoryRowHeight } from "./memory-row.tsx";
import { useMemorySearch } from "./memory-search.ts";
import { MemoryToolbar } from "./memory-toolbar.tsx";
import { parseTurnId, toMemoryHit } from "./search-hits.ts";
import { TurnHitRow } from "./turn-hit-row.tsx";
import { useMemoryHits } from "./use-memory-hits.ts";

const MemoryPanel = lazy(() => import("./memory-panel.tsx"));
const ReviewPeriodSetting = lazy(() => import("./review-period.tsx"));
const TurnPanel = lazy(() => import("./turn-panel.tsx"));
const NewMemoryDialog = lazy(() => import("./new-memory-dialog.tsx"));
const MergeDialog = lazy(() => import("./merge-dialog.tsx"));

const HIT_LIMITS = { memories: 100, turns: 20 };

/** The memories of coding assistants, to search, correct and forget. */
export default function MemoryPage() {
  const client = useClient();
  const [filter, setFilter, isFilterSettled] = useMemorySearch();
  const onPause = useCallback((text: string) => setFilter({ ...filter, text }), [filter, setFilter]);
  const [text, setText] = useFilterText(filter.text, onPause);
  const deferredText = useDeferredValue(text);
  const shownFilter = useMemo(() => ({ ...filter, text: deferredText }), [filter, deferredText]);
  const state = useMemories(deferredText);
  const search = useMemoryHits(state.memories, shownFilter, HIT_LIMITS);
  const isSearching = deferredText.trim() !== "";
  const shown = useMemo(
    () => (isSearching ? search.hits : filterMemories(state.memories, shownFilter).map(toMemoryHit)),
    [isSearching, search.hits, state.memories, shownFilter],
  );
  const panel = useItemPanel("memory");
  const heightOf = useMemoryRowHeight(filter.isAwaitingReview);
  const [editRequest, setEditRequest] = useState(0);
  const [isCreating, setIsCreating] = useState(false);
  const [mergedIds, setMergedIds] = useState<readonly string[]>([]);
  const create = () => setIsCreating(true);
  useShortcut("create", create);
  const repetitions = useMemo(
    () => [...state.memories.values()].filter((memory) => isRepetition(memory, state.memories)).length,
    [state.memories],
  );
  const awaitingReview = useMemo(
    () => [...state.memories.values()].filter((memory) => memory.awaitsReview).length,
    [state.memories],
  );
  const withheld = useMemo(
    () => [...state.memories.values()].filter((memory) => memory.withheldAt !== null).length,
    [state.memories],
  );
  const edit = (id: string) => {
    panel.open(id);
    setEditRequest((count) => count + 1);
  };
  const showMerged = (keptId: string) => {
    // The open memory may be among those that are forgotten.
    if (panel.openId !== undefined && mergedIds.includes(panel.openId)) panel.open(keptId);
  };
  const forget = (ids: readonly string[], { actions }: ListCursor) => {
    if (!ids.some((id) => state.memories.has(id))) return;
    actions.leave(ids);
    actions.clearSelection();
    if (panel.openId !== undefined && ids.includes(panel.openId)) panel.close();
    void forgetMemories(client, ids);
  };
  const canKeep = (ids: readonly string[]) => ids.some((id) => state.memories.get(id)?.awaitsReview === true);
  const keep = (ids: readonly string[], { actions }: ListCursor) => {
    if (filter.isAwaitingReview) actions.leave(ids);
    actions.clearSelection();
    void keepMemories(client, ids);
  };
  const clear = () => {
    setText("");
    setFilter(NO_MEMORY_FILTER);
  };
  return (
    <PanelPage
      label="Memory"
      panel={panel}
      renderPanel={(id) => {
        const turn = parseTurnId(id);
        if (turn !== undefined) return <TurnPanel key={id} {...turn} onClose={panel.close} />;
        return (
          <MemoryPanel
            key={memoryCollection(client).keyOf(id)}
            memoryId={id}
            editRequest={editRequest}
            onMerge={setMergedIds}
            onClose={panel.close}
          />
        );
      }}
    >
      <Page
        title="Memory"
        createLabel="New memory"
        onCreate={create}
        toolbar={
          <MemoryToolbar
            filter={filter}
            onFilter={setFilter}
            text={text}
            onText={setText}
            repetitions={repetitions}
            awaitingReview={awaitingReview}
            withheld={withheld}
          />
        }
      >
        <Suspense>{filter.isAwaitingReview && <ReviewPeriodSetting />}</Suspense>
        {isSearching && search.error !== null && (
          <p role="alert" className="border-b border-border px-4 py-2 text-13 text-muted">
            The search failed, so only memories with all of these words are shown.{" "}
            {toRequestError(search.error).message}
          </p>
        )}
        <ResourceList
          label="Memories"
          state={{ ...state, rows: shown }}
          realId={memoryCollection(client).realId}
          panel={panel}
          edit={edit}
          remove={forget}
          isSelectable
          heightOf={heightOf}
          renderRow={({ id, memory, turn }, place) =>
            memory === undefined ? (
              <TurnHitRow id={id} turn={turn} place={place} />
            ) : (
              <MemoryRow
                memory={memory}
                isRepetition={isRepetition(memory, state.memories)}
                review={
                  filter.isAwaitingReview
                    ? { keep: () => keep([id], place.cursor), forget: () => forget([id], place.cursor) }
                    : undefined
                }
                place={place}
              />
            )
          }
          empty={
            state.isComplete &&
            search.isSettled &&
            isFilterSettled &&
            (isWholeQueue(shownFilter) ? (
              <NothingToReview onClear={clear} />
            ) : isFiltering(shownFilter) ? (
              <NoMatch title="No matching memories" onClear={clear}>
                No memories match the filter.
              </NoMatch>
            ) : (
              <NoMemories onCreate={create} />
            ))
          }
        >
          {(cursor) => (
            <MemoryBulkBar
              cursor={cursor}
              onMerge={setMergedIds}
              onKeep={(ids) => keep(ids, cursor)}
              canKeep={canKeep}
              onForget={(ids) => forget(ids, cursor)}
              isMemory={(id) => state.memories.has(id)}
            />
          )}
        </ResourceList>
      </Page>
      <Suspense>{isCreating && <NewMemoryDialog onClose={() => setIsCreating(false)} />}</Suspense>
      <Suspense>
        {mergedIds.length > 0 && <MergeDialog ids={mergedIds} onMerged={showMerged} onClose={() => setMergedIds([])} />}
      </Suspense>
    </PanelPage>
  );
}

function NothingToReview({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState
      icon={<CircleCheck size={20} />}
      title="Everything is reviewed"
      action={<Button onClick={onClear}>Show all memories</Button>}
    >
      What is learnt from your next sessions comes here first.
    </EmptyState>
  );
}

function NoMemories({ onCreate }: { onCreate: () => void }) {
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
