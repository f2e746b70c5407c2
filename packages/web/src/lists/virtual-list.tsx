import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef, type ReactNode } from "react";
import { useRememberedScroll } from "../features/shell/remembered-scroll.ts";

const OVERSCAN_ROWS = 12;
/** More is asked for when so many rows are left below. */
const END_ROWS = 20;

export interface VirtualListProps<Item> {
  readonly label: string;
  readonly items: readonly Item[];
  readonly idOf: (item: Item) => string;
  /** In pixels; must not depend on anything that is only known once the row is there. */
  readonly heightOf: (item: Item) => number;
  readonly renderRow: (item: Item, rowIndex: number) => ReactNode;
  readonly cursorId: string | null;
  readonly focusRequest: number;
  readonly isMultiselectable?: boolean;
  readonly onEndNear?: () => void;
  readonly onScroll?: (offset: number) => void;
  /** Counts up to bring the top of the list into sight. */
  readonly topRequest?: number;
  /** Below the last row. */
  readonly footer?: ReactNode;
}

/** A list of which only the rows in sight exist: ten thousand scroll like ten. `renderRow` gives elements of role row. */
export function VirtualList<Item>(props: VirtualListProps<Item>) {
  const { label, items, idOf, heightOf, renderRow, onEndNear, onScroll, topRequest = 0, footer } = props;
  const scrollRef = useRef<HTMLDivElement>(null);
  const { initialOffset, remember } = useRememberedScroll(label);
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scrollRef.current,
    estimateSize: (index) => sizeAt(items, index, heightOf),
    getItemKey: (index) => keyAt(items, index, idOf),
    overscan: OVERSCAN_ROWS,
    initialOffset,
  });
  useEffect(() => virtualizer.measure(), [virtualizer, items, heightOf]);
  useScrollToCursor(virtualizer, props);
  useEffect(() => {
    if (topRequest > 0) virtualizer.scrollToOffset(0);
  }, [virtualizer, topRequest]);

  const rows = virtualizer.getVirtualItems();
  const lastIndex = rows.at(-1)?.index ?? 0;
  const isEndNear = items.length > 0 && lastIndex >= items.length - END_ROWS;
  useEffect(() => {
    if (isEndNear) onEndNear?.();
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
        style={{ height: virtualizer.getTotalSize() }}
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

/** Keeps the row that the keyboard has reached in sight. */
function useScrollToCursor<Item>(
  virtualizer: { scrollToIndex(index: number, options: { align: "auto" }): void },
  { items, idOf, cursorId, focusRequest }: VirtualListProps<Item>,
): void {
  const handledRequest = useRef(0);
  useEffect(() => {
    if (handledRequest.current === focusRequest || cursorId === null) return;
    handledRequest.current = focusRequest;
    const index = items.findIndex((item) => idOf(item) === cursorId);
    if (index !== -1) virtualizer.scrollToIndex(index, { align: "auto" });
  }, [virtualizer, items, idOf, cursorId, focusRequest]);
}

function sizeAt<Item>(items: readonly Item[], index: number, heightOf: (item: Item) => number): number {
  const item = items[index];
  return item === undefined ? 0 : heightOf(item);
}

function keyAt<Item>(items: readonly Item[], index: number, idOf: (item: Item) => string): string | number {
  const item = items[index];
  return item === undefined ? index : idOf(item);
}
