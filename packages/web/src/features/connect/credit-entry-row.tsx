import { clsx } from "clsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { ListRow } from "../../lists/list-row.tsx";
import type { RowPosition } from "../../lists/resource-list.tsx";
import { formatCount } from "../../numbers/number-format.ts";
import { formatDelta, describeEntry, type CreditEntry } from "./credit.ts";

/** One change to the pool. */
export function CreditEntryRow({ entry, place }: { readonly entry: CreditEntry; readonly place: RowPosition }) {
  const { id, delta, balanceAfter, createdAt } = entry;
  return (
    <ListRow id={id} name={describeEntry(entry)} {...place} className="gap-4 pl-4">
      <div role="gridcell" className="min-w-0 flex-1 truncate text-strong">
        {describeEntry(entry)}
      </div>
      <div
        role="gridcell"
        className={clsx("tabular w-20 shrink-0 text-right font-medium", delta > 0 ? "text-success" : "text-strong")}
      >
        {formatDelta(delta)}
      </div>
      <div role="gridcell" data-tooltip="Balance afterwards" className="tabular w-20 shrink-0 text-right text-muted">
        {formatCount(balanceAfter)}
      </div>
      <div role="gridcell" className="w-24 shrink-0 text-right text-12 text-muted max-md:hidden">
        <TimeAgo timestamp={createdAt} />
      </div>
    </ListRow>
  );
}
