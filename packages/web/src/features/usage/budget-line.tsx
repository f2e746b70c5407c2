import { useNow } from "../../dates/use-now.ts";
import { sayMoney } from "../../numbers/number-wording.ts";
import { sayUntil } from "../agents/schedule-wording.ts";
import { useBudget } from "./use-budget.ts";

const NEARLY_SPENT = 0.8;

/** Today's spending beside what a day may cost, and when that begins anew. */
export function BudgetLine() {
  const { data } = useBudget();
  const now = useNow();
  if (data === undefined) return null;
  const { limitUsd, spentUsd, reservedUsd, resetsAt, timeZone } = data;
  const shareOf = (usd: number) => (limitUsd === null || limitUsd === 0 ? 100 : Math.min(100, (usd / limitUsd) * 100));
  const spent = shareOf(spentUsd);
  const color = spent >= 100 ? "bg-danger" : spent >= NEARLY_SPENT * 100 ? "bg-warning" : "bg-accent";
  return (
    <section
      aria-label="Today’s budget"
      className="flex flex-col gap-2 rounded-panel border border-border px-4 py-3 text-13"
    >
      <p className="flex flex-wrap justify-between gap-x-4">
        <span className="tabular text-strong">
          <strong className="font-semibold">{sayMoney(spentUsd)}</strong>
          {limitUsd === null ? " spent today" : ` of ${sayMoney(limitUsd)} spent today`}
          {reservedUsd > 0 && <span className="text-muted">, {sayMoney(reservedUsd)} held for calls under way</span>}
        </span>
        <span className="text-muted">
          {limitUsd === null
            ? "No daily limit. DAILY_BUDGET_USD of the server sets one."
            : `Begins anew ${sayUntil(resetsAt, now)}, at midnight in ${timeZone}`}
        </span>
      </p>
      {limitUsd !== null && (
        <div
          role="meter"
          aria-label="Share of today’s budget that is spent"
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={Math.round(spent)}
          className="flex h-1.5 overflow-hidden rounded-full bg-pressed"
        >
          <span className={color} style={{ width: `${spent}%` }} />
          <span className="bg-accent/40" style={{ width: `${Math.min(100 - spent, shareOf(reservedUsd))}%` }} />
        </div>
      )}
    </section>
  );
}
