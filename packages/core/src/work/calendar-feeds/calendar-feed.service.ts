import type { Deps } from "../../platform/deps.ts";
import { createShortHash } from "../../platform/short-hash.ts";
import { InvalidInputError, NotFoundError } from "../../platform/errors.ts";
import { isUuid } from "../../platform/ids.ts";
import { createPager, timeAndId, type Page, type Paging } from "../../platform/paging.ts";
import { createUseRecorder } from "../../access/api-keys/use-recorder.ts";
import { selectProject } from "../projects/project.queries.ts";
import {
  deleteCalendarFeed,
  insertCalendarFeed,
  selectCalendarFeedByHash,
  selectCalendarFeeds,
  selectFeedState,
  selectFeedTasks,
  updateCalendarFeedUses,
  type OpenedFeed,
} from "./calendar-feed.queries.ts";
import type {
  CalendarFeed,
  CreateCalendarFeed,
  CreatedCalendarFeed,
  RevokedCalendarFeed,
} from "./calendar-feed.schema.ts";
import { feedSecretHint, generateFeedSecret, hashFeedSecret } from "./feed-secret.ts";
import { writeFeed } from "./written-feed.ts";

const MAX_TASKS = 5_000;
/** How much of a description a feed has; the rest is on the task's page. */
const MAX_DESCRIPTION = 2_000;
/** How many written feeds are kept in memory, for programs that read them again and again. */
const MAX_WRITTEN = 16;

const readPage = createPager("calendar-feeds", timeAndId, ({ createdAt, id }: CalendarFeed) => [createdAt, id]);

export interface CalendarFeedServiceDeps extends Deps<"db" | "clock" | "ids" | "logger"> {
  /** The server's: that of due times, unless a feed has another one. */
  readonly timeZone: string;
}

export type CalendarFeedService = ReturnType<typeof createCalendarFeedService>;

export interface WrittenFeed {
  readonly text: string;
  /** Identifies the text. */
  readonly tag: string;
  readonly writtenAt: Date;
}

/** A feed in memory, with the state of the tasks that it was written from. */
interface KnownFeed extends WrittenFeed {
  readonly state: string;
}

const tagOf = createShortHash(22);

/** Creates, lists, revokes and writes the feeds in which calendar programs read tasks. */
export function createCalendarFeedService({ db, clock, ids, logger, timeZone }: CalendarFeedServiceDeps) {
  const uses = createUseRecorder({ write: (used) => updateCalendarFeedUses(db.pool, used), clock, logger });
  const written = new Map<string, KnownFeed>();

  async function write(feed: OpenedFeed, baseUrl: string, state: string): Promise<KnownFeed> {
    const tasks = await selectFeedTasks(db.pool, feed, { maxTasks: MAX_TASKS, maxDescription: MAX_DESCRIPTION });
    const text = await writeFeed(feed, tasks, (id) => `${baseUrl}/tasks/${id}`);
    return { text, tag: tagOf(text), writtenAt: clock.now(), state };
  }

  return {
    /** Newest first. */
    list: (paging: Paging = {}): Promise<Page<CalendarFeed>> =>
      readPage(paging, (range) => selectCalendarFeeds(db.pool, range)),

    /**
     * Creates a feed; this is the only time that its path is returned. Throws {@link InvalidInputError} if `projectId` is not an
     * active project.
     */
    async create(input: CreateCalendarFeed, creatorId: string): Promise<CreatedCalendarFeed> {
      const { name, content, includesDone, timezone = timeZone } = input;
      const project = input.projectId == null ? null : await requireActiveProject(input.projectId);
      const secret = generateFeedSecret();
      const feed = { id: ids(), name, content, includesDone, timezone, hint: feedSecretHint(secret) };
      const createdAt = clock.now();
      await insertCalendarFeed(db.pool, {
        ...feed,
        projectId: project?.id ?? null,
        secretHash: hashFeedSecret(secret),
        creatorId,
        createdAt,
      });
      return { ...feed, project, createdAt: createdAt.toISOString(), path: `/feeds/${secret}.ics` };
    },

    /** Revokes a feed with immediate effect: its URL does not exist any more. Throws {@link NotFoundError}. */
    async revoke(id: string): Promise<RevokedCalendarFeed> {
      const feed = isUuid(id) ? await deleteCalendarFeed(db.pool, id) : null;
      if (feed === null) throw new NotFoundError("There is no such calendar feed.");
      written.delete(id);
      return feed;
    },

    /** The feed with this secret, which counts as a use; null if there is none. */
    async open(secret: string): Promise<OpenedFeed | null> {
      const feed = await selectCalendarFeedByHash(db.pool, hashFeedSecret(secret));
      if (feed !== null) uses.record(feed.id);
      return feed;
    },

    /** The text of a feed, from memory if no task has changed. `baseUrl` is that of the dashboard, to which it links. */
    async read(feed: OpenedFeed, baseUrl: string): Promise<WrittenFeed> {
      const state = await selectFeedState(db.pool, feed.projectId);
      const known = written.get(feed.id);
      if (known?.state === state) return known;
      const next = await write(feed, baseUrl, state);
      written.delete(feed.id);
      written.set(feed.id, next);
      for (const id of written.keys()) if (written.size > MAX_WRITTEN) written.delete(id);
      return next;
    },

    /** Resolves once all recorded uses are stored. */
    close: uses.idle,
  };

  async function requireActiveProject(id: string) {
    const project = isUuid(id) ? await selectProject(db.pool, id) : null;
    if (project === null || project.deletedAt !== null)
      throw InvalidInputError.at("projectId", "expected the id of an active project");
    return { id: project.id, name: project.name, color: project.color };
  }
}
