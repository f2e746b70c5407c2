import { Trash2, Undo2 } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../components/button.tsx";
import { TimeAgo } from "../components/time-ago.tsx";
import { EmptyState } from "../components/states.tsx";
import type { ItemPanel } from "../features/shell/item-panel.ts";
import { Page } from "../features/shell/page.tsx";
import { ListRow } from "./list-row.tsx";
import { ResourceList, type ListState, type RowPosition } from "./resource-list.tsx";

/** How a deleted item is shown. */
export interface RestorableRow {
  readonly name: string;
  /** The text to show, if the name is only the beginning of it. */
  readonly text?: string;
  readonly icon: ReactNode;
  /** Where it was. */
  readonly detail?: ReactNode;
  readonly deletedAt?: string | null;
}

interface RestorePageProps<Item extends { readonly id: string }> {
  /** "Deleted tasks" */
  readonly title: string;
  readonly state: ListState<Item>;
  readonly describe: (item: Item) => RestorableRow;
  readonly restore: (item: Item) => void;
  readonly panel?: Pick<ItemPanel, "openId" | "open">;
  readonly emptyTitle: string;
  /** How long deleted items are kept. */
  readonly emptyText: string;
}

/** A list of deleted items that can be restored. */
export function RestorePage<Item extends { readonly id: string }>(props: RestorePageProps<Item>) {
  const { title, state, describe, restore, panel, emptyTitle, emptyText } = props;
  return (
    <Page title={title} onCreate={null}>
      <ResourceList
        label={title}
        state={state}
        {...(panel !== undefined && { panel })}
        renderRow={(item, place) => (
          <Row id={item.id} row={describe(item)} place={place} onRestore={() => restore(item)} />
        )}
        empty={
          <EmptyState icon={<Trash2 size={20} />} title={emptyTitle}>
            {emptyText}
          </EmptyState>
        }
      />
    </Page>
  );
}

interface RowProps {
  readonly id: string;
  readonly row: RestorableRow;
  readonly place: RowPosition;
  readonly onRestore: () => void;
}

function Row({ id, row: { name, text = name, icon, detail, deletedAt = null }, place, onRestore }: RowProps) {
  return (
    <ListRow id={id} name={name} {...place} className="pl-4">
      <div role="gridcell" className="flex shrink-0">
        {icon}
      </div>
      <div role="gridcell" className="flex min-w-0 flex-1 flex-col md:flex-row md:items-center md:gap-3">
        <span className="truncate text-strong">{text}</span>
        <span className="min-w-0 truncate text-12 text-muted">
          {deletedAt !== null && (
            <span className="md:hidden">
              Deleted <TimeAgo timestamp={deletedAt} />
              {detail !== undefined && " · "}
            </span>
          )}
          {detail}
        </span>
      </div>
      {deletedAt !== null && (
        <div role="gridcell" className="shrink-0 text-12 text-muted max-md:hidden">
          Deleted <TimeAgo timestamp={deletedAt} />
        </div>
      )}
      <div role="gridcell" className="shrink-0">
        <Button
          size="small"
          tone="ghost"
          icon={<Undo2 aria-hidden size={14} />}
          onClick={(event) => {
            event.stopPropagation();
            onRestore();
          }}
        >
          Restore<span className="sr-only"> {name}</span>
        </Button>
      </div>
    </ListRow>
  );
}
