import type { Queryable } from "@workspace/db";
import type { LinkView } from "../task-links/link-view.ts";
import { selectNotePaths } from "../task-links/task-links.queries.ts";
import type { ActivityEntry, TaskChange } from "./task-activity.schema.ts";

type FieldChange = TaskChange["changes"][number];

/** Entries without the links to what the caller may not see, whose titles they contain, and without changes of only such links. */
export async function withVisibleLinks<Entry extends ActivityEntry>(
  db: Queryable,
  entries: readonly Entry[],
  view: LinkView,
): Promise<Entry[]> {
  const targets = entries.flatMap((entry) => (entry.kind === "change" ? entry.changes.flatMap(targetsOf) : []));
  if (view.showsConversations || targets.length === 0) return [...entries];
  const notes = await selectNotePaths(db, [...new Set(targets)]);
  const visible = new Set(notes.flatMap(({ id, path }) => (view.showsNote(path) ? [id] : [])));
  return entries.map((entry) =>
    entry.kind === "change"
      ? { ...entry, changes: entry.changes.flatMap((change) => withOnly(change, visible)) }
      : entry,
  );
}

function withOnly(change: FieldChange, visible: ReadonlySet<string>): FieldChange[] {
  if (change.field !== "links") return [change];
  const [before, after] = [linksIn(change.before), linksIn(change.after)].map((links) =>
    links.filter(({ id }) => visible.has(id)),
  );
  return before?.length === 0 && after?.length === 0 ? [] : [{ ...change, before: before ?? [], after: after ?? [] }];
}

function targetsOf({ field, before, after }: FieldChange): string[] {
  return field === "links" ? [...linksIn(before), ...linksIn(after)].map(({ id }) => id) : [];
}

function linksIn(value: FieldChange["before"]): { id: string; title: string }[] {
  return Array.isArray(value) ? value.flatMap((link) => (typeof link === "object" ? [link] : [])) : [];
}
