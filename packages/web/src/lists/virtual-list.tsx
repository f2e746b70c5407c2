import { useEffect, useRef, type ReactNode } from "react";
import { useRememberedScroll } from "../features/shell/remembered-scroll.ts";
import { useLateVirtualizer, type LateVirtualizer } from "./use-late-virtualizer.ts";

const OVERSCAN_ROWS = 12;
/** How many rows before the end more rows are requested. */
const END_ROWS = 20;

export interface VirtualListProps<Item> {
  readonly label: string;
  readonly items: readonly Item[];
  readonly idOf: (item: Item) => string;
  /** A key that stays the same while a row is shown, if its id can change; by default, its id. */
  readonly keyOf?: (item: Item) => string;
  /** In pixels; must not depend on anything that is only known after rendering. */
  readonly heightOf: (item: Item) => number;
  readonly renderRow: (item: Item, rowIndex: number) => ReactNode;
  readonly cursorId: string | null;
  readonly focusRequest: number;
  readonly isMultiselectable?: boolean | undefined;
  readonly onEndNear?: (() => void) | undefined;
  readonly onScroll?: ((offset: number) => void) | undefined;
  /** An item that each new object brings into view, without the focus. */
  readonly reveal?: { readonly id: string } | null;
  /** Incremented to scroll to the top of the list. */
  readonly topRequest?: number | undefined;
  /** Shown below the last row. */
  readonly footer?: ReactNode;
}

/**
 * A list that renders only its visible rows, so that its size does not matter. `renderRow` returns elements of role row.
 */
export function VirtualList<Item>(props: VirtualListProps<Item>) {
  const { label, items, idOf, keyOf = idOf, heightOf, renderRow, onEndNear, onScroll, topRequest = 0, footer } = props;
  const scrollRef = useRef<HTMLDivElement>(null);
  const { initialOffset, remember } = useRememberedScroll(label);
  const { rows, totalSize, virtualizer } = useLateVirtualizer({
    count: items.length,
    getScrollElement: () => scrollRef.current,
    estimateSize: (index) => sizeAt(items, index, heightOf),
    getItemKey: (index) => keyAt(items, index, keyOf),
    overscan: OVERSCAN_ROWS,
    initialOffset,
  });
  // oxlint-disable-next-line react/exhaustive-effect-dependencies -- The heights that were measured are those of earlier items.
  useEffect(() => virtualizer?.measure(), [virtualizer, items, heightOf]);
  useScrollToCursor(virtualizer, props);
  useReveal(virtualizer, props);
  useEffect(() => {
    if (topRequest > 0) virtualizer?.scrollToOffset(0);
  }, [virtualizer, topRequest]);

  const lastIndex = rows.at(-1)?.index ?? 0;
  const isEndNear = items.length > 0 && lastIndex >= items.length - END_ROWS;
  useEffect(() => {
    if (isEndNear) onEndNear?.();
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- After more rows have come, even more may be needed.
  }, [isEndNear, items.length, onEndNear]);

  return (
    <div
      ref={scrollRef}
      className="min-h-0 flex-1 overflow-y-auto overscroll-contain pb-20 [contain:strict]"
      onScroll={(event) => {
        remember(event.currentTarget.scrollTop);
        onScroll?.(event.currentTarget.scrollTop);
      }}
    >
      <div
        role="grid"
        aria-label={label}
        aria-rowcount={items.length}
        aria-multiselectable={props.isMultiselectable}
        className="relative"
        style={{ height: totalSize }}
      >
        {rows.map(({ key, index, start, size }) => {
          const item = items[index];
          if (item === undefined) return null;
          return (
            <div
              key={key}
              role="presentation"
              className="absolute inset-x-0 top-0"
              style={{ height: size, transform: `translateY(${start}px)` }}
            >
              {renderRow(item, index + 1)}
            </div>
          );
        })}
      </div>
      {footer}
    </div>
  );
}

/** Keeps the row that the keyboard has reached visible. */
function useScrollToCursor<Item>(
  virtualizer: LateVirtualizer["virtualizer"],
  { items, idOf, cursorId, focusRequest }: VirtualListProps<Item>,
): void {
  const handledRequest = useRef(0);
  useEffect(() => {
    if (virtualizer === undefined || handledRequest.current === focusRequest || cursorId === null) return;
    handledRequest.current = focusRequest;
    const index = items.findIndex((item) => idOf(item) === cursorId);
    if (index !== -1) virtualizer.scrollToIndex(index, { align: "auto" });
  }, [virtualizer, items, idOf, cursorId, focusRequest]);
}

function useReveal<Item>(
  virtualizer: LateVirtualizer["virtualizer"],
  { items, idOf, reveal = null }: VirtualListProps<Item>,
): void {
  const handled = useRef(reveal);
  useEffect(() => {
    if (virtualizer === undefined || handled.current === reveal || reveal === null) return;
    handled.current = reveal;
    const index = items.findIndex((item) => idOf(item) === reveal.id);
    if (index !== -1) virtualizer.scrollToIndex(index, { align: "auto" });
  }, [virtualizer, items, idOf, reveal]);
}

function sizeAt<Item>(items: readonly Item[], index: number, heightOf: (item: Item) => number): number {
  const item = items[index];
  return item === undefined ? 0 : heightOf(item);
}

function keyAt<Item>(items: readonly Item[], index: number, keyOf: (item: Item) => string): string | number {
  const item = items[index];
  return item === undefined ? index : keyOf(item);
}
