import { compareTrees } from "./compare-trees.ts";
import { type TurnPart, type TurnSpan, spanOf } from "./turn-changes.ts";
import { UNDO_SESSION } from "./turn-state.ts";
import { openUndos, spanUntil } from "./undo-history.ts";
import type { TurnRecord, UndoStore } from "./undo-store.ts";
import { type ShownChange, shownChanges } from "./undo-turn.ts";

/** So long a turn whose end nobody recorded counts as still at work. */
const OPEN_MS = 30 * 60_000;

/** A turn of another session that was at work while a turn was, and what either of them may have changed then. */
export interface SharedWork {
  readonly session: string;
  readonly turn: number;
  readonly paths: readonly string[];
}

/**
 * The turns of other sessions whose work an undo with these changes would take back as well: whatever changed in a folder while two
 * sessions worked in it may be of either.
 */
export function sharedWork(
  store: UndoStore,
  span: TurnSpan,
  now: TurnRecord,
  changes: readonly ShownChange[],
): readonly SharedWork[] {
  const others = store.turns.filter(({ session }) => session !== span.start.session && session !== UNDO_SESSION);
  const starts = others.filter(({ turn, end }) => end === undefined && Number.isInteger(turn));
  const undos = openUndos(store);
  const wanted = new Set(changes.map(({ path }) => path));
  return starts.flatMap((start) => {
    const own = others.filter(({ session }) => session === start.session);
    const undo = undos.find(({ undone }) => undone?.session === start.session && undone.turn === start.turn);
    const other = spanUntil(
      spanOf(own, start, () => now),
      undo?.start,
    );
    const shared = new Set<string>();
    for (const part of span.parts)
      for (const theirs of other.parts)
        for (const path of changedInBoth(store, part, theirs, other.until === "now" && other.parts.at(-1) === theirs))
          if (wanted.has(path)) shared.add(path);
    return shared.size === 0 ? [] : { session: start.session, turn: start.turn, paths: [...shared] };
  });
}

function changedInBoth(store: UndoStore, one: TurnPart, other: TurnPart, isOpen: boolean): readonly string[] {
  const before = one.before.recordedAtMs > other.before.recordedAtMs ? one.before : other.before;
  const after = one.after.recordedAtMs < other.after.recordedAtMs ? one.after : other.after;
  if (before.recordedAtMs >= after.recordedAtMs) return [];
  if (isOpen && one.before.recordedAtMs - other.before.recordedAtMs > OPEN_MS) return [];
  return shownChanges(compareTrees(store.objects, before.tree, after.tree)).map(({ path }) => path);
}
