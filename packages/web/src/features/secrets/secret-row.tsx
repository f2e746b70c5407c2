import { KeyRound } from "lucide-react";
import { TimeAgo } from "../../components/time-ago.tsx";
import { ListRow } from "../../lists/list-row.tsx";
import type { RowPosition } from "../../lists/resource-list.tsx";
import type { Secret } from "./secret.ts";

interface SecretRowProps {
  readonly secret: Secret;
  readonly place: RowPosition;
}

/** One secret in the list: everything but its value. */
export function SecretRow({ secret, place }: SecretRowProps) {
  const { key, description, updatedAt } = secret;
  return (
    <ListRow id={key} name={key} {...place} className="pl-4">
      <div role="gridcell">
        <KeyRound aria-hidden size={16} className="shrink-0 text-muted" />
      </div>
      <div role="gridcell" className="flex min-w-0 flex-1 flex-col md:flex-row md:items-center md:gap-4">
        <span className="truncate font-mono text-13 text-strong md:w-72 md:shrink-0">{key}</span>
        <span className="min-w-0 truncate text-13 text-muted">{description}</span>
      </div>
      <div role="gridcell" className="shrink-0 text-12 text-muted max-md:hidden">
        Changed <TimeAgo timestamp={updatedAt} />
      </div>
    </ListRow>
  );
}
