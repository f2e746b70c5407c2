import { Skeleton } from "../../components/states.tsx";
import { BOARD_STATUSES } from "./task.ts";

const CARD_HEIGHTS = ["h-16", "h-20", "h-16", "h-24"];

/** A placeholder for the board. */
export function BoardSkeleton() {
  return (
    <div role="status" aria-label="Loading" className="flex min-h-0 flex-1 gap-3 overflow-hidden bg-background p-3">
      {BOARD_STATUSES.map((status, column) => (
        <div key={status} className="flex min-w-64 flex-1 flex-col gap-2 pt-9 max-md:min-w-[82vw]">
          {CARD_HEIGHTS.slice(column).map((height, index) => (
            <Skeleton key={index} className={`rounded-panel ${height}`} />
          ))}
        </div>
      ))}
    </div>
  );
}
