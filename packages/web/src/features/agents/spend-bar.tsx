import { clsx } from "clsx";
import { sayMoney } from "../../numbers/number-wording.ts";

interface SpendBarProps {
  readonly spentUsd: number;
  /** Null is no limit. */
  readonly limitUsd: number | null;
  readonly className?: string;
}

const NEARLY_SPENT = 0.8;

/** What was spent beside what may be, as words and as a bar. */
export function SpendBar({ spentUsd, limitUsd, className }: SpendBarProps) {
  const share = limitUsd === null ? 0 : limitUsd === 0 ? 1 : Math.min(1, spentUsd / limitUsd);
  const color = share >= 1 ? "bg-danger" : share >= NEARLY_SPENT ? "bg-warning" : "bg-accent";
  return (
    <span className={clsx("flex flex-col gap-1", className)}>
      <span className="tabular text-12 whitespace-nowrap text-strong">
        {sayMoney(spentUsd)}
        <span className="text-muted">{limitUsd === null ? " today" : ` of ${sayMoney(limitUsd)} today`}</span>
      </span>
      {limitUsd !== null && (
        <span aria-hidden className="h-1 w-full overflow-hidden rounded-full bg-pressed">
          <span className={clsx("block h-full rounded-full", color)} style={{ width: `${share * 100}%` }} />
        </span>
      )}
    </span>
  );
}
