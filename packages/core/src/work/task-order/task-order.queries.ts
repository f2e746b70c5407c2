import { column, defineCommand, defineQuery, type PoolClient, type RowOf } from "@workspace/db";

const PLACE = { id: column.uuid, title: column.text, position: column.text, createdAt: column.timestamp };
export type TaskPlace = RowOf<typeof PLACE>;

const COLUMNS = `id, title, position, created_at AS "createdAt"`;

const place = defineQuery({
  name: "select-task-place",
  row: PLACE,
  text: `SELECT ${COLUMNS} FROM tasks WHERE id = $1 AND deleted_at IS NULL`,
});

/** The place of an active task in the manual order. */
export function selectPlace(client: PoolClient, id: string): Promise<TaskPlace | null> {
  return place.first(client, [id]);
}

const placesAfter = defineQuery({
  name: "select-task-places-after",
  row: PLACE,
  text: `
    SELECT ${COLUMNS} FROM tasks WHERE (position, created_at, id) > ($1, $2::timestamptz, $3::uuid) AND id <> $4
    ORDER BY position, created_at, id LIMIT $5`,
});

const placesBefore = defineQuery({
  name: "select-task-places-before",
  row: PLACE,
  text: `
    SELECT ${COLUMNS} FROM tasks WHERE (position, created_at, id) < ($1, $2::timestamptz, $3::uuid) AND id <> $4
    ORDER BY position DESC, created_at DESC, id DESC LIMIT $5`,
});

interface Neighbours {
  readonly of: TaskPlace;
  /** Is passed over. */
  readonly except: string;
  readonly limit: number;
}

/** What follows a task in the manual order, also deleted ones. */
export function selectPlacesAfter(client: PoolClient, { of, except, limit }: Neighbours): Promise<TaskPlace[]> {
  return placesAfter.all(client, [of.position, of.createdAt, of.id, except, limit]);
}

/** What precedes a task in the manual order, nearest first, also deleted ones. */
export function selectPlacesBefore(client: PoolClient, { of, except, limit }: Neighbours): Promise<TaskPlace[]> {
  return placesBefore.all(client, [of.position, of.createdAt, of.id, except, limit]);
}

const positions = defineCommand({
  name: "update-task-positions",
  text: `
    UPDATE tasks SET position = placed.position, version = version + 1
    FROM jsonb_to_recordset($1) AS placed (id uuid, position text) WHERE tasks.id = placed.id`,
});

export async function updatePositions(
  client: PoolClient,
  placed: readonly { readonly id: string; readonly position: string }[],
): Promise<void> {
  await positions.run(client, [JSON.stringify(placed)]);
}
