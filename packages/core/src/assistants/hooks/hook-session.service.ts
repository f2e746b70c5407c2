import type { Db } from "@workspace/db";
import * as z from "zod";
import { NotFoundError } from "../../platform/errors.ts";
import { createCursors, createPager, cursorText, timeAndId, toPage, type Page } from "../../platform/paging.ts";
import type { AssistantUsageTotals } from "../assistant-usage/assistant-usage.schema.ts";
import { storedProject } from "../memory/given-project.ts";
import type { GivenMemory } from "../memory/memory-injection.schema.ts";
import type { LeftOut, MemoryChunk } from "../memory/memory.schema.ts";
import type { KeptTranscript } from "../transcripts/session-transcript.schema.ts";
import { selectHookEvents, selectSessionEvents } from "./hook-event.queries.ts";
import {
  selectMentionedDocuments,
  selectMentionedTasks,
  selectSessionAssistant,
  selectSessionOverview,
} from "./hook-session.queries.ts";
import { selectKnownProjects } from "./known-projects.queries.ts";
import type { GetHookSession, HookSession, KnownProject, ListKnownProjects } from "./hook-session.schema.ts";

const MAX_BLOCKED_CALLS = 200;

const cursors = createCursors("hook-session", timeAndId);
const readProjects = createPager("known-projects", z.tuple([cursorText]), ({ project }: KnownProject) => [project]);

export interface HookSessionServiceDeps {
  readonly db: Db;
  /** The vault's folder, by which assistants refer to its files. */
  readonly vaultRoot: string;
  readonly listSessionMemories: (sessionId: string) => Promise<MemoryChunk[]>;
  readonly listGivenMemories: (sessionId: string) => Promise<GivenMemory[]>;
  readonly listLeftOut: (sessionId: string) => Promise<LeftOut[]>;
  /** Null if no transcript of the session is kept. */
  readonly findTranscript: (sessionId: string) => Promise<KeptTranscript | null>;
  /** Null if nothing was imported for the session. */
  readonly sumSessionUsage: (sessionId: string) => Promise<AssistantUsageTotals | null>;
}

export type HookSessionService = ReturnType<typeof createHookSessionService>;

/** Assembles everything that the workspace knows about an assistant session. */
export function createHookSessionService({
  db,
  vaultRoot,
  listSessionMemories,
  listGivenMemories,
  listLeftOut,
  findTranscript,
  sumSessionUsage,
}: HookSessionServiceDeps) {
  return {
    async listProjects({ given, ...paging }: ListKnownProjects): Promise<Page<KnownProject>> {
      const name = given === undefined ? null : await storedProject(db.pool, given);
      return readProjects({ ...paging, filter: { given } }, (range) => selectKnownProjects(db.pool, name, range));
    },

    /** Events are paged; everything else comes with each page. Throws {@link NotFoundError} for an unknown session. */
    async get({ sessionId, limit, cursor }: GetHookSession): Promise<{ data: HookSession; nextCursor?: string }> {
      const position = cursors.read(cursor, { sessionId });
      const after = position === undefined ? undefined : { createdAt: position[0], id: position[1] };
      const [
        overview,
        assistant,
        { events, fitting },
        blocked,
        transcript,
        memories,
        given,
        leftOut,
        usage,
        tasks,
        documents,
      ] = await Promise.all([
        selectSessionOverview(db.pool, sessionId),
        selectSessionAssistant(db.pool, sessionId),
        selectSessionEvents(db.pool, sessionId, { limit: limit + 1, after }),
        selectHookEvents(db.pool, { sessionId, blocked: true }, { limit: MAX_BLOCKED_CALLS, after: undefined }),
        findTranscript(sessionId),
        listSessionMemories(sessionId),
        listGivenMemories(sessionId),
        listLeftOut(sessionId),
        sumSessionUsage(sessionId),
        selectMentionedTasks(db.pool, sessionId),
        selectMentionedDocuments(db.pool, sessionId, vaultRoot),
      ]);
      if (overview.totalEvents === 0 && transcript === null && memories.length === 0 && usage === null) {
        throw new NotFoundError("Nothing is known about this session.");
      }
      const blockedCalls = blocked.events.slice(0, blocked.fitting);
      const project = await storedProject(db.pool, overview.projectDir);
      const { items, ...rest } = toPage(events, Math.min(limit, fitting), (event) =>
        cursors.write([event.createdAt, event.id], { sessionId }),
      );
      return {
        data: {
          sessionId,
          project,
          assistant,
          ...overview,
          events: items,
          blockedCalls,
          transcript,
          memories,
          given,
          leftOut,
          usage,
          tasks,
          documents,
        },
        ...rest,
      };
    },
  };
}
