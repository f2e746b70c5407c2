import { useCallback, useEffect, useRef, type ReactNode } from "react";
import { useRememberedScroll } from "../features/shell/remembered-scroll.ts";
import { useRowWindow, type RowWindow } from "./use-row-window.ts";

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
  const heightAt = useCallback((index: number) => sizeAt(items, index, heightOf), [items, heightOf]);
  const list = useRowWindow({ count: items.length, heightAt, scrollRef, initialOffset });
  const { rows, totalSize, scrollToRow } = list;
  useScrollToCursor(scrollToRow, props);
  useReveal(scrollToRow, props);
  useEffect(() => {
    if (topRequest > 0) scrollRef.current?.scrollTo({ top: 0 });
  }, [topRequest]);

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
        list.onScroll();
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
        {rows.map(({ index, start, size }) => {
          const item = items[index];
          if (item === undefined) return null;
          return (
            <div
              key={keyOf(item)}
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
  scrollToRow: RowWindow["scrollToRow"],
  { items, idOf, cursorId, focusRequest }: VirtualListProps<Item>,
): void {
  const handledRequest = useRef(0);
  useEffect(() => {
    if (handledRequest.current === focusRequest || cursorId === null) return;
    handledRequest.current = focusRequest;
    const index = items.findIndex((item) => idOf(item) === cursorId);
    if (index !== -1) scrollToRow(index);
  }, [scrollToRow, items, idOf, cursorId, focusRequest]);
}

function useReveal<Item>(
  scrollToRow: RowWindow["scrollToRow"],
  { items, idOf, reveal = null }: VirtualListProps<Item>,
): void {
  const handled = useRef(reveal);
  useEffect(() => {
    if (handled.current === reveal || reveal === null) return;
    handled.current = reveal;
    const index = items.findIndex((item) => idOf(item) === reveal.id);
    if (index !== -1) scrollToRow(index);
  }, [scrollToRow, items, idOf, reveal]);
}

function sizeAt<Item>(items: readonly Item[], index: number, heightOf: (item: Item) => number): number {
  const item = items[index];
  return item === undefined ? 0 : heightOf(item);
}
