import { SearchX } from "lucide-react";
import { useCallback, useMemo, type ReactNode } from "react";
import type { PagedRowsState } from "../api/use-paged-rows.ts";
import type { RowsState } from "../api/collection-query.ts";
import { Button } from "../components/button.tsx";
import { EmptyState, ErrorState, SkeletonRows } from "../components/states.tsx";
import type { ItemPanel } from "../features/shell/item-panel.ts";
import { useRowHeight } from "./row-height.ts";
import { useListCursor, type ListCursor } from "./use-list-cursor.ts";
import { useListShortcuts } from "./use-list-shortcuts.ts";
import { VirtualList } from "./virtual-list.tsx";

/** The position and state of a row in its list; to be spread into {@link ListRow}. */
export interface RowPosition {
  readonly rowIndex: number;
  readonly cursor: ListCursor;
  readonly isOpen: boolean;
}

/** The state of a list; paginated lists also have a way to load more. */
export type ListState<Item> = RowsState<Item> & Partial<PagedRowsState<Item>>;

export interface ResourceListProps<Item extends HasId> {
  /** The accessible name of the list: "Secrets". */
  readonly label: string;
  /** What is listed, for use in sentences: "secrets"; by default, the label in lower case. */
  readonly plural?: string;
  readonly state: ListState<Item>;
  /** What identifies an item, if not its `id`. Must be stable. */
  readonly idOf?: (item: Item) => string;
  readonly renderRow: (item: Item, position: RowPosition) => ReactNode;
  /** Shown if there are no rows. */
  readonly empty: ReactNode;
  /** The row height in pixels, if it differs from the default. Must be stable. */
  readonly heightOf?: (item: Item) => number;
  /** Which row is open and how to open one; omitted if rows cannot be opened. */
  readonly panel?: Pick<ItemPanel, "openId" | "open">;
  /** For rows created here, whose id changes once the server has assigned one. Must be stable. */
  readonly realId?: (id: string) => string;
  /** The action of the `e` key on the row under the cursor. */
  readonly edit?: (id: string) => void;
  /** The action of the Delete key on the selection, or on the row under the cursor. */
  readonly remove?: (ids: readonly string[], cursor: ListCursor) => void;
  /** Whether several rows can be selected. */
  readonly isSelectable?: boolean;
  readonly onScroll?: (offset: number) => void;
  /** Incremented to scroll to the top of the list. */
  readonly topRequest?: number;
  /** Rendered beside the rows; acts on the selection or on the row under the cursor. */
  readonly children?: (cursor: ListCursor) => ReactNode;
}

interface HasId {
  readonly id: string;
}

const NO_PANEL: Pick<ItemPanel, "openId" | "open"> = { openId: undefined, open: () => undefined };

/**
 * A list of resources: loading, failed, empty, or its rows, of which only the visible ones are rendered; with keyboard
 * navigation, selection and pagination. A page only defines what a row looks like and what can be done with it.
 */
export function ResourceList<Item extends HasId>(props: ResourceListProps<Item>) {
  const { label, plural = label.toLowerCase(), state, idOf = ownId, renderRow, empty, panel = NO_PANEL } = props;
  const { rows, isLoading, error, retry, isLoadingMore = false, loadMore } = state;
  const { edit, remove, realId, isSelectable, children } = props;
  const ids = useMemo(() => rows.map(idOf), [rows, idOf]);
  const usualHeight = useUsualHeight();
  const cursor = useListCursor(ids, { open: panel.open, isPanelOpen: panel.openId !== undefined, realId });
  useListShortcuts(cursor, {
    edit,
    remove: remove && ((targets) => remove(targets, cursor)),
    isSelectable,
  });

  if (isLoading) return <SkeletonRows />;
  if (error !== null) return <ErrorState title={`The ${plural} could not be loaded`} error={error} onRetry={retry} />;
  if (rows.length === 0) return empty;
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <VirtualList
        label={label}
        items={rows}
        idOf={idOf}
        heightOf={props.heightOf ?? usualHeight}
        cursorId={cursor.cursorId}
        focusRequest={cursor.focusRequest}
        isMultiselectable={isSelectable}
        onEndNear={loadMore}
        onScroll={props.onScroll}
        topRequest={props.topRequest}
        renderRow={(item, rowIndex) => renderRow(item, { rowIndex, cursor, isOpen: idOf(item) === panel.openId })}
        footer={isLoadingMore && <p className="px-4 py-3 text-13 text-muted">Loading more…</p>}
      />
      {children?.(cursor)}
    </div>
  );
}

interface NoMatchProps {
  /** "No matching secrets" */
  readonly title: string;
  readonly onClear: () => void;
  /** One sentence that says what was searched. */
  readonly children: string;
}

/** Shown instead of a list if nothing matches the filter. */
export function NoMatch({ title, onClear, children }: NoMatchProps) {
  return (
    <EmptyState icon={<SearchX size={20} />} title={title} action={<Button onClick={onClear}>Clear the filter</Button>}>
      {children}
    </EmptyState>
  );
}

function ownId({ id }: HasId): string {
  return id;
}

function useUsualHeight(): () => number {
  const rowHeight = useRowHeight();
  return useCallback(() => rowHeight, [rowHeight]);
}
