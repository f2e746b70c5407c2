import { CalendarClock } from "lucide-react";
import { OptionList } from "../../components/option-list.tsx";
import { toggled } from "../../lists/choices.ts";
import { PERIOD_LABELS, PERIODS } from "../../dates/period.ts";

import { RUN_STATUS_LABELS, RUN_STATUSES } from "./agent.ts";
import { RunStatusIcon } from "./run-status.tsx";
import { useAgentSearch } from "./use-agent-search.ts";

export function StatusFilter() {
  const { search, change } = useAgentSearch();
  return (
    <OptionList
      label="Filter by result"
      options={RUN_STATUSES.map((status) => ({
        value: status,
        label: RUN_STATUS_LABELS[status],
        icon: (
          <span aria-hidden>
            <RunStatusIcon status={status} />
          </span>
        ),
      }))}
      chosen={new Set(search.statuses)}
      onPick={(status) => change({ statuses: toggled(search.statuses, status) })}
    />
  );
}

export function DateFilter() {
  const { search, change } = useAgentSearch();
  return (
    <OptionList
      label="Filter by date"
      options={PERIODS.map((period) => ({
        value: period,
        label: `Last ${PERIOD_LABELS[period]}`,
        icon: <CalendarClock size={16} className="text-muted" />,
      }))}
      chosen={new Set(search.since === undefined ? [] : [search.since])}
      onPick={(period) => change({ since: period === search.since ? undefined : period })}
    />
  );
}
