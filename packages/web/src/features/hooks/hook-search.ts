import type { Inputs } from "../../api/api.ts";
import { PERIODS, type Period } from "../../dates/period.ts";
import { joinChoices, splitChoices } from "../../lists/choices.ts";
import { isHookEventType, type HookEventType } from "./hook-event.ts";

export const HOOK_VIEWS = ["timeline", "sessions", "statistics", "policy", "memory"] as const;
export type HookView = (typeof HOOK_VIEWS)[number];

/** The state of the page that is kept in the URL. */
export interface HookSearch {
  readonly types: readonly HookEventType[];
  readonly tool: string | undefined;
  readonly session: string | undefined;
  readonly isBlocked: boolean;
  readonly view: HookView;
  readonly period: Period;
}

export type HookFilter = Pick<HookSearch, "types" | "tool" | "session" | "isBlocked">;

export const NO_HOOK_FILTER: HookFilter = { types: [], tool: undefined, session: undefined, isBlocked: false };

/** Parses URL search parameters; invalid values are dropped. */
export function parseHookSearch(search: Record<string, unknown>): HookSearch {
  const text = (name: string) => {
    const value = search[name];
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  return {
    types: splitChoices(text("type")).filter(isHookEventType),
    tool: text("tool"),
    session: text("session"),
    isBlocked: text("blocked") === "1",
    view: HOOK_VIEWS.find((view) => view === text("view")) ?? "timeline",
    period: PERIODS.find((period) => period === text("period")) ?? "7d",
  };
}

/** The URL search parameters for this state; undefined removes a parameter. */
export function toHookSearch({
  types,
  tool,
  session,
  isBlocked,
  view,
  period,
}: HookSearch): Record<string, string | undefined> {
  return {
    type: joinChoices(types),
    tool,
    session,
    blocked: isBlocked ? "1" : undefined,
    view: view === "timeline" ? undefined : view,
    period: period === "7d" ? undefined : period,
  };
}

export function isFiltering({ types, tool, session, isBlocked }: HookFilter): boolean {
  return types.length > 0 || tool !== undefined || session !== undefined || isBlocked;
}

/** Converts the filter to the server's input. */
export function toListInput({ types, tool, session, isBlocked }: HookFilter): Inputs["hooks"]["listEvents"] {
  return {
    ...(types.length > 0 && { eventType: [...types] }),
    ...(tool !== undefined && { toolName: tool }),
    ...(session !== undefined && { sessionId: session }),
    ...(isBlocked && { blocked: true }),
  };
}
