import { type Change, type Item, compareTrees, isSameItem } from "./compare-trees.ts";
import { isIndexPath } from "./git-directory.ts";
import { isSameIndex } from "./index-entries.ts";
import type { ObjectStore } from "./object-store.ts";
import { type RawPath, isAtOrBelow } from "./raw-path.ts";
import { isOfTurn } from "./turn-state.ts";
import type { TurnEnd, TurnRecord } from "./undo-store.ts";

/** What the project was like before and after a part of a turn. A turn that went on after its end has several parts. */
export interface TurnPart {
  readonly before: TurnRecord;
  readonly after: TurnRecord;
}

/**
 * What ends a turn: that it was recorded, otherwise that the next one began; if there is none, it counts until now. A turn that was
 * `continued` went on after its end without that being recorded, so that what was changed in between counts as well.
 */
export type TurnLimit = TurnEnd | "continued" | "next-turn" | "now";

export interface TurnSpan {
  readonly start: TurnRecord;
  readonly parts: readonly TurnPart[];
  readonly until: TurnLimit;
}

/** A turn from one of its records, by all records of its session. */
export function spanOf(records: readonly TurnRecord[], start: TurnRecord, now: () => TurnRecord): TurnSpan {
  const parts: TurnPart[] = [];
  let before = start;
  let end: TurnRecord | undefined;
  let isContinued = false;
  const number = Math.floor(start.turn);
  const own = records.filter(({ turn }) => isOfTurn(turn, number) && turn > start.turn);
  for (const record of own.toSorted((one, other) => one.turn - other.turn)) {
    if (record.end === undefined && end !== undefined) {
      parts.push({ before, after: end });
      before = record;
    }
    if (record.end !== undefined && end !== undefined) isContinued = true;
    // What is recorded within the turn divides it only after an end; of several ends in a row the last one counts.
    end = record.end === undefined ? undefined : record;
  }
  if (end !== undefined) {
    const until = isContinued && end.end === "turn" ? "continued" : (end.end ?? "turn");
    return { start, parts: [...parts, { before, after: end }], until };
  }
  const next = records.find(({ turn }) => Math.floor(turn) > number);
  return {
    start,
    parts: [...parts, { before, after: next ?? now() }],
    until: next === undefined ? "now" : "next-turn",
  };
}

/** What a turn changed at a path, from before the first part that did to after the last. */
export interface TurnChange extends Change {
  /** Whether something else changed it between two parts. */
  readonly isMixed: boolean;
  /** Whether it may have been there before, although it is not recorded. */
  readonly wasLeftOut: boolean;
  /** Whether it could not be read after the turn, so that only its absence is recorded. */
  readonly isHidden: boolean;
  /** Whether git only noted again when it last looked at each file. */
  readonly isRefresh: boolean;
}

/** An undo asks several times for what the same turn changed. */
const known = new WeakMap<TurnSpan, readonly TurnChange[]>();

/** What a turn changed, a directory before what is in it. */
export function turnChanges(objects: ObjectStore, span: TurnSpan): readonly TurnChange[] {
  const changes = known.get(span) ?? findChanges(objects, span);
  known.set(span, changes);
  return changes;
}

function findChanges(objects: ObjectStore, { parts }: TurnSpan): readonly TurnChange[] {
  const changes = new Map<RawPath, TurnChange>();
  for (const { before, after } of parts) {
    for (const change of compareTrees(objects, before.tree, after.tree)) {
      const earlier = changes.get(change.path);
      changes.set(change.path, {
        path: change.path,
        before: earlier === undefined ? change.before : earlier.before,
        after: change.after,
        isMixed:
          earlier !== undefined && (earlier.isMixed || !isSameAt(objects, change.path, earlier.after, change.before)),
        wasLeftOut: earlier?.wasLeftOut ?? (change.before === undefined && isLeftOut(before, change.path)),
        isHidden: change.after === undefined && isLeftOut(after, change.path, "unreadable"),
        isRefresh: false,
      });
    }
  }
  const marked = [...changes.values()].map((change) => {
    const isRefresh = !change.isMixed && isSameAt(objects, change.path, change.before, change.after);
    return { ...change, isRefresh };
  });
  if (parts.length === 1) return marked;
  const remaining = marked.filter(({ before, after }) => !isSameItem(before, after));
  return remaining.toSorted((one, other) => (inOrder(one) < inOrder(other) ? -1 : 1));
}

/** Whether what two states have at a path means the same, though the times in an index may differ. */
export function isSameAt(objects: ObjectStore, path: RawPath, one: Item | undefined, other: Item | undefined): boolean {
  if (isSameItem(one, other)) return true;
  if (one === undefined || one.mode !== other?.mode || !isIndexPath(path)) return false;
  return isSameIndex(objects.read(one.id).content, objects.read(other.id).content);
}

/** Whether something was left out of a record, for this reason if one is named. */
export function isLeftOut({ leftOut }: TurnRecord, path: RawPath, reason?: string): boolean {
  return leftOut.some((item) => isAtOrBelow(path, item.path) && (reason === undefined || item.reason === reason));
}

/** Sorts a directory right before what is in it. */
function inOrder({ path }: Change): string {
  return path.replaceAll("/", "\0");
}
