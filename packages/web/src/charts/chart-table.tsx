import type { ChartBar, ChartSeries } from "./chart-data.ts";

interface ChartTableProps {
  readonly caption: string;
  readonly barName: string;
  readonly series: readonly ChartSeries[];
  readonly bars: readonly ChartBar[];
  readonly formatValue: (value: number) => string;
}

/** A chart's values, newest first. */
export function ChartTable({ caption, barName, series, bars, formatValue }: ChartTableProps) {
  return (
    // Focusable, so that it can be scrolled by keyboard.
    <div tabIndex={0} role="region" aria-label={`${caption}, as a table`} className="max-h-60 overflow-y-auto">
      <table className="w-full text-13">
        <caption className="sr-only">{caption}</caption>
        <thead className="sticky top-0 bg-surface">
          <tr className="border-b border-border text-12 text-muted">
            <th scope="col" className="py-1 text-left font-medium">
              {barName}
            </th>
            {series.map(({ name }) => (
              <th key={name} scope="col" className="py-1 text-right font-medium">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {bars.toReversed().map((bar) => (
            <tr key={bar.exactLabel} className="border-b border-border last:border-0">
              <th scope="row" className="py-1 text-left font-normal text-strong">
                {bar.exactLabel}
              </th>
              {series.map(({ name }, index) => (
                <td key={name} className="tabular py-1 text-right text-strong">
                  {formatValue(bar.values[index] ?? 0)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
