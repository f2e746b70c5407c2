import * as z from "zod";
import { isTimeZone } from "./time-zone.ts";

const HOUR_MS = 60 * 60 * 1000;
const PERIOD_MS = { "24h": 24 * HOUR_MS, "7d": 168 * HOUR_MS, "30d": 720 * HOUR_MS } as const;

/** A rolling window that ends now. */
export const period = z.enum(["24h", "7d", "30d"]).meta({ description: "A rolling window that ends now" });
export type Period = z.infer<typeof period>;

/** The time zone for counting by day or hour: a named zone or a fixed offset; UTC by default. */
export const bucketZoneInput = {
  tz: z
    .string()
    .refine(isTimeZone, "expected the IANA name of a time zone, such as Europe/Berlin")
    .optional()
    .meta({ description: "The IANA name of the time zone for counting by day or hour; UTC by default" }),
  tzOffset: z
    .number()
    .int()
    .min(-14 * 60)
    .max(14 * 60)
    .optional()
    .meta({ description: "Minutes, with the sign of JavaScript's getTimezoneOffset: positive is behind UTC" }),
};

export interface StatisticsWindow {
  readonly from: Date;
  readonly to: Date;
  /** The name of the time zone, for PostgreSQL's AT TIME ZONE. */
  readonly zone: string;
}

/** If both a zone and an offset are given, the zone wins: it knows about daylight saving time. */
export function statisticsWindow(
  period: Period,
  { tz, tzOffset }: { tz?: string | undefined; tzOffset?: number | undefined },
  now: Date,
): StatisticsWindow {
  const zone = tz ?? (tzOffset === undefined ? "UTC" : fixedZone(tzOffset));
  return { from: startOfPeriod(period, now), to: now, zone };
}

export function startOfPeriod(period: Period, now: Date): Date {
  return new Date(now.getTime() - PERIOD_MS[period]);
}

/** In PostgreSQL's notation for a zone with a fixed offset, positive also means behind UTC. */
function fixedZone(tzOffset: number): string {
  const minutes = Math.abs(tzOffset);
  const [hour, minute] = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, "0"));
  return `<local>${tzOffset < 0 ? "-" : "+"}${hour}:${minute}`;
}

export type Granularity = "day" | "hour";

const LABEL_FORMATS: Record<Granularity, string> = { day: "YYYY-MM-DD", hour: 'YYYY-MM-DD"T"HH24' };

/** SQL for the local day or hour of a timestamp, to group by. `zone` is a parameter such as `$3`. */
export function bucketOf(timestamp: string, granularity: Granularity, zone: string): string {
  return `date_trunc('${granularity}', ${timestamp} AT TIME ZONE ${zone})`;
}

/** SQL for the label of a bucket in responses. */
export function bucketLabel(bucket: string, granularity: Granularity): string {
  return `to_char(${bucket}, '${LABEL_FORMATS[granularity]}')`;
}

/**
 * SQL for a subquery with one column, `bucket`, that contains every local day or hour in the window exactly once. The step
 * is shorter than any bucket, so that days and hours shortened by a clock change are included and skipped hours are not.
 */
export function bucketsOfWindow(granularity: Granularity, { from, to, zone }: Record<"from" | "to" | "zone", string>) {
  return `(
    SELECT DISTINCT ${bucketOf("instant", granularity, zone)} AS bucket FROM (
      SELECT generate_series(${from}::timestamptz, ${to}::timestamptz, interval '15 minutes') AS instant
      UNION ALL SELECT ${to}::timestamptz
    ) AS instants
  )`;
}

/** The share of a whole as a percentage from 0 to 100 with up to two decimals; 0 if the whole is 0. */
export function percentage(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 100;
}
