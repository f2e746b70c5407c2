import { Ban, KeyRound } from "lucide-react";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { formatDay, formatFullTimestamp } from "../../dates/date-format.ts";
import { dayOf } from "../../dates/day.ts";
import { useNow, useToday } from "../../dates/use-now.ts";
import { ListRow } from "../../lists/list-row.tsx";
import type { RowPosition } from "../../lists/resource-list.tsx";
import { isExpired, SCOPE_LABELS, type ApiKey } from "./api-key.ts";

interface ApiKeyRowProps {
  readonly apiKey: ApiKey;
  readonly position: RowPosition;
  readonly onRevoke: (id: string) => void;
}

/** One key: what it is for, what it may do, and when it was last used. */
export function ApiKeyRow({ apiKey, position, onRevoke }: ApiKeyRowProps) {
  const { id, name, hint, scopes, folder, lastUsedAt } = apiKey;
  return (
    <ListRow id={id} name={name} {...position} className="pl-4">
      <div role="gridcell">
        <KeyRound aria-hidden size={16} className="shrink-0 text-muted" />
      </div>
      <div role="gridcell" className="flex min-w-0 flex-1 flex-col md:flex-row md:items-center md:gap-4">
        <span className="flex min-w-0 items-baseline gap-2 md:w-72 md:shrink-0">
          <span className="truncate text-strong">{name}</span>
          <span className="shrink-0 font-mono text-12 text-muted">…{hint}</span>
        </span>
        <span
          className="min-w-0 truncate text-12 text-muted"
          data-tooltip={scopes.map((scope) => SCOPE_LABELS.get(scope)).join("; ")}
        >
          {folder !== null && <span className="text-normal">Only {folder} · </span>}
          {scopes.join(", ")}
        </span>
      </div>
      <div role="gridcell" className="flex shrink-0 items-center gap-4 text-12 text-muted max-md:hidden">
        <span>
          {lastUsedAt === null ? (
            "Never used"
          ) : (
            <>
              Used <TimeAgo timestamp={lastUsedAt} />
            </>
          )}
        </span>
      </div>
      <div role="gridcell" className="flex shrink-0 justify-end md:w-36">
        <Expiry apiKey={apiKey} />
      </div>
      <div role="gridcell" aria-label={`Revoke ${name}`}>
        <Button
          size="small"
          tone="ghost"
          tabIndex={-1}
          aria-haspopup="dialog"
          icon={<Ban aria-hidden size={14} />}
          onClick={(event) => {
            event.stopPropagation();
            onRevoke(id);
          }}
        >
          <span className="max-md:sr-only">Revoke</span>
          <span className="sr-only"> {name}</span>
        </Button>
      </div>
    </ListRow>
  );
}

function Expiry({ apiKey }: { apiKey: ApiKey }) {
  const now = useNow();
  const today = useToday();
  const { expiresAt } = apiKey;
  if (expiresAt === null) return <span className="text-12 text-muted max-md:hidden">No expiry</span>;
  if (isExpired(apiKey, now)) return <Badge tone="danger">Expired</Badge>;
  return (
    <span className="text-12 text-muted" data-tooltip={formatFullTimestamp(expiresAt)}>
      Expires {formatDay(dayOf(expiresAt), today)}
    </span>
  );
}
