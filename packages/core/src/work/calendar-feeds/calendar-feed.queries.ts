import { CalendarFeedContent, column, defineCommand, defineQuery, TaskStatus, type Pool } from "@workspace/db";
import type { RowOf } from "@workspace/db";
import type { PageRange, TimeAndId } from "../../platform/paging.ts";
import type { CalendarTask } from "../icalendar/calendar-task.ts";
import type { CalendarFeed, RevokedCalendarFeed } from "./calendar-feed.schema.ts";

const calendarFeeds = defineQuery({
  name: "select-calendar-feeds",
  row: {
    id: column.uuid,
    name: column.text,
    hint: column.text,
    projectId: column.uuid.nullable,
    projectName: column.text.nullable,
    projectColor: column.text.nullable,
    content: column.oneOf(CalendarFeedContent),
    includesDone: column.boolean,
    timezone: column.text,
    lastUsedAt: column.timestamp.nullable,
    creatorId: column.uuid,
    creatorName: column.text,
    createdAt: column.timestamp,
  },
  text: `
    SELECT f.id, f.name, f.hint, f.project_id AS "projectId", p.name AS "projectName", p.color AS "projectColor", f.content,
      f.includes_done AS "includesDone", f.time_zone AS timezone, f.last_used_at AS "lastUsedAt",
      f.creator_id AS "creatorId", u.name AS "creatorName", f.created_at AS "createdAt"
    FROM calendar_feeds f JOIN users u ON u.id = f.creator_id LEFT JOIN projects p ON p.id = f.project_id
    WHERE $2::uuid IS NULL OR (f.created_at, f.id) < ($1::timestamptz, $2)
    ORDER BY f.created_at DESC, f.id DESC LIMIT $3`,
});

/** Newest first. */
export async function selectCalendarFeeds(pool: Pool, { limit, after }: PageRange<TimeAndId>): Promise<CalendarFeed[]> {
  const rows = await calendarFeeds.all(pool, [after?.[0], after?.[1], limit]);
  return rows.map(({ projectId, projectName, projectColor, creatorId, creatorName, ...feed }) => ({
    ...feed,
    project:
      projectId === null || projectName === null || projectColor === null
        ? null
        : { id: projectId, name: projectName, color: projectColor },
    creator: { id: creatorId, name: creatorName },
  }));
}

const OPENED_FEED = {
  id: column.uuid,
  name: column.text,
  projectId: column.uuid.nullable,
  content: column.oneOf(CalendarFeedContent),
  includesDone: column.boolean,
  timezone: column.text,
};
/** What is needed to write a feed. */
export type OpenedFeed = RowOf<typeof OPENED_FEED>;

const calendarFeedByHash = defineQuery({
  name: "select-calendar-feed",
  row: OPENED_FEED,
  isPrepared: true,
  text: `
    SELECT id, name, project_id AS "projectId", content, includes_done AS "includesDone", time_zone AS timezone
    FROM calendar_feeds WHERE secret_hash = $1`,
});

/** Returns null if there is none. */
export function selectCalendarFeedByHash(pool: Pool, secretHash: string): Promise<OpenedFeed | null> {
  return calendarFeedByHash.first(pool, [secretHash]);
}

export interface NewCalendarFeed extends OpenedFeed {
  readonly secretHash: string;
  readonly hint: string;
  readonly creatorId: string;
  readonly createdAt: Date;
}

const newCalendarFeed = defineCommand({
  name: "insert-calendar-feed",
  text: `
    INSERT INTO calendar_feeds (id, name, secret_hash, hint, project_id, content, includes_done, time_zone, creator_id, created_at)
    VALUES ($1, $2, $3, $4, $5, $6::calendar_feed_content, $7, $8, $9, $10)`,
});

export async function insertCalendarFeed(pool: Pool, feed: NewCalendarFeed): Promise<void> {
  await newCalendarFeed.run(pool, [
    feed.id,
    feed.name,
    feed.secretHash,
    feed.hint,
    feed.projectId,
    feed.content,
    feed.includesDone,
    feed.timezone,
    feed.creatorId,
    feed.createdAt,
  ]);
}

const deletedCalendarFeed = defineQuery({
  name: "delete-calendar-feed",
  row: { id: column.uuid, name: column.text },
  text: "DELETE FROM calendar_feeds WHERE id = $1 RETURNING id, name",
});

/** Returns null if there is no such feed. */
export function deleteCalendarFeed(pool: Pool, id: string): Promise<RevokedCalendarFeed | null> {
  return deletedCalendarFeed.first(pool, [id]);
}

const calendarFeedUses = defineCommand({
  name: "update-calendar-feed-uses",
  text: `
    UPDATE calendar_feeds f SET last_used_at = GREATEST(f.last_used_at, used.at)
    FROM unnest($1::uuid[], $2::timestamptz[]) AS used (id, at) WHERE f.id = used.id`,
});

/** Records when feeds were last read; never moves a time backwards. Feeds that no longer exist are skipped. */
export async function updateCalendarFeedUses(pool: Pool, uses: ReadonlyMap<string, Date>): Promise<void> {
  await calendarFeedUses.run(pool, [[...uses.keys()], [...uses.values()]]);
}

const feedState = defineQuery({
  name: "select-calendar-feed-state",
  row: { state: column.text.neverNull },
  isPrepared: true,
  text: `
    SELECT concat_ws('-', count(*), sum(version), extract(epoch FROM max(modified_at))) AS state
    FROM tasks WHERE $1::uuid IS NULL OR project_id = $1`,
});

/**
 * A text that changes with the tasks of a project, or with any task: every change of one increments its version, and one that
 * arrives has just been changed.
 */
export async function selectFeedState(pool: Pool, projectId: string | null): Promise<string> {
  return (await feedState.one(pool, [projectId])).state;
}

const feedTasks = defineQuery({
  name: "select-calendar-feed-tasks",
  row: {
    id: column.uuid,
    title: column.text,
    description: column.text.nullable,
    status: column.oneOf(TaskStatus),
    priority: column.integer,
    dueDate: column.text.nullable,
    dueTime: column.text.nullable,
    tags: column.texts.neverNull,
    completedAt: column.timestamp.nullable,
    createdAt: column.timestamp,
    modifiedAt: column.timestamp,
  },
  text: `
    SELECT id, title, left(description, $4) AS description, status, priority, due_date AS "dueDate", due_time AS "dueTime", tags,
      completed_at AS "completedAt", created_at AS "createdAt", modified_at AS "modifiedAt"
    FROM tasks
    WHERE deleted_at IS NULL AND ($1::uuid IS NULL OR project_id = $1) AND ($2 OR status <> 'done')
      AND (NOT $3 OR due_date IS NOT NULL)
    ORDER BY (status = 'done'), due_date DESC NULLS LAST, created_at DESC, id LIMIT $5`,
});

/** Those to do before those done, the ones due last first, with the beginning of their descriptions. */
export function selectFeedTasks(
  pool: Pool,
  { projectId, includesDone, content }: Pick<OpenedFeed, "projectId" | "includesDone" | "content">,
  { maxTasks, maxDescription }: { maxTasks: number; maxDescription: number },
): Promise<CalendarTask[]> {
  return feedTasks.all(pool, [projectId, includesDone, content === "events", maxDescription, maxTasks]);
}
