/** The rows of a list that are rendered: from `first` up to, but without, `end`. */
export interface RowRange {
  readonly first: number;
  readonly end: number;
}

/** What of a list is visible, in pixels. */
export interface Viewport {
  readonly top: number;
  readonly height: number;
}

/** Where each row begins, in pixels from the top, and, last, where the list ends. */
export function rowOffsets(count: number, heightAt: (index: number) => number): readonly number[] {
  const offsets = [0];
  let end = 0;
  for (let index = 0; index < count; index += 1) {
    end += heightAt(index);
    offsets.push(end);
  }
  return offsets;
}

/** The visible rows, and so many more before and after them. */
export function rowRange(offsets: readonly number[], { top, height }: Viewport, overscan: number): RowRange {
  const count = offsets.length - 1;
  // Of a list that has become shorter than the viewport's top, the last rows.
  const shown = Math.max(0, Math.min(top, (offsets[count] ?? 0) - height));
  return {
    first: Math.max(0, firstAfter(offsets, shown) - 1 - overscan),
    end: Math.min(count, firstAfter(offsets, shown + height) + overscan),
  };
}

/** The offset to scroll to in order to show a row whole; `top` if it is visible. */
export function offsetThatShows(offsets: readonly number[], index: number, { top, height }: Viewport): number {
  const [start = 0, end = start] = offsets.slice(index, index + 2);
  if (start < top) return start;
  return end > top + height ? end - height : top;
}

/** The index of the first offset that is greater than a value. */
function firstAfter(offsets: readonly number[], value: number): number {
  let low = 0;
  let high = offsets.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((offsets[middle] ?? 0) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
