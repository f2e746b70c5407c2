import { column, defineCommand, defineQuery, type PoolClient, type Queryable } from "@workspace/db";
import type { ExpectedVersions } from "../../platform/entity-version.ts";
import type { PageRange } from "../../platform/paging.ts";
import type { TaskView, UpdateView, ViewSettings } from "./task-view.schema.ts";

const VIEW = {
  id: column.uuid,
  name: column.text,
  color: column.text.nullable,
  settings: column.json.as<ViewSettings>(),
  createdAt: column.timestamp,
  modifiedAt: column.timestamp,
  deletedAt: column.timestamp.nullable,
  version: column.text.neverNull,
  position: column.integer,
};

const COLUMNS = `
  id, name, color, settings, created_at AS "createdAt", modified_at AS "modifiedAt", deleted_at AS "deletedAt",
  version::text, position`;

/** A view with its place among the others. */
export type PlacedView = TaskView & { readonly position: number };
export type ViewPosition = readonly [position: number, id: string];

const viewsInOrder = defineQuery({
  name: "select-task-views",
  row: VIEW,
  text: `
    SELECT ${COLUMNS} FROM task_views
    WHERE ($1 OR deleted_at IS NULL) AND ($2::integer IS NULL OR (position, id) > ($2, $3::uuid))
    ORDER BY position, id LIMIT $4`,
});

/** In the order that people have given them. */
export function selectViews(
  db: Queryable,
  includeDeleted: boolean,
  { limit, after }: PageRange<ViewPosition>,
): Promise<PlacedView[]> {
  return viewsInOrder.all(db, [includeDeleted, after?.[0], after?.[1], limit]);
}

const viewById = defineQuery({
  name: "select-task-view",
  row: VIEW,
  text: `SELECT ${COLUMNS} FROM task_views WHERE id = $1`,
});

/** One view, deleted or not; null if there is none. */
export function selectView(db: Queryable, id: string): Promise<PlacedView | null> {
  return viewById.first(db, [id]);
}

const viewsLock = defineCommand({
  name: "lock-task-views",
  text: "SELECT pg_advisory_xact_lock(hashtext('task_views'))",
});

/** Waits until no other transaction adds or orders views. */
export async function lockViews(client: PoolClient): Promise<void> {
  await viewsLock.run(client);
}

const viewCount = defineQuery({
  name: "count-task-views",
  row: { count: column.integer.neverNull },
  text: `
    SELECT count(*)::int AS count FROM task_views WHERE deleted_at IS NULL`,
});

/** How many there are, without deleted ones. */
export async function countViews(client: PoolClient): Promise<number> {
  return (await viewCount.one(client)).count;
}

const newView = defineQuery({
  name: "insert-task-view",
  row: VIEW,
  text: `
    INSERT INTO task_views (id, name, color, settings, creator_id, created_at, modified_at, position)
    SELECT $1, $2, $3, $4::jsonb, $5, $6, $6, COALESCE((SELECT max(position) FROM task_views), 0) + 1
    RETURNING ${COLUMNS}`,
});

/** Stores a view, as the last one. */
export function insertView(
  client: PoolClient,
  view: Pick<TaskView, "id" | "name" | "color" | "settings"> & { creatorId: string; createdAt: Date },
): Promise<PlacedView> {
  const { id, name, color, settings, creatorId, createdAt } = view;
  return newView.one(client, [id, name, color, JSON.stringify(settings), creatorId, createdAt]);
}

/** The fields to change; undefined fields stay unchanged. */
export interface ViewChange {
  readonly name: string | undefined;
  readonly color: string | null | undefined;
  readonly settings: UpdateView["settings"];
  readonly modifiedAt: Date;
}

const changedView = defineQuery({
  name: "update-task-view",
  row: VIEW,
  text: `
    UPDATE task_views SET name = COALESCE($3, name), color = CASE WHEN $4 THEN $5 ELSE color END,
      settings = settings || COALESCE($6::jsonb, '{}'), modified_at = $7, version = version + 1
    WHERE id = $1 AND deleted_at IS NULL AND ($2::integer[] IS NULL OR version = ANY($2))
    RETURNING ${COLUMNS}`,
});

/** Changes an active view with one of the expected versions. Returns null if there is none. */
export function updateView(
  db: Queryable,
  { id, versions }: { id: string; versions: ExpectedVersions },
  { name, color, settings, modifiedAt }: ViewChange,
): Promise<PlacedView | null> {
  const json = settings === undefined ? null : JSON.stringify(settings);
  return changedView.first(db, [id, versions, name ?? null, color !== undefined, color ?? null, json, modifiedAt]);
}

const changedDeletion = defineQuery({
  name: "set-task-view-deleted-at",
  row: VIEW,
  text: `
    UPDATE task_views SET deleted_at = $3, version = version + 1
    WHERE id = $1 AND (deleted_at IS NULL) <> ($3::timestamptz IS NULL) AND ($2::integer[] IS NULL OR version = ANY($2))
    RETURNING ${COLUMNS}`,
});

/** Marks a view as deleted or active if it is in the other state and has one of the expected versions. Otherwise null. */
export function setViewDeletedAt(
  db: Queryable,
  { id, versions, deletedAt }: { id: string; versions: ExpectedVersions; deletedAt: Date | null },
): Promise<PlacedView | null> {
  return changedDeletion.first(db, [id, versions, deletedAt]);
}

const newOrder = defineCommand({
  name: "order-task-views",
  text: `
    UPDATE task_views v SET position = ordered.number
    FROM (
      SELECT id, row_number() OVER (ORDER BY array_position($1::uuid[], id) NULLS LAST, position, id) AS number FROM task_views
    ) AS ordered
    WHERE v.id = ordered.id AND v.position <> ordered.number`,
});

/** Puts views in this order, and all others behind them. */
export async function orderViews(client: PoolClient, ids: readonly string[]): Promise<void> {
  await newOrder.run(client, [ids]);
}
