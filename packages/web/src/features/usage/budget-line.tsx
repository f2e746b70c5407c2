import { useNow } from "../../dates/use-now.ts";
import { formatMoney } from "../../numbers/number-format.ts";
import { formatTimeUntil } from "../agents/describe-schedule.ts";
import { useBudget } from "./use-budget.ts";

const NEARLY_SPENT = 0.8;

/** Today's spending against the daily limit, and when it resets. */
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
          <strong className="font-semibold">{formatMoney(spentUsd)}</strong>
          {limitUsd === null ? " spent today" : ` of ${formatMoney(limitUsd)} spent today`}
          {reservedUsd > 0 && (
            <span className="text-muted">, {formatMoney(reservedUsd)} reserved for calls in progress</span>
          )}
        </span>
        <span className="text-muted">
          {limitUsd === null
            ? "No daily limit. Add one in the settings."
            : `Resets ${formatTimeUntil(resetsAt, now)}, at midnight in ${timeZone}`}
        </span>
      </p>
      {limitUsd !== null && (
        <div
          role="meter"
          aria-label="Share of today’s budget spent"
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
