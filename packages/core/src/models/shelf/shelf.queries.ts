import { column, defineCommand, defineQuery, type PoolClient, type Queryable, type RowOf } from "@workspace/db";
import type { ShelfItemInput, ShelfKind } from "./shelf.schema.ts";

const ID_OF = (kind: ShelfKind) => `(CASE WHEN i.kind = '${kind}' THEN i.item_id END)::uuid`;
const TITLE_CHARACTERS = 200;

/** What items are called, by kind, except those that are deleted or belong to somebody else. A session is shown by its first prompt. */
const SHOWN = `
  SELECT title, NULL::text AS path, NULL::text AS color FROM tasks WHERE id = ${ID_OF("task")} AND deleted_at IS NULL
  UNION ALL SELECT title, path, NULL FROM documents WHERE id = ${ID_OF("document")} AND deleted_at IS NULL
  UNION ALL SELECT name, NULL, color FROM projects WHERE id = ${ID_OF("project")} AND deleted_at IS NULL
  UNION ALL SELECT title, NULL, NULL FROM conversations WHERE id = ${ID_OF("conversation")} AND user_id = i.user_id
  UNION ALL SELECT name, NULL, NULL FROM agents WHERE id = ${ID_OF("agent")}
  UNION ALL SELECT left(content, ${TITLE_CHARACTERS}), NULL, NULL FROM memory_chunks
    WHERE id = ${ID_OF("memory")} AND deleted_at IS NULL
  UNION ALL SELECT '', NULL, NULL WHERE i.kind = 'session'`;

const ITEM = {
  kind: column.text.as<ShelfKind>(),
  id: column.text,
  title: column.text.neverNull,
  path: column.text.nullable,
  color: column.text.nullable,
  position: column.integer.nullable,
  openedAt: column.timestamp.nullable,
};
export type StoredItem = Readonly<RowOf<typeof ITEM>>;

const items = defineQuery({
  name: "select-shelf-items",
  row: ITEM,
  text: `
    SELECT i.kind, i.item_id AS id, shown.title, shown.path, shown.color, i.position, i.opened_at AS "openedAt"
    FROM shelf_items i, LATERAL (${SHOWN}) AS shown
    WHERE i.user_id = $1 AND (i.position IS NOT NULL OR (i.kind, i.item_id) IN (
      SELECT kind, item_id FROM shelf_items WHERE user_id = $1 AND opened_at IS NOT NULL
      ORDER BY opened_at DESC, kind, item_id LIMIT $2))
    ORDER BY i.opened_at DESC NULLS LAST, i.kind, i.item_id`,
});

/** What a person keeps, and so many that were opened last, except what is deleted; what was opened last comes first. */
export function selectShelfItems(db: Queryable, userId: string, maxOpened: number): Promise<StoredItem[]> {
  return items.all(db, [userId, maxOpened]);
}

const isShown = defineQuery({
  name: "select-shown-shelf-item",
  row: { isShown: column.boolean.neverNull },
  text: `
    SELECT EXISTS (
      SELECT FROM (SELECT $1::uuid AS user_id, $2::text AS kind, $3::text AS item_id) AS i, LATERAL (${SHOWN}) AS shown
    ) AS "isShown"`,
});

/** Whether there is such an item that the person may see. */
export async function existsForShelf(db: Queryable, userId: string, { kind, id }: ShelfItemInput): Promise<boolean> {
  return (await isShown.first(db, [userId, kind, id]))?.isShown === true;
}

const opened = defineCommand({
  name: "put-opened-item",
  text: `
    INSERT INTO shelf_items AS s (user_id, kind, item_id, opened_at) VALUES ($1, $2, $3, $4)
    ON CONFLICT (user_id, kind, item_id) DO UPDATE SET opened_at = GREATEST(s.opened_at, excluded.opened_at)`,
});

const forgotten = defineCommand({
  name: "forget-opened-items",
  text: `
    WITH old AS (
      SELECT kind, item_id FROM shelf_items WHERE user_id = $1 AND opened_at IS NOT NULL
      ORDER BY opened_at DESC, kind, item_id OFFSET $2
    ),
    kept AS (
      UPDATE shelf_items s SET opened_at = NULL FROM old
      WHERE s.user_id = $1 AND s.kind = old.kind AND s.item_id = old.item_id AND s.position IS NOT NULL
    )
    DELETE FROM shelf_items s USING old
    WHERE s.user_id = $1 AND s.kind = old.kind AND s.item_id = old.item_id AND s.position IS NULL`,
});

/** Records that an item was opened, and forgets those that were opened before so many others. */
export async function putOpened(
  db: Queryable,
  { userId, kind, id, now, max }: ShelfItemInput & { userId: string; now: Date; max: number },
): Promise<void> {
  await opened.run(db, [userId, kind, id, now]);
  await forgotten.run(db, [userId, max]);
}

const lockedUser = defineCommand({ name: "lock-shelf", text: "SELECT FROM users WHERE id = $1 FOR UPDATE" });

const favourites = defineQuery({
  name: "select-favourites",
  row: { kind: column.text.as<ShelfKind>(), id: column.text },
  text: `
    SELECT kind, item_id AS id FROM shelf_items WHERE user_id = $1 AND position IS NOT NULL ORDER BY position, kind, item_id`,
});

/** The favourites of a person in their order, locked until the end of the transaction. */
export async function selectFavouritesForUpdate(db: PoolClient, userId: string): Promise<ShelfItemInput[]> {
  await lockedUser.run(db, [userId]);
  return favourites.all(db, [userId]);
}

const orderedFavourites = defineCommand({
  name: "put-favourites",
  text: `
    WITH ordered AS (
      SELECT kind, id, number - 1 AS position FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS f (kind, id, number)
    ),
    removed AS (
      UPDATE shelf_items s SET position = NULL WHERE s.user_id = $1 AND s.position IS NOT NULL
        AND NOT EXISTS (SELECT FROM ordered o WHERE o.kind = s.kind AND o.id = s.item_id)
    )
    INSERT INTO shelf_items (user_id, kind, item_id, position) SELECT $1, kind, id, position FROM ordered
    ON CONFLICT (user_id, kind, item_id) DO UPDATE SET position = excluded.position`,
});

/** Makes these, in this order, the favourites of a person. */
export async function putFavourites(db: PoolClient, userId: string, ordered: readonly ShelfItemInput[]): Promise<void> {
  await orderedFavourites.run(db, [userId, ordered.map(({ kind }) => kind), ordered.map(({ id }) => id)]);
}
