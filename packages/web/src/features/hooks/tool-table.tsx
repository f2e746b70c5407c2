import { clsx } from "clsx";
import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { formatCount, formatDuration } from "../../numbers/number-format.ts";
import type { HookStatistics } from "./hook-statistics-query.ts";

const SHOWN = 12;

interface ToolTableProps {
  readonly tools: HookStatistics["toolBreakdown"];
  readonly onTool: (toolName: string) => void;
}

/** How often each tool was used and blocked, and how long its hooks took; most used first. */
export function ToolTable({ tools, onTool }: ToolTableProps) {
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? tools : tools.slice(0, SHOWN);
  const most = Math.max(1, ...tools.map((tool) => tool.total));
  return (
    <section aria-label="By tool" className="min-w-0 rounded-panel border border-border p-4">
      <h2 className="mb-2 text-14 font-semibold text-strong">By tool</h2>
      {tools.length === 0 && <p className="text-13 text-muted">No tools were used in this period.</p>}
      {tools.length > 0 && (
        <table className="w-full table-fixed text-13">
          <thead>
            <tr className="border-b border-border text-12 text-muted">
              <th scope="col" className="px-1.5 py-1.5 text-left font-medium">
                Tool
              </th>
              <th scope="col" className="w-18 py-1.5 text-right font-medium">
                Events
              </th>
              <th scope="col" className="w-18 py-1.5 text-right font-medium">
                Blocked
              </th>
              <th scope="col" className="w-20 py-1.5 text-right font-medium">
                Average
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ toolName, total, blocked, avgDurationMs }) => (
              <tr key={toolName} className="hover:bg-hover">
                <th scope="row" className="relative py-1.5 pr-2 text-left font-normal">
                  <span
                    aria-hidden
                    className="absolute inset-y-0.5 left-0 rounded-[3px] bg-accent-soft"
                    style={{ width: `${(total / most) * 100}%` }}
                  />
                  <button
                    type="button"
                    data-tooltip={`Show ${toolName} in the timeline`}
                    className="relative block max-w-full truncate px-1.5 text-strong hover:underline touch:py-2"
                    onClick={() => onTool(toolName)}
                  >
                    {toolName}
                  </button>
                </th>
                <td className="tabular py-1.5 text-right text-strong">{formatCount(total)}</td>
                <td
                  className={clsx("tabular py-1.5 text-right", blocked > 0 ? "font-medium text-danger" : "text-muted")}
                >
                  {formatCount(blocked)}
                </td>
                <td className="tabular py-1.5 text-right text-strong">{formatDuration(avgDurationMs)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {tools.length > SHOWN && (
        <Button size="small" tone="ghost" className="mt-2" onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? "Show fewer" : `Show all ${formatCount(tools.length)} tools`}
        </Button>
      )}
    </section>
  );
}
