import { useInfiniteQuery } from "@tanstack/react-query";
import { Trash2, Undo2 } from "lucide-react";
import { useCallback, useMemo } from "react";
import { trpcClient } from "../../api/trpc.ts";
import { useCollection } from "../../api/use-collection.ts";
import { Button } from "../../components/button.tsx";
import { EmptyState, ErrorState, SkeletonRows } from "../../components/states.tsx";
import { useRowHeight } from "../../lists/row-height.ts";
import { VirtualList } from "../../lists/virtual-list.tsx";
import { Page } from "../shell/page.tsx";
import { ChunkTypeIcon } from "./chunk-type-icon.tsx";
import { restoreMemories } from "./memory-actions.ts";
import { memoryCollection } from "./memory-collection.ts";
import { nameOf, projectNameOf, type Memory } from "./memory.ts";

const PAGE_SIZE = 200;

/** Memories that were forgotten and can come back for a while. */
export default function ForgottenMemoriesPage() {
  const query = useInfiniteQuery({
    queryKey: ["memory", "forgotten"],
    queryFn: ({ pageParam, signal }) =>
      trpcClient.memory.list.query({ deleted: true, limit: PAGE_SIZE, cursor: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 0,
  });
  const { data, isPending, error, refetch, fetchNextPage, hasNextPage } = query;
  const back = useCollection(memoryCollection);
  const memories = useMemo(
    () => (data?.pages ?? []).flatMap((page) => page.data).filter((memory) => !back.has(memory.id)),
    [data, back],
  );
  const rowHeight = useRowHeight();
  const heightOf = useCallback(() => rowHeight, [rowHeight]);
  const onEndNear = useCallback(() => {
    if (hasNextPage) void fetchNextPage();
  }, [hasNextPage, fetchNextPage]);
  const isEmpty = memories.length === 0;
  return (
    <Page title="Forgotten memories" onCreate={null}>
      {isPending && <SkeletonRows />}
      {error !== null && isEmpty && (
        <ErrorState title="The forgotten memories could not be loaded" error={error} onRetry={() => void refetch()} />
      )}
      {!isPending && error === null && isEmpty && (
        <EmptyState icon={<Trash2 size={20} />} title="Nothing is forgotten">
          Memories that you forget wait here for 30 days, in case you want them back.
        </EmptyState>
      )}
      {!isEmpty && (
        <VirtualList
          label="Forgotten memories"
          items={memories}
          idOf={idOf}
          heightOf={heightOf}
          cursorId={null}
          focusRequest={0}
          onEndNear={onEndNear}
          renderRow={(memory, rowIndex) => <ForgottenRow memory={memory} rowIndex={rowIndex} />}
        />
      )}
    </Page>
  );
}

function ForgottenRow({ memory, rowIndex }: { memory: Memory; rowIndex: number }) {
  return (
    <div role="row" aria-rowindex={rowIndex} className="flex h-full items-center gap-3 pr-2 pl-4 hover:bg-hover">
      <div role="gridcell">
        <ChunkTypeIcon type={memory.chunkType} hasName />
      </div>
      <div role="gridcell" className="min-w-0 flex-1 truncate text-strong">
        {memory.content}
      </div>
      {memory.projectPath !== null && (
        <div role="gridcell" className="shrink-0 text-12 text-muted max-md:hidden">
          {projectNameOf(memory.projectPath)}
        </div>
      )}
      <div role="gridcell">
        <Button
          size="small"
          tone="ghost"
          icon={<Undo2 aria-hidden size={14} />}
          onClick={() => void restoreMemories([memory])}
        >
          Restore<span className="sr-only"> {nameOf(memory)}</span>
        </Button>
      </div>
    </div>
  );
}

function idOf(memory: Memory): string {
  return memory.id;
}
