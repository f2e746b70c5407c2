import {
  startTransition,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type RefObject,
} from "react";
import { flushSync } from "react-dom";
import { offsetThatShows, rowOffsets, rowRange, type Viewport } from "./row-range.ts";

/** So many rows before and after the visible ones are rendered, once those are shown. */
const OVERSCAN_ROWS = 12;

export interface RowWindow {
  readonly rows: readonly { readonly index: number; readonly start: number; readonly size: number }[];
  readonly totalSize: number;
  /** For the scrolling element. */
  onScroll(): void;
  /** Scrolls as little as shows a row whole. */
  scrollToRow(index: number): void;
}

interface RowWindowOptions {
  readonly count: number;
  /** In pixels; a new function if heights have changed. */
  readonly heightAt: (index: number) => number;
  readonly scrollRef: RefObject<HTMLElement | null>;
  /** Where the list is scrolled to when it appears. */
  readonly initialOffset: () => number;
}

/** The visible rows of a list whose row heights are known, so that its size does not matter. */
export function useRowWindow({ count, heightAt, scrollRef, initialOffset }: RowWindowOptions): RowWindow {
  const offsets = useMemo(() => rowOffsets(count, heightAt), [count, heightAt]);
  // Until the list has been laid out, it may be as high as the window.
  const [viewport, setViewport] = useState<Viewport>(() => ({ top: initialOffset(), height: window.innerHeight }));
  const [overscan, setOverscan] = useState(0);
  const { first, end } = rowRange(offsets, viewport, overscan);
  useEffect(() => startTransition(() => setOverscan(OVERSCAN_ROWS)), []);

  const offsetAtFirst = useRef(initialOffset);
  useLayoutEffect(() => {
    const element = scrollRef.current;
    if (element === null) return undefined;
    element.scrollTop = offsetAtFirst.current();
    const read = () => setViewport({ top: element.scrollTop, height: element.clientHeight });
    read();
    const observer = new ResizeObserver(read);
    observer.observe(element);
    return () => observer.disconnect();
  }, [scrollRef]);

  const onScroll = () => {
    const next = viewportOf(scrollRef.current);
    if (next === undefined) return;
    const range = rowRange(offsets, next, overscan);
    // Rows that come into sight are shown in the same frame.
    if (range.first !== first || range.end !== end) flushSync(() => setViewport(next));
  };

  const scrollToRow = useCallback(
    (index: number) => {
      const current = viewportOf(scrollRef.current);
      if (current === undefined || scrollRef.current === null) return;
      scrollRef.current.scrollTop = offsetThatShows(offsets, index, current);
    },
    [scrollRef, offsets],
  );

  const rows = Array.from({ length: Math.max(0, end - first) }, (_, place) => {
    const index = first + place;
    const start = offsets[index] ?? 0;
    return { index, start, size: (offsets[index + 1] ?? start) - start };
  });
  return { rows, totalSize: offsets.at(-1) ?? 0, onScroll, scrollToRow };
}

function viewportOf(element: HTMLElement | null): Viewport | undefined {
  return element === null ? undefined : { top: element.scrollTop, height: element.clientHeight };
}
