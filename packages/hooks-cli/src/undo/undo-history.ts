import { type Item, compareTrees, isSameItem } from "./compare-trees.ts";
import { gitDirOf } from "./git-directory.ts";
import type { RawPath } from "./raw-path.ts";
import { type TurnSpan, turnChanges } from "./turn-changes.ts";
import { UNDO_SESSION, isOfTurn } from "./turn-state.ts";
import type { TurnRecord, UndoStore, UndoneTurn } from "./undo-store.ts";

/** An undo that was carried out, and has not been taken back. */
export interface CarriedOut {
  /** What the project was like before and after it; one that was interrupted has no end. */
  readonly start: TurnRecord;
  readonly end: TurnRecord | undefined;
  /** Unknown of one that was interrupted. */
  readonly undone: UndoneTurn | undefined;
}

/** What an undo took back of a turn, be it of this turn or of another that changed the same files. */
export interface TakenBack {
  readonly by: UndoneTurn;
  readonly isEntire: boolean;
  /** What of the turn is as it was before, by one undo or several; empty if it is all of it. */
  readonly paths: readonly RawPath[];
}

/** The undos that can be taken back, the last one last. One that was only taken back in part is still among them. */
export function openUndos(store: UndoStore): readonly CarriedOut[] {
  const open: CarriedOut[] = [];
  const records = store.turns.filter(({ session }) => session === UNDO_SESSION);
  for (const start of records.filter(({ end }) => end === undefined)) {
    const end = records.find((record) => record.end !== undefined && isOfTurn(record.turn, start.turn));
    if (end?.undone?.isRedo !== true) open.push({ start, end, undone: end?.undone });
    else if (end.undone.isEntire) open.splice(indexOfRedone(open, end.undone), 1);
  }
  return open;
}

/** What a redo of an undo is recorded as. */
export function redoOf({ start, undone }: CarriedOut): UndoneTurn {
  const { session, turn } = undone ?? start;
  return { session, turn, isRedo: true, isEntire: true, of: start.turn };
}

/** Records of earlier versions do not name the undo, which was the last one of the turn. */
function indexOfRedone(open: readonly CarriedOut[], { of, session, turn }: UndoneTurn): number {
  const isIt = ({ start, undone }: CarriedOut): boolean =>
    of === undefined ? undone?.session === session && undone.turn === turn : start.turn === of;
  const index = open.findLastIndex(isIt);
  return index === -1 ? open.length : index;
}

/** Finds for turns which undo took them back. */
export function takenBackFinder(store: UndoStore): (span: TurnSpan) => TakenBack | undefined {
  const undos = openUndos(store).flatMap(({ start, end, undone }) => {
    if (end === undefined || undone === undefined) return [];
    const changes = compareTrees(store.objects, start.tree, end.tree);
    const items = new Map<RawPath, Item | undefined>(changes.map(({ path, after }) => [path, after]));
    return [{ start, undone, items }];
  });
  return (span) => {
    const { session, turn } = span.start;
    const own = undos.findLast(({ undone }) => undone.session === session && undone.turn === turn);
    if (own?.undone.isEntire === true) return { by: own.undone, isEntire: true, paths: [] };
    const later = undos.filter(({ start }) => start.recordedAtMs >= span.start.recordedAtMs).toReversed();
    const found = later.flatMap(({ start, items, undone }) => {
      const all = turnChanges(store.objects, spanUntil(span, start));
      const changes = all.filter(({ path }) => gitDirOf(path) === undefined);
      const back = changes.filter(({ path, before }) => items.has(path) && isSameItem(items.get(path), before));
      const paths = back.map(({ path }) => path);
      return back.length === 0 ? [] : [{ by: undone, isEntire: back.length === changes.length, paths }];
    });
    const [last] = found;
    if (last !== undefined) return { ...last, paths: [...new Set(found.flatMap(({ paths }) => paths))] };
    return own && { by: own.undone, isEntire: false, paths: [] };
  };
}

/** A turn that counts until now, as it was before an undo. */
export function spanUntil(span: TurnSpan, end: TurnRecord | undefined): TurnSpan {
  const last = span.parts.at(-1);
  if (end === undefined || span.until !== "now" || last === undefined) return span;
  if (end.recordedAtMs < last.before.recordedAtMs) return span;
  return { ...span, until: "turn", parts: [...span.parts.slice(0, -1), { before: last.before, after: end }] };
}
