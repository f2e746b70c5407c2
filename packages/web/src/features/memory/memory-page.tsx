import { Brain, SearchX } from "lucide-react";
import { lazy, Suspense, useDeferredValue, useCallback, useMemo, useState } from "react";
import { Button } from "../../components/button.tsx";
import { EmptyState, ErrorState, SkeletonRows } from "../../components/states.tsx";
import { useFilterText } from "../../lists/use-filter-text.ts";
import { useListCursor } from "../../lists/use-list-cursor.ts";
import { useListShortcuts } from "../../lists/use-list-shortcuts.ts";
import { VirtualList } from "../../lists/virtual-list.tsx";
import { useRowHeight } from "../../lists/row-height.ts";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import { useItemPanel } from "../shell/item-panel.ts";
import { Page } from "../shell/page.tsx";
import { SidePanel, WithPanel } from "../shell/side-panel.tsx";
import { forgetMemories } from "./memory-actions.ts";
import { MemoryBulkBar } from "./memory-bulk-bar.tsx";
import { memoryCollection, useMemories, type MemoriesState } from "./memory-collection.ts";
import { filterMemories, isFiltering, isRepetition, NO_MEMORY_FILTER, type MemoryFilter } from "./memory-filter.ts";
import { MemoryRow } from "./memory-row.tsx";
import { useMemorySearch } from "./memory-search.ts";
import { MemoryToolbar } from "./memory-toolbar.tsx";
import type { Memory } from "./memory.ts";

const MemoryPanel = lazy(() => import("./memory-panel.tsx"));
const NewMemoryDialog = lazy(() => import("./new-memory-dialog.tsx"));
const MergeDialog = lazy(() => import("./merge-dialog.tsx"));

/** What coding assistants remember, to search, correct and forget. */
export default function MemoryPage() {
  const [filter, setFilter] = useMemorySearch();
  const onPause = useCallback((text: string) => setFilter({ ...filter, text }), [filter, setFilter]);
  const [text, setText] = useFilterText(filter.text, onPause);
  const deferredText = useDeferredValue(text);
  const shownFilter = useMemo(() => ({ ...filter, text: deferredText }), [filter, deferredText]);
  const state = useMemories(deferredText);
  const panel = useItemPanel("memory");
  const [editRequest, setEditRequest] = useState(0);
  const [isCreating, setIsCreating] = useState(false);
  const [mergedIds, setMergedIds] = useState<readonly string[]>([]);
  const create = () => setIsCreating(true);
  useShortcut("create", create);
  useShortcut("back", panel.close, { isEnabled: panel.openId !== undefined });
  const repetitions = useMemo(
    () => [...state.memories.values()].filter((memory) => isRepetition(memory, state.memories)).length,
    [state.memories],
  );
  const edit = (id: string) => {
    panel.open(id);
    setEditRequest((count) => count + 1);
  };
  const showMerged = (keptId: string) => {
    // The open one may be among those that are forgotten.
    if (panel.openId !== undefined && mergedIds.includes(panel.openId)) panel.open(keptId);
  };
  return (
    <WithPanel
      panel={
        panel.openId !== undefined && (
          <SidePanel label="Memory">
            <Suspense>
              <MemoryPanel
                key={memoryCollection.keyOf(panel.openId)}
                memoryId={panel.openId}
                editRequest={editRequest}
                onMerge={setMergedIds}
                onClose={panel.close}
              />
            </Suspense>
          </SidePanel>
        )
      }
    >
      <Page
        title="Memory"
        createLabel="New memory"
        onCreate={create}
        toolbar={
          <MemoryToolbar filter={filter} onFilter={setFilter} text={text} onText={setText} repetitions={repetitions} />
        }
      >
        <Memories
          state={state}
          filter={shownFilter}
          panel={panel}
          onEdit={edit}
          onMerge={setMergedIds}
          onCreate={create}
          onClear={() => {
            setText("");
            setFilter(NO_MEMORY_FILTER);
          }}
        />
      </Page>
      <Suspense>{isCreating && <NewMemoryDialog onClose={() => setIsCreating(false)} />}</Suspense>
      <Suspense>
        {mergedIds.length > 0 && <MergeDialog ids={mergedIds} onMerged={showMerged} onClose={() => setMergedIds([])} />}
      </Suspense>
    </WithPanel>
  );
}

interface MemoriesProps {
  readonly state: MemoriesState;
  readonly filter: MemoryFilter;
  readonly panel: ReturnType<typeof useItemPanel>;
  readonly onEdit: (id: string) => void;
  readonly onMerge: (ids: readonly string[]) => void;
  readonly onCreate: () => void;
  readonly onClear: () => void;
}

function Memories({ state, filter, panel, onEdit, onMerge, onCreate, onClear }: MemoriesProps) {
  const { memories, isLoading, isComplete, error, retry } = state;
  const rowHeight = useRowHeight();
  const heightOf = useCallback(() => rowHeight, [rowHeight]);
  const shown = useMemo(() => filterMemories(memories, filter), [memories, filter]);
  const ids = useMemo(() => shown.map(idOf), [shown]);
  const cursor = useListCursor(ids, { open: panel.open, isPanelOpen: panel.openId !== undefined, realId });
  const forget = (targets: readonly string[]) => {
    cursor.actions.leave(targets);
    cursor.actions.clearSelection();
    if (panel.openId !== undefined && targets.includes(panel.openId)) panel.close();
    void forgetMemories(targets);
  };
  useListShortcuts(cursor, { edit: onEdit, remove: forget, isSelectable: true });

  if (isLoading) return <SkeletonRows />;
  if (error !== null) return <ErrorState title="The memories could not be loaded" error={error} onRetry={retry} />;
  if (shown.length === 0 && isComplete) {
    return isFiltering(filter) ? <NoMatch onClear={onClear} /> : <NoMemories onCreate={onCreate} />;
  }
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <VirtualList
        label="Memories"
        items={shown}
        idOf={idOf}
        heightOf={heightOf}
        cursorId={cursor.cursorId}
        focusRequest={cursor.focusRequest}
        isMultiselectable
        renderRow={(memory, rowIndex) => (
          <MemoryRow
            memory={memory}
            isRepetition={isRepetition(memory, memories)}
            rowIndex={rowIndex}
            cursor={cursor}
            isOpen={memory.id === panel.openId}
          />
        )}
      />
      <MemoryBulkBar cursor={cursor} onMerge={onMerge} onForget={forget} />
    </div>
  );
}

function NoMemories({ onCreate }: { onCreate: () => void }) {
  return (
    <EmptyState
      icon={<Brain size={20} />}
      title="Nothing is remembered yet"
      action={
        <Button tone="primary" shortcut="create" onClick={onCreate}>
          Write a memory
        </Button>
      }
    >
      Decisions, facts and preferences that your coding assistants learn in one session wait here for the next.
    </EmptyState>
  );
}

function NoMatch({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState
      icon={<SearchX size={20} />}
      title="No memory matches"
      action={<Button onClick={onClear}>Clear the filter</Button>}
    >
      Nothing that is remembered fits the filter above.
    </EmptyState>
  );
}

function idOf(memory: Memory): string {
  return memory.id;
}

function realId(id: string): string {
  return memoryCollection.realId(id);
}
