import { X } from "lucide-react";
import { Button } from "../../components/button.tsx";
import { lazyPart } from "../../components/lazy-part.tsx";
import { FilterButton } from "../../lists/filter-button.tsx";
import { PERIOD_LABELS } from "../../dates/period.ts";

import { RUN_STATUS_LABELS } from "./agent.ts";
import type { AgentSearchState } from "./use-agent-search.ts";

const pickers = () => import("./run-filter-pickers.tsx");
const StatusFilter = lazyPart(async () => ({ default: (await pickers()).StatusFilter }));
const DateFilter = lazyPart(async () => ({ default: (await pickers()).DateFilter }));

/** Filters for the list of runs. */
export function RunFilters({ state: { search, change } }: { readonly state: AgentSearchState }) {
  const { statuses, since } = search;
  return (
    <>
      <FilterButton
        label="Result"
        words={statuses.map((status) => RUN_STATUS_LABELS[status])}
        picker={() => <StatusFilter />}
      />
      <FilterButton
        label="Date"
        words={since === undefined ? [] : [`last ${PERIOD_LABELS[since]}`]}
        picker={() => <DateFilter />}
      />
      {(statuses.length > 0 || since !== undefined) && (
        <Button
          size="small"
          tone="ghost"
          icon={<X aria-hidden size={14} />}
          onClick={() => change({ statuses: [], since: undefined })}
        >
          Clear
        </Button>
      )}
    </>
  );
}
