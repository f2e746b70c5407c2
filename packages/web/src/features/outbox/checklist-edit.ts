import type { Outputs } from "../../api/api.ts";

export type ChecklistItem = Outputs["tasks"]["details"]["data"]["checklist"][number];

/** What is to be done to the checklist of a task. */
export interface ChecklistEdit {
  readonly add?: readonly ChecklistItem[];
  readonly set?: readonly { readonly id: string; readonly text?: string; readonly isDone?: boolean }[];
  readonly move?: { readonly id: string; readonly afterId: string | null };
  readonly remove?: readonly string[];
}

type Items = readonly ChecklistItem[];

/** The items after an edit, which has no effect on those that it has been applied to. */
export function editedItems(items: Items, { add = [], set = [], move, remove = [] }: ChecklistEdit): ChecklistItem[] {
  const patches = new Map(set.map((patch) => [patch.id, patch]));
  let edited = items.filter(({ id }) => !remove.includes(id)).map((item) => ({ ...item, ...patches.get(item.id) }));
  const moved = edited.find(({ id }) => id === move?.id);
  if (move !== undefined && moved !== undefined) {
    const others = edited.filter((item) => item !== moved);
    const index = others.findIndex(({ id }) => id === move.afterId);
    const place = move.afterId !== null && index === -1 ? others.length : index + 1;
    edited = others.toSpliced(place, 0, moved);
  }
  return [...edited, ...add.filter(({ id }) => !items.some((item) => item.id === id))];
}

/** The items that an edit changes, moves or removes. */
export function itemsNamedBy({ set = [], move, remove = [] }: ChecklistEdit, items: Items): ChecklistItem[] {
  const named = new Set([...set.map(({ id }) => id), ...remove, ...(move === undefined ? [] : [move.id])]);
  return items.filter(({ id }) => named.has(id));
}

/** Why an edit cannot be made of the items as they are now; null if it can. `before` has those that it names as they were. */
export function conflictOf({ set = [], remove = [] }: ChecklistEdit, before: Items, current: Items): string | null {
  const textIn = (items: Items, id: string) => items.find((item) => item.id === id)?.text;
  for (const { id, text } of set) {
    const theirs = textIn(current, id);
    if (theirs === undefined) return `“${text ?? textIn(before, id) ?? ""}” was removed from the checklist elsewhere.`;
    if (text !== undefined && theirs !== text && theirs !== textIn(before, id))
      return `An item was changed elsewhere, too. There: “${theirs}”. Yours: “${text}”.`;
  }
  for (const id of remove) {
    const theirs = textIn(current, id);
    if (theirs !== undefined && theirs !== textIn(before, id))
      return `An item that you have removed was changed elsewhere. There: “${theirs}”.`;
  }
  return null;
}

/** An edit as the server takes it. */
export function toInput({ add, set, move, remove }: ChecklistEdit) {
  return {
    ...(add !== undefined && { add: [...add] }),
    ...(set !== undefined && { set: [...set] }),
    ...(move !== undefined && { move }),
    ...(remove !== undefined && { remove: [...remove] }),
  };
}

/** What of an edit the server does not have yet; null if it has all. */
export function missingEdit(current: Items, { add = [], set = [], move, remove = [] }: ChecklistEdit) {
  const known = new Map(current.map((item) => [item.id, item]));
  const missing = {
    add: add.filter(({ id }) => !known.has(id)),
    set: set.filter(({ id, text, isDone }) => {
      const item = known.get(id);
      return (text !== undefined && item?.text !== text) || (isDone !== undefined && item?.isDone !== isDone);
    }),
    remove: remove.filter((id) => known.has(id)),
    ...(move !== undefined && known.has(move.id) && { move }),
  };
  const isEmpty = missing.add.length + missing.set.length + missing.remove.length === 0 && missing.move === undefined;
  return isEmpty ? null : missing;
}
