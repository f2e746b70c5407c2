import type * as ReactVirtual from "@tanstack/react-virtual";
import type { Rect, Virtualizer, VirtualItem, VirtualizerOptions } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useReducer, useState } from "react";
import { flushSync } from "react-dom";
import { loadLater } from "../client/code-parts.ts";

type Library = typeof ReactVirtual;
type ListVirtualizer = Virtualizer<HTMLDivElement, Element>;

/** What is known of the rows of a list: how many there are, how high each is, and its key. */
type RowOptions = Pick<
  VirtualizerOptions<HTMLDivElement, Element>,
  "count" | "getScrollElement" | "estimateSize" | "overscan"
> & { readonly getItemKey: (index: number) => string | number; readonly initialOffset: () => number };

/** So many pixels of rows are shown before it is known which ones are visible: more than a large screen has. */
const FIRST_PX = 1_600;

let library: Library | undefined;
let loading: Promise<void> | undefined;
/** Not a part of the first screen, which shows the first rows without it. */
const load = () =>
  (loading ??= import("@tanstack/react-virtual").then(
    (loaded) => {
      library = loaded;
    },
    (error: unknown) => {
      loading = undefined;
      throw error;
    },
  ));
loadLater(load);

export interface LateVirtualizer {
  readonly rows: readonly Pick<VirtualItem, "key" | "index" | "start" | "size">[];
  readonly totalSize: number;
  /** Undefined until its code is loaded. */
  readonly virtualizer: ListVirtualizer | undefined;
}

/** The visible rows of a list whose row heights are known. Until the code that follows the scrolling is loaded, the first ones. */
export function useLateVirtualizer(options: RowOptions): LateVirtualizer {
  const [, rerender] = useReducer((count: number) => count + 1, 0);
  const [late, setLate] = useState(() => library && create(library, options, rerender, NO_RECT));
  const virtualizer = late?.virtualizer;
  useEffect(() => {
    if (virtualizer !== undefined) return undefined;
    let isGone = false;
    const start = () => {
      if (isGone || library === undefined) return;
      // The rows that are shown by then stay.
      const rect = options.getScrollElement()?.getBoundingClientRect() ?? NO_RECT;
      setLate(create(library, options, rerender, rect));
    };
    // Without it, the list ends after its first rows: it is tried again whenever the browser is online again.
    const attempt = () => void load().then(start, () => undefined);
    attempt();
    window.addEventListener("online", attempt);
    return () => {
      isGone = true;
      window.removeEventListener("online", attempt);
    };
    // oxlint-disable-next-line react/exhaustive-deps -- Each render sets the options once more.
  }, [virtualizer]);
  late?.virtualizer.setOptions(late.toOptions(options));
  // What the library's own hook calls, which comes with the library.
  // oxlint-disable-next-line no-underscore-dangle
  useLayoutEffect(() => virtualizer?._didMount(), [virtualizer]);
  // oxlint-disable-next-line no-underscore-dangle
  useLayoutEffect(() => virtualizer?._willUpdate());
  if (virtualizer === undefined) return firstRows(options);
  return { rows: virtualizer.getVirtualItems(), totalSize: virtualizer.getTotalSize(), virtualizer };
}

const NO_RECT = { width: 0, height: 0 };

interface Late {
  readonly virtualizer: ListVirtualizer;
  toOptions(options: RowOptions): VirtualizerOptions<HTMLDivElement, Element>;
}

function create(
  { Virtualizer, elementScroll, observeElementOffset, observeElementRect }: Library,
  options: RowOptions,
  rerender: () => void,
  { width, height }: Rect,
): Late {
  const onChange = (_: ListVirtualizer, isScrolling: boolean) => {
    // Rows that come into sight are shown in the same frame.
    if (isScrolling) flushSync(rerender);
    else rerender();
  };
  const initialRect = { width, height };
  const toOptions = (given: RowOptions) => ({
    ...given,
    initialRect,
    observeElementOffset,
    observeElementRect,
    scrollToFn: elementScroll,
    onChange,
  });
  return { virtualizer: new Virtualizer<HTMLDivElement, Element>(toOptions(options)), toOptions };
}

function firstRows({ count, estimateSize, getItemKey }: RowOptions): LateVirtualizer {
  const rows: { key: string | number; index: number; start: number; size: number }[] = [];
  let totalSize = 0;
  for (let index = 0; index < count; index += 1) {
    const size = estimateSize(index);
    if (totalSize < FIRST_PX) rows.push({ key: getItemKey(index), index, start: totalSize, size });
    totalSize += size;
  }
  return { rows, totalSize, virtualizer: undefined };
}
