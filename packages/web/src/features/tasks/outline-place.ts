/** A row of the outline, or of a list without levels. */
export interface OutlineRow {
  readonly id: string;
  readonly depth: number;
  /** What the group that it is in has in common, such as the status. */
  readonly group: string;
}

/** Where a task would come. */
export interface OutlinePlace {
  readonly parentId: string | null;
  readonly afterId?: string;
  readonly beforeId?: string;
  readonly group: string;
  readonly depth: number;
}

/**
 * The place before the row with an index, at the depth that is nearest to the wanted one: not deeper than below the row above, and not
 * higher than the row that follows, of which it would otherwise become the parent. Null if there are no rows.
 */
export function placeAt(rows: readonly OutlineRow[], index: number, wantedDepth: number): OutlinePlace | null {
  const [above, following] = [rows[index - 1], rows[index]];
  const next = following !== undefined && following.group === above?.group ? following : undefined;
  if (above === undefined)
    return following === undefined
      ? null
      : { parentId: null, beforeId: following.id, group: following.group, depth: 0 };
  const depth = Math.min(Math.max(wantedDepth, next?.depth ?? 0), above.depth + 1);
  const { group } = above;
  // The nearest row above at a depth, within the same tree.
  const rowAt = (wanted: number) => rows.slice(0, index).findLast((row) => row.depth <= wanted);
  const parentId = depth === 0 ? null : (rowAt(depth - 1)?.id ?? null);
  if (depth === above.depth + 1)
    return next?.depth === depth
      ? { parentId, beforeId: next.id, group, depth }
      : { parentId, afterId: above.id, group, depth };
  return { parentId, afterId: rowAt(depth)?.id ?? above.id, group, depth };
}
