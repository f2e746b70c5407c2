import type { BackupService } from "../../access/backups/backup.service.ts";
import type { Deps } from "../../platform/deps.ts";
import { urlOf } from "../search/search-url.ts";
import {
  putReadAt,
  selectAgentNews,
  selectBlockedCalls,
  selectNews,
  selectStartOfNews,
  selectSums,
  type StoredAgentNews,
  type StoredNews,
} from "./home.queries.ts";
import { MAX_NEWS_DAYS, type AgentNews, type News, type NewsItem } from "./home.schema.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

export interface HomeServiceDeps extends Deps<"db" | "clock"> {
  readonly backups: Pick<BackupService, "findProblem">;
}

export type HomeService = ReturnType<typeof createHomeService>;

/** What happened in the workspace since a person last looked. */
export function createHomeService({ db, clock, backups }: HomeServiceDeps) {
  async function readNews(userId: string): Promise<News> {
    const until = clock.now();
    const { readAt, isFirst } = await selectStartOfNews(db.pool, userId);
    const since = new Date(Math.max(Date.parse(readAt), until.getTime() - MAX_NEWS_DAYS * DAY_MS));
    const [items, agents, blockedCalls, sums, problem] = await Promise.all([
      selectNews(db.pool, userId, since),
      selectAgentNews(db.pool, since),
      selectBlockedCalls(db.pool, since),
      selectSums(db.pool, since),
      backups.findProblem(),
    ]);
    const { costUsd = 0, isCostKnown = true, assistantsCostUsd = 0, isAssistantsCostKnown = true } = sums ?? {};
    return {
      since: since.toISOString(),
      isFirst,
      until: until.toISOString(),
      items: items.map(toItem),
      totalItems: items[0]?.total ?? 0,
      agents: agents.map(toAgentNews),
      totalAgents: agents[0]?.total ?? 0,
      blockedCalls,
      backupProblem: problem && { kind: problem.kind, message: problem.run.message, at: problem.run.startedAt },
      memories: { learnt: sums?.learnt ?? 0, toReview: sums?.toReview ?? 0 },
      spend: {
        workspace: { costUsd, isCostKnown },
        assistants: { costUsd: assistantsCostUsd, isCostKnown: isAssistantsCostKnown },
      },
    };
  }

  return {
    news: readNews,

    /** Marks the news up to a time as read, on all of the person's devices. What comes later is still news. */
    async read(until: string, userId: string): Promise<News> {
      const time = Math.min(Date.parse(until), clock.now().getTime());
      await putReadAt(db.pool, userId, new Date(time));
      return readNews(userId);
    },
  };
}

function toItem(stored: StoredNews): NewsItem {
  const { total: _, ...item } = stored;
  return { ...item, url: urlOf(item.kind, item.id, item) };
}

function toAgentNews({ agentId, name, runs, failed, runId, status, text, completedAt }: StoredAgentNews): AgentNews {
  return { agentId, name, runs, failed, last: { id: runId, status, text, completedAt } };
}
