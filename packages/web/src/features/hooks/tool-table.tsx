import { useState } from "react";
import { AmountTable } from "../../charts/amount-table.tsx";
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
  return (
    <AmountTable
      title="By tool"
      nameColumn="Tool"
      columns={["Events", "Blocked", "Average"]}
      empty="No tools were used in this period."
      rows={shown.map(({ toolName, total, blocked, avgDurationMs }) => ({
        key: toolName,
        name: (
          <button
            type="button"
            data-tooltip={`Show ${toolName} in the timeline`}
            className="max-w-full truncate hover:underline touch:py-2"
            onClick={() => onTool(toolName)}
          >
            {toolName}
          </button>
        ),
        weight: total,
        cells: [
          formatCount(total),
          <span key="blocked" className={blocked > 0 ? "font-medium text-danger" : "text-muted"}>
            {formatCount(blocked)}
          </span>,
          formatDuration(avgDurationMs),
        ],
      }))}
    >
      {tools.length > SHOWN && (
        <Button size="small" tone="ghost" className="mt-2" onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? "Show fewer" : `Show all ${formatCount(tools.length)} tools`}
        </Button>
      )}
    </AmountTable>
  );
}
