import { useQuery } from "@tanstack/react-query";
import { trpc } from "../../api/trpc.ts";
import { usePagedRows } from "../../api/use-paged-rows.ts";
import { useClient } from "../../client/use-client.ts";
import { Stat } from "../../components/stat.tsx";
import { ErrorState, Skeleton } from "../../components/states.tsx";
import { ResourceList } from "../../lists/resource-list.tsx";
import { formatCount, formatMoney } from "../../numbers/number-format.ts";
import { CreditEntryRow } from "./credit-entry-row.tsx";
import type { CreditPool } from "./credit.ts";
import { TopUpForm } from "./top-up-form.tsx";

const PAGE_SIZE = 200;
const CREDIT_USD = 0.01;

/** What programs may spend on asking agents: the pool, top-ups, and the ledger. */
export default function CreditsView() {
  const client = useClient();
  const {
    data: pool,
    error,
    refetch,
  } = useQuery({
    ...trpc(client).credits.get.queryOptions(),
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
      <Stat
        name="Available"
        value={formatCount(available)}
        tone={available <= 0 ? "danger" : "neutral"}
        note={
          <span className="text-muted max-md:hidden">
            {formatMoney(Math.max(0, available) * CREDIT_USD)} of model cost
          </span>
        }
      />
      <Stat name="In the pool" value={formatCount(balance)} />
      <Stat
        name="Held"
        value={formatCount(held)}
        note={<span className="text-muted max-md:hidden">for calls in progress</span>}
      />
    </div>
  );
}

function Ledger() {
  const client = useClient();
  const state = usePagedRows({
    queryKey: [["credits", "entries"], "ledger"],
    readPage: (cursor, signal) => client.api.credits.entries.query({ limit: PAGE_SIZE, cursor }, { signal }),
  });
  return (
    <ResourceList
      label="Ledger"
      state={state}
      renderRow={(entry, place) => <CreditEntryRow entry={entry} place={place} />}
      empty={<p className="px-4 py-6 text-13 text-muted">No credits have been added or spent yet.</p>}
    />
  );
}
