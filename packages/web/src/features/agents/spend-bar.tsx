import { clsx } from "clsx";
import { formatMoney } from "../../numbers/number-format.ts";

interface SpendBarProps {
  readonly spentUsd: number;
  /** Null for no limit. */
  readonly limitUsd: number | null;
  readonly className?: string;
}

const NEARLY_SPENT = 0.8;

/** Spending against its limit, as text and as a bar. */
export function SpendBar({ spentUsd, limitUsd, className }: SpendBarProps) {
  const share = limitUsd === null ? 0 : limitUsd === 0 ? 1 : Math.min(1, spentUsd / limitUsd);
  const color = share >= 1 ? "bg-danger" : share >= NEARLY_SPENT ? "bg-warning" : "bg-accent";
  return (
    <span className={clsx("flex flex-col gap-1", className)}>
      <span className="tabular text-12 whitespace-nowrap text-strong">
        {formatMoney(spentUsd)}
        <span className="text-muted">{limitUsd === null ? " today" : ` of ${formatMoney(limitUsd)} today`}</span>
      </span>
      {limitUsd !== null && (
        <span aria-hidden className="h-1 w-full overflow-hidden rounded-full bg-pressed">
          <span className={clsx("block h-full rounded-full", color)} style={{ width: `${share * 100}%` }} />
        </span>
      )}
    </span>
  );
}
