import { PERIODS, type Period } from "../../dates/period.ts";

export const USAGE_VIEWS = ["overview", "calls", "assistants"] as const;
export type UsageView = (typeof USAGE_VIEWS)[number];

export const USAGE_SOURCES = ["chat", "agent", "memory_extraction", "memory_embedding"] as const;
export type UsageSource = (typeof USAGE_SOURCES)[number];
export const SOURCE_LABELS: Readonly<Record<UsageSource, string>> = {
  chat: "Chat",
  agent: "Agents",
  memory_extraction: "Memory",
  memory_embedding: "Search of memories",
};

/** The state of the page that is kept in the URL. */
export interface UsageSearch {
  readonly view: UsageView;
  readonly period: Period;
  readonly source: UsageSource | undefined;
  readonly text: string;
  readonly page: number;
}

/** Parses URL search parameters; invalid values are dropped. */
export function parseUsageSearch(search: Record<string, unknown>): UsageSearch {
  const { view, period, source, q, page } = search;
  const pageNumber = Number(page);
  return {
    view: USAGE_VIEWS.find((one) => one === view) ?? "overview",
    period: PERIODS.find((one) => one === period) ?? "7d",
    source: USAGE_SOURCES.find((one) => one === source),
    text: typeof q === "string" ? q : typeof q === "number" ? String(q) : "",
    page: Number.isInteger(pageNumber) && pageNumber >= 1 ? pageNumber : 1,
  };
}

/** The URL search parameters for this state; undefined removes a parameter. */
export function toUsageSearch({ view, period, source, text, page }: UsageSearch): Record<string, string | undefined> {
  return {
    view: view === "overview" ? undefined : view,
    period: period === "7d" ? undefined : period,
    source,
    q: text === "" ? undefined : text,
    page: page === 1 ? undefined : String(page),
  };
}
