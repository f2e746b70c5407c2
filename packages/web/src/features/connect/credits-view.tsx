import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { trpc, trpcClient } from "../../api/trpc.ts";
import { Figure } from "../../components/figure.tsx";
import { ErrorState, Skeleton, SkeletonRows } from "../../components/states.tsx";
import { useRowHeight } from "../../lists/row-height.ts";
import { VirtualList } from "../../lists/virtual-list.tsx";
import { sayCount, sayMoney } from "../../numbers/number-wording.ts";
import { CreditEntryRow } from "./credit-entry-row.tsx";
import type { CreditEntry, CreditPool } from "./credit.ts";
import { TopUpForm } from "./top-up-form.tsx";

const PAGE_SIZE = 200;
const CREDIT_USD = 0.01;

/** What programs may spend on asking agents: the pool, adding to it, and every change. */
export default function CreditsView() {
  const {
    data: pool,
    error,
    refetch,
  } = useQuery({
    ...trpc.credits.get.queryOptions(),
    select: (answer) => answer.data,
  });
  if (pool === undefined && error !== null) {
    return <ErrorState title="The credits could not be loaded" error={error} onRetry={() => void refetch()} />;
  }
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex shrink-0 flex-col gap-4 border-b border-border p-4">
        {pool === undefined ? <Skeleton className="h-21" /> : <Pool pool={pool} />}
        <TopUpForm />
      </div>
      <Ledger />
    </div>
  );
}

function Pool({ pool: { balance, held, available } }: { pool: CreditPool }) {
  return (
    <div className="grid grid-cols-3 gap-3 max-md:gap-2">
      <Figure
        name="Available"
        value={sayCount(available)}
        tone={available <= 0 ? "danger" : "neutral"}
        note={
          <span className="text-muted max-md:hidden">
            {sayMoney(Math.max(0, available) * CREDIT_USD)} of model cost
          </span>
        }
      />
      <Figure name="In the pool" value={sayCount(balance)} />
      <Figure
        name="Held"
        value={sayCount(held)}
        note={<span className="text-muted max-md:hidden">for calls under way</span>}
      />
    </div>
  );
}

function Ledger() {
  const { data, isPending, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: [["credits", "entries"], "ledger"],
    queryFn: ({ pageParam, signal }) =>
      trpcClient.credits.entries.query({ limit: PAGE_SIZE, cursor: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor,
  });
  const entries = useMemo(() => (data?.pages ?? []).flatMap((page) => page.data), [data]);
  const rowHeight = useRowHeight();
  const heightOf = useCallback(() => rowHeight, [rowHeight]);
  const onEndNear = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  if (isPending) return <SkeletonRows />;
  if (error !== null && entries.length === 0) {
    return <ErrorState title="The ledger could not be loaded" error={error} onRetry={() => void refetch()} />;
  }
  if (entries.length === 0) return <p className="px-4 py-6 text-13 text-muted">Nothing was added or spent yet.</p>;
  return (
    <VirtualList
      label="Ledger"
      items={entries}
      idOf={idOf}
      heightOf={heightOf}
      cursorId={null}
      focusRequest={0}
      onEndNear={onEndNear}
      renderRow={(entry, rowIndex) => <CreditEntryRow entry={entry} rowIndex={rowIndex} />}
    />
  );
}

function idOf(entry: CreditEntry): string {
  return entry.id;
}
