import { KeyRound } from "lucide-react";
import { Instant } from "../../components/instant.tsx";
import { ListRow } from "../../lists/list-row.tsx";
import type { ListCursor } from "../../lists/use-list-cursor.ts";
import type { Secret } from "./secret.ts";

interface SecretRowProps {
  readonly secret: Secret;
  readonly rowIndex: number;
  readonly cursor: ListCursor;
  readonly isOpen: boolean;
}

/** One secret in the list: everything but its value. */
export function SecretRow({ secret, rowIndex, cursor, isOpen }: SecretRowProps) {
  const { key, description, updatedAt } = secret;
  return (
    <ListRow id={key} name={key} rowIndex={rowIndex} cursor={cursor} isOpen={isOpen} className="pl-4">
      <div role="gridcell">
        <KeyRound aria-hidden size={16} className="shrink-0 text-muted" />
      </div>
      <div role="gridcell" className="flex min-w-0 flex-1 flex-col md:flex-row md:items-center md:gap-4">
        <span className="truncate font-mono text-13 text-strong md:w-72 md:shrink-0">{key}</span>
        <span className="min-w-0 truncate text-13 text-muted">{description}</span>
      </div>
      <div role="gridcell" className="shrink-0 text-12 text-muted max-md:hidden">
        Changed <Instant timestamp={updatedAt} />
      </div>
    </ListRow>
  );
}
