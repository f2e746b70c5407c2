import type { Deps } from "../../platform/deps.ts";
import { InvalidInputError } from "../../platform/errors.ts";
import { toCreatedAt } from "../../platform/occurred-at.ts";
import { startOfPeriod, statisticsWindow } from "../../platform/statistics-window.ts";
import type { TranscriptSource } from "../transcripts/transcript-source.ts";
import {
  selectGroupedTotals,
  selectHoursOfUse,
  selectLimitReports,
  selectSessionTotals,
  upsertLargestUsage,
  upsertNewestLimits,
  type AssistantUsageValues,
  type GroupedTotals,
} from "./assistant-usage.queries.ts";
import {
  USAGE_ASSISTANTS,
  type AssistantLimits,
  type AssistantUsageImport,
  type AssistantUsageQuery,
  type AssistantUsageStatistics,
  type AssistantUsageTotals,
  type ImportAssistantUsage,
  type MessageUsage,
} from "./assistant-usage.schema.ts";
import { largestPerMessage } from "./largest-usage.ts";
import { currentFiveHours, sumUse } from "./limit-windows.ts";
import { progressOfFiveHours, progressOfSevenDays } from "./own-limit-progress.ts";
import type { OwnLimitsService } from "./own-limits.service.ts";
import { newestLimits, toReportedLimit, type LimitedWindow } from "./reported-limits.ts";
import { readTranscriptUsage, type TranscriptUsage } from "./transcript-usage.ts";

export interface AssistantUsageServiceDeps extends Deps<"db" | "clock" | "ids" | "events"> {
  readonly transcripts: TranscriptSource;
  /** Returns what an answer would cost at the present list prices, in dollars; null if that is not known. */
  readonly readPricing: () => Promise<(report: MessageUsage) => number | null>;
  /** The limits that a person has entered. */
  readonly ownLimits: Pick<OwnLimitsService, "get">;
}

export type AssistantUsageService = ReturnType<typeof createAssistantUsageService>;

/** The maximum number of rows per statement, which is serialized in one step. */
const MAX_ROWS = 1000;

const NO_USAGE: AssistantUsageTotals = {
  messages: 0,
  inputTokens: 0,
  outputTokens: 0,
  cacheCreationInputTokens: 0,
  cacheReadInputTokens: 0,
  totalTokens: 0,
  costUsd: null,
};

/** The usage of the assistants' own sessions, as opposed to what the workspace itself spends. */
export function createAssistantUsageService(deps: AssistantUsageServiceDeps) {
  const { db, clock, ids, events, transcripts, readPricing, ownLimits } = deps;

  async function collectReports(input: ImportAssistantUsage, now: Date): Promise<TranscriptUsage> {
    if (input.messages !== undefined) return { reports: input.messages, limits: [] };
    if (input.transcript === undefined && input.transcriptPath === undefined) {
      throw InvalidInputError.at("messages", "messages, transcript or transcriptPath is required");
    }
    return readTranscriptUsage(await transcripts.read(input), input.sessionId, now);
  }

  return {
    /**
     * Idempotent: an answer that is already known changes nothing unless it is reported with more tokens. Answers are stored in
     * batches of a thousand; after a failure, earlier batches remain, and importing again adds the rest. Throws like
     * {@link TranscriptSource.read} and {@link readTranscriptUsage}.
     */
    async import(input: ImportAssistantUsage): Promise<AssistantUsageImport> {
      const now = clock.now();
      const collected = await collectReports(input, now);
      if (collected.limits.length > 0) await upsertNewestLimits(db.pool, newestLimits(collected.limits));
      const reports = await largestPerMessage(collected.reports);
      if (reports.length === 0) return { received: 0, added: 0, updated: 0 };
      const costOf = await readPricing();
      const toValues = (report: MessageUsage): AssistantUsageValues => ({
        id: ids(),
        sessionId: input.sessionId,
        projectPath: input.projectPath ?? null,
        messageId: report.messageId,
        requestId: report.requestId ?? "",
        assistant: report.assistant ?? null,
        model: report.model ?? null,
        inputTokens: report.inputTokens,
        outputTokens: report.outputTokens,
        cacheCreationInputTokens: report.cacheCreationInputTokens ?? 0,
        cacheReadInputTokens: report.cacheReadInputTokens ?? 0,
        costUsd: report.costUsd ?? costOf(report),
        createdAt: toCreatedAt(report.occurredAt, now),
      });
      const result = { added: 0, updated: 0 };
      for (let start = 0; start < reports.length; start += MAX_ROWS) {
        const rows = reports.slice(start, start + MAX_ROWS).map(toValues);
        const { added, updated } = await upsertLargestUsage(db.pool, rows);
        result.added += added;
        result.updated += updated;
      }
      if (result.added + result.updated > 0) {
        events.publish({
          resource: "usage",
          action: "edit",
          resourceId: input.sessionId,
          resourceName: "Assistant session",
        });
      }
      return { received: reports.length, ...result };
    },

    /** Null if nothing was imported for the session. */
    sumSession(sessionId: string): Promise<AssistantUsageTotals | null> {
      return selectSessionTotals(db.pool, sessionId);
    },

    async summarize({ period, ...bucketZone }: AssistantUsageQuery): Promise<AssistantUsageStatistics> {
      return toStatistics(await selectGroupedTotals(db.pool, statisticsWindow(period, bucketZone, clock.now())));
    },

    /** What each assistant used in its current windows. Which windows a subscription has, only its vendor knows. */
    async limits(): Promise<AssistantLimits> {
      const now = clock.now();
      const from = startOfPeriod("7d", now);
      const [hours, reports, entered] = await Promise.all([
        selectHoursOfUse(db.pool, { from, to: now }),
        selectLimitReports(db.pool, now),
        ownLimits.get(),
      ]);
      const assistants = USAGE_ASSISTANTS.flatMap((assistant) => {
        const used = hours.filter((hour) => hour.assistant === assistant);
        if (used.length === 0) return [];
        const lastSevenDays = { startsAt: from.toISOString(), ...sumUse(used) };
        const reportOf = (window: LimitedWindow) =>
          toReportedLimit(
            reports.find((report) => report.assistant === assistant && report.window === window),
            now,
          );
        const reported = { fiveHours: reportOf("five-hours"), week: reportOf("week") };
        const fiveHours = currentFiveHours(used, now);
        const limits = entered.assistants.find((row) => row.assistant === assistant);
        const own = {
          fiveHours: limits?.fiveHours ? progressOfFiveHours(limits.fiveHours, fiveHours, now) : null,
          sevenDays: limits?.sevenDays ? progressOfSevenDays(limits.sevenDays, used, now) : null,
        };
        return [{ assistant, fiveHours, lastSevenDays, reported, own }];
      });
      assistants.sort((one, other) => other.lastSevenDays.totalTokens - one.lastSevenDays.totalTokens);
      return { assistants };
    },
  };
}

function toStatistics(rows: readonly GroupedTotals[]): AssistantUsageStatistics {
  const statistics: AssistantUsageStatistics = { ...NO_USAGE, sessions: 0, dailyUsage: [], byModel: [], byProject: [] };
  for (const { groupedBy, day, model, projectPath, sessions, ...totals } of rows) {
    // Days without usage form a group of their own, with neither model nor project.
    const isEmpty = totals.messages === 0;
    if (groupedBy === "nothing") Object.assign(statistics, totals, { sessions });
    else if (groupedBy === "day" && day !== null) statistics.dailyUsage.push({ date: day, ...totals });
    else if (groupedBy === "model" && !isEmpty) statistics.byModel.push({ model, ...totals });
    else if (groupedBy === "project" && !isEmpty) statistics.byProject.push({ projectPath, ...totals });
  }
  return statistics;
}
