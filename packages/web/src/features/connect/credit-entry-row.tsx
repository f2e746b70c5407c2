import { clsx } from "clsx";
import { Instant } from "../../components/instant.tsx";
import { sayCount } from "../../numbers/number-wording.ts";
import { sayDelta, sayEntry, type CreditEntry } from "./credit.ts";

/** One change of the pool. */
export function CreditEntryRow({ entry, rowIndex }: { readonly entry: CreditEntry; readonly rowIndex: number }) {
  const { delta, balanceAfter, createdAt } = entry;
  return (
    <div role="row" aria-rowindex={rowIndex} className="flex h-full items-center gap-4 px-4 hover:bg-hover">
      <div role="gridcell" className="min-w-0 flex-1 truncate text-strong">
        {sayEntry(entry)}
      </div>
      <div
        role="gridcell"
        className={clsx("tabular w-20 shrink-0 text-right font-medium", delta > 0 ? "text-success" : "text-strong")}
      >
        {sayDelta(delta)}
      </div>
      <div
        role="gridcell"
        data-tooltip="In the pool afterwards"
        className="tabular w-20 shrink-0 text-right text-muted"
      >
        {sayCount(balanceAfter)}
      </div>
      <div role="gridcell" className="w-24 shrink-0 text-right text-12 text-muted max-md:hidden">
        <Instant timestamp={createdAt} />
      </div>
    </div>
  );
}
