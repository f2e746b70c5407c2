import { Undo2 } from "lucide-react";
import { Button } from "../../components/button.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { tooltip } from "../../components/tooltip.ts";
import { formatDay, formatFullDay } from "../../dates/date-format.ts";
import { dayOf } from "../../dates/day.ts";
import { useToday } from "../../dates/use-now.ts";
import { ListRow } from "../../lists/list-row.tsx";
import type { RowPosition } from "../../lists/resource-list.tsx";
import { DELETED_KINDS, type DeletedItem } from "./deleted-item.ts";

interface DeletedRowProps {
  readonly item: DeletedItem;
  readonly isAway: boolean;
  readonly position: RowPosition;
}

/** Something that was deleted: what it is, since when, until when it can be restored, and the button that does. */
export function DeletedRow({ item, isAway, position }: DeletedRowProps) {
  const { id, kind, name, text = name, icon, detail, deletedAt, restore } = item;
  return (
    <ListRow id={id} name={name} {...position} className="pl-4">
      <div role="gridcell" className="flex w-4 shrink-0 justify-center">
        {icon}
        <span className="sr-only">{DELETED_KINDS[kind].label}</span>
      </div>
      <div role="gridcell" className="flex min-w-0 flex-1 flex-col md:flex-row md:items-center md:gap-3">
        <span className="truncate text-strong">{text}</span>
        <span className="min-w-0 truncate text-12 text-muted">
          <span className="md:hidden">
            <Deleted timestamp={deletedAt} /> · <Expiry item={item} />
          </span>
          <span className="max-md:hidden">{detail}</span>
        </span>
      </div>
      <div role="gridcell" className="shrink-0 text-12 text-muted max-md:hidden">
        <Deleted timestamp={deletedAt} />
      </div>
      <div role="gridcell" className="w-28 shrink-0 text-12 text-muted max-md:hidden">
        <Expiry item={item} />
      </div>
      <div role="gridcell" className="shrink-0">
        <Button
          size="small"
          tone="ghost"
          icon={<Undo2 aria-hidden size={14} />}
          disabled={isAway && !DELETED_KINDS[kind].isRestoredAway}
          onClick={(event) => {
            event.stopPropagation();
            restore();
          }}
        >
          Restore<span className="sr-only"> {name}</span>
        </Button>
      </div>
    </ListRow>
  );
}

function Deleted({ timestamp }: { timestamp: string }) {
  return (
    <>
      Deleted <TimeAgo timestamp={timestamp} />
    </>
  );
}

/** When it goes for good. */
function Expiry({ item: { kind, deletedAt } }: { item: DeletedItem }) {
  const today = useToday();
  const { keptDays } = DELETED_KINDS[kind];
  if (keptDays === null) return <>Kept</>;
  const day = dayOf(deletedAt) + keptDays;
  return <span {...tooltip(`Goes for good after ${formatFullDay(day)}`)}>Until {formatDay(day, today)}</span>;
}
