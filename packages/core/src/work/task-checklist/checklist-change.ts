import { isDeepStrictEqual } from "node:util";
import { ConflictError, InvalidInputError } from "../../platform/errors.ts";
import type { IdGenerator } from "../../platform/ids.ts";
import { MAX_CHECKLIST, type ChecklistItem, type RecordedItem } from "../tasks/checklist.ts";
import type { FieldChange } from "../tasks/task-change.ts";
import type { ChangeChecklist } from "./task-checklist.schema.ts";

type Items = readonly ChecklistItem[];

/**
 * A checklist after a change. Throws {@link InvalidInputError} if it had too many items, and {@link ConflictError} if one of those to be
 * changed is not there any more, or a new one has the id of another.
 */
export function changedChecklist(
  items: Items,
  { add, afterId, set, move, remove }: Omit<ChangeChecklist, "id">,
  ids: IdGenerator,
): ChecklistItem[] {
  const known = new Set(items.map(({ id }) => id));
  const named = [...(set ?? []).map(({ id }) => id), ...(remove ?? []), ...(move === undefined ? [] : [move.id])];
  if (named.some((id) => !known.has(id))) throw new ConflictError("An item of the checklist is not there any more.");
  const patches = new Map((set ?? []).map((patch) => [patch.id, patch]));
  let changed = items.map((item) => {
    const { text = item.text, isDone = item.isDone } = patches.get(item.id) ?? {};
    return { id: item.id, text, isDone };
  });
  const moved = changed.find(({ id }) => id === move?.id);
  if (move !== undefined && moved !== undefined)
    changed = inserted(
      changed.filter(({ id }) => id !== move.id),
      [moved],
      move.afterId,
    );
  const added = (add ?? []).map((item) => {
    const { id = ids(), text, isDone = false } = typeof item === "string" ? { text: item } : item;
    return { id, text, isDone };
  });
  for (const { id } of added) {
    if (known.has(id)) throw new ConflictError("The checklist has an item with this id already.");
    known.add(id);
  }
  changed = inserted(changed, added, afterId === undefined ? (changed.at(-1)?.id ?? null) : afterId);
  const removed = new Set(remove);
  changed = changed.filter(({ id }) => !removed.has(id));
  if (changed.length > MAX_CHECKLIST)
    throw InvalidInputError.at("add", `a checklist has at most ${MAX_CHECKLIST} items`);
  return changed;
}

/** Items come at the end if the one that they are to come after is gone. */
function inserted(items: Items, added: Items, afterId: string | null): ChecklistItem[] {
  const index = items.findIndex(({ id }) => id === afterId);
  const place = afterId === null ? 0 : index === -1 ? items.length : index + 1;
  return items.toSpliced(place, 0, ...added);
}

/** What is recorded of a change: the items that differ, or have moved among the others; null if none does. */
export function changeOfChecklist(before: Items, after: Items): FieldChange | null {
  const [recordedBefore, recordedAfter] = [recorded(before), recorded(after)];
  const movedId = movedItem(before, after);
  const differs = ({ id }: RecordedItem) => {
    const [was, is] = [recordedBefore.get(id), recordedAfter.get(id)];
    return id === movedId || was?.title !== is?.title || was?.isDone !== is?.isDone;
  };
  const change = {
    field: "checklist",
    before: [...recordedBefore.values()].filter(differs),
    after: [...recordedAfter.values()].filter(differs),
  } as const;
  return change.before.length === 0 && change.after.length === 0 ? null : change;
}

function recorded(items: Items): Map<string, RecordedItem> {
  return new Map(
    items.map(({ id, text, isDone }, index) => [
      id,
      { id, title: text, isDone, afterId: items[index - 1]?.id ?? null },
    ]),
  );
}

/** The item without which the others are in the same order; there is at most one in a change. */
function movedItem(before: Items, after: Items): string | undefined {
  const kept = new Set(after.map(({ id }) => id));
  const was = before.map(({ id }) => id).filter((id) => kept.has(id));
  const known = new Set(was);
  const is = after.map(({ id }) => id).filter((id) => known.has(id));
  const without = (ids: string[], left: string | undefined) => ids.filter((id) => id !== left);
  const first = was.findIndex((id, index) => id !== is[index]);
  if (first === -1) return undefined;
  return [was[first], is[first]].find((id) => isDeepStrictEqual(without(was, id), without(is, id)));
}

/**
 * A checklist without an earlier change. Throws {@link ConflictError} if one of its items is not as the change has left it; where the
 * others are does not matter.
 */
export function undoneChecklist(
  items: Items,
  { before, after }: { readonly before: readonly RecordedItem[]; readonly after: readonly RecordedItem[] },
): ChecklistItem[] {
  const current = new Map(items.map((item) => [item.id, item]));
  const expected = new Map(after.map((item) => [item.id, item]));
  for (const { id } of [...before, ...after]) {
    const [is, was] = [current.get(id), expected.get(id)];
    if (is?.text !== was?.title || is?.isDone !== was?.isDone)
      throw new ConflictError("The checklist has been changed since. Nothing was undone.");
  }
  const restored = new Map(before.map((item) => [item.id, item]));
  let undone = items.filter(({ id }) => restored.has(id) || !expected.has(id));
  for (const { id, title, isDone, afterId } of before) {
    const item = { id, text: title, isDone };
    const stays = expected.get(id)?.afterId === afterId;
    undone = stays
      ? undone.map((other) => (other.id === id ? item : other))
      : inserted(
          undone.filter((other) => other.id !== id),
          [item],
          afterId,
        );
  }
  if (undone.length > MAX_CHECKLIST) throw new ConflictError("The checklist has no room for what was removed.");
  return [...undone];
}
