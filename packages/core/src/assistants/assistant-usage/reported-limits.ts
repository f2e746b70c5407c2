import * as z from "zod";
import { toCreatedAt } from "../../platform/occurred-at.ts";
import type { TranscriptRecord } from "../transcripts/transcript-records.ts";
import type { ReportedLimit, UsageAssistant } from "./assistant-usage.schema.ts";

const MINUTE_MS = 60_000;
const WINDOW_MINUTES = { "five-hours": 300, week: 7 * 24 * 60 } as const;
export type LimitedWindow = keyof typeof WINDOW_MINUTES;
const LIMITED_WINDOWS: readonly LimitedWindow[] = ["five-hours", "week"];

/** Some releases of Codex report windows that are a minute shorter. */
const WINDOW_TOLERANCE_MINUTES = 3;
/** A pace over less time than this would mislead when continued until the end of the window. */
const MIN_ELAPSED_MS = 5 * MINUTE_MS;

/** How much of a limit was used, as the assistant itself reported. Times are ISO 8601 in UTC. */
export interface LimitReport {
  readonly assistant: UsageAssistant;
  readonly window: LimitedWindow;
  /** From 0 to 100. */
  readonly usedPercent: number;
  readonly resetsAt: string;
  readonly reportedAt: string;
}

const seconds = z.number().nonnegative().max(1e10);
const codexLimit = z
  .object({
    used_percent: z.number().min(0).max(100),
    window_minutes: z.number(),
    resets_at: seconds.nullish(),
    resets_in_seconds: seconds.nullish(),
  })
  .nullish()
  .catch(undefined);
const codexLimits = z.object({
  timestamp: z.iso.datetime({ offset: true }),
  payload: z.object({
    type: z.literal("token_count"),
    rate_limits: z.object({
      // Other limits are those of a single model.
      limit_id: z.literal("codex").nullish(),
      primary: codexLimit,
      secondary: codexLimit,
    }),
  }),
});

/** The limits that a record of a transcript reports: only Codex's do. Which of the two is which, only their lengths show. */
export function readLimitReports(record: TranscriptRecord, now: Date): LimitReport[] {
  if (record["type"] !== "event_msg") return [];
  const parsed = codexLimits.safeParse(record);
  if (!parsed.success) return [];
  const reportedAt = toCreatedAt(parsed.data.timestamp, now);
  const { primary, secondary } = parsed.data.payload.rate_limits;
  return [primary, secondary].flatMap((limit) => {
    if (limit === undefined || limit === null) return [];
    const window = LIMITED_WINDOWS.find((one) => isLength(limit.window_minutes, one));
    if (window === undefined) return [];
    const resetSeconds = limit.resets_at ?? Date.parse(reportedAt) / 1000 + (limit.resets_in_seconds ?? Number.NaN);
    if (Number.isNaN(resetSeconds)) return [];
    const resetsAt = new Date(resetSeconds * 1000).toISOString();
    return [{ assistant: "codex" as const, window, usedPercent: limit.used_percent, resetsAt, reportedAt }];
  });
}

function isLength(minutes: number, window: LimitedWindow): boolean {
  return Math.abs(minutes - WINDOW_MINUTES[window]) <= WINDOW_TOLERANCE_MINUTES;
}

/** The newest report of each window; of equally new ones, the last. */
export function newestLimits(reports: readonly LimitReport[]): LimitReport[] {
  const newest = new Map<string, LimitReport>();
  for (const report of reports) {
    const key = `${report.assistant} ${report.window}`;
    const known = newest.get(key);
    if (known === undefined || report.reportedAt >= known.reportedAt) newest.set(key, report);
  }
  return [...newest.values()];
}

/** A report with its forecast; null if there is none, or its window has ended. */
export function toReportedLimit(report: LimitReport | undefined, now: Date): ReportedLimit | null {
  if (report === undefined || Date.parse(report.resetsAt) <= now.getTime()) return null;
  const { usedPercent, resetsAt, reportedAt } = report;
  return { usedPercent, resetsAt, reportedAt, fullAt: fullAt(report) };
}

/** When the limit is used up at the pace since its window began; null if not before it resets, or too early for a forecast. */
function fullAt({ window, usedPercent, resetsAt, reportedAt }: LimitReport): string | null {
  if (usedPercent >= 100) return reportedAt;
  const resetMs = Date.parse(resetsAt);
  const startMs = resetMs - WINDOW_MINUTES[window] * MINUTE_MS;
  const elapsedMs = Date.parse(reportedAt) - startMs;
  if (usedPercent === 0 || elapsedMs < MIN_ELAPSED_MS) return null;
  const fullMs = startMs + (elapsedMs * 100) / usedPercent;
  return fullMs < resetMs ? new Date(fullMs).toISOString() : null;
}
