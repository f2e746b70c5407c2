/** A schedule in the form in which users edit it; anything that fits none of the common forms is a cron expression. */
export type SchedulePlan =
  | { readonly kind: "hourly"; readonly minute: number }
  | { readonly kind: "daily"; readonly time: string }
  | { readonly kind: "weekdays"; readonly time: string }
  | { readonly kind: "weekly"; readonly days: readonly number[]; readonly time: string }
  | { readonly kind: "custom"; readonly expression: string };
export type PlanKind = SchedulePlan["kind"];

export const PLAN_KINDS = ["hourly", "daily", "weekdays", "weekly", "custom"] as const satisfies readonly PlanKind[];

export const PLAN_LABELS: Readonly<Record<PlanKind, string>> = {
  hourly: "Every hour",
  daily: "Every day",
  weekdays: "Every weekday",
  weekly: "On selected weekdays",
  custom: "Cron expression",
};

/** Numbered as in cron, with 0 for Sunday, in the order in which a week is shown. */
export const WEEK = [1, 2, 3, 4, 5, 6, 0] as const;
const DEFAULT_TIME = "09:00";
const MONDAY = 1;

/** The plan's cron expression. An invalid day or incomplete time yields an expression that the server refuses. */
export function toCron(plan: SchedulePlan): string {
  switch (plan.kind) {
    case "hourly":
      return `${plan.minute} * * * *`;
    case "daily":
      return `${clockFields(plan.time)} * * *`;
    case "weekdays":
      return `${clockFields(plan.time)} * * 1-5`;
    case "weekly":
      return `${clockFields(plan.time)} * * ${plan.days.toSorted((a, b) => a - b).join(",")}`;
    case "custom":
      return plan.expression.trim();
  }
}

/** The plan for a cron expression. */
export function planOf(expression: string): SchedulePlan {
  const [minute = "", hour = "", day, month, weekday = "", ...rest] = expression.trim().split(/\s+/);
  const custom: SchedulePlan = { kind: "custom", expression: expression.trim() };
  if (rest.length > 0 || day !== "*" || month !== "*" || !isNumberUpTo(minute, 59)) return custom;
  if (hour === "*") return weekday === "*" ? { kind: "hourly", minute: Number(minute) } : custom;
  if (!isNumberUpTo(hour, 23)) return custom;
  const time = `${hour.padStart(2, "0")}:${minute.padStart(2, "0")}`;
  if (weekday === "*") return { kind: "daily", time };
  if (weekday === "1-5") return { kind: "weekdays", time };
  if (!/^[0-6](?:,[0-6])*$/.test(weekday)) return custom;
  return { kind: "weekly", days: [...new Set(weekday.split(",").map(Number))], time };
}

/** Converts a plan to another kind, keeping what both can express. */
export function withKind(plan: SchedulePlan, kind: PlanKind): SchedulePlan {
  const time = "time" in plan ? plan.time : DEFAULT_TIME;
  switch (kind) {
    case "hourly":
      return { kind, minute: plan.kind === "hourly" ? plan.minute : 0 };
    case "daily":
    case "weekdays":
      return { kind, time };
    case "weekly":
      return { kind, days: plan.kind === "weekly" ? plan.days : [MONDAY], time };
    case "custom":
      return { kind, expression: toCron(plan) };
  }
}

/** What is missing from an incomplete plan; null if it is complete. */
export function missingIn(plan: SchedulePlan): string | null {
  if ("time" in plan && !/^\d{2}:\d{2}$/.test(plan.time)) return "Choose a time of day.";
  if (plan.kind === "weekly" && plan.days.length === 0) return "Choose at least one day.";
  if (plan.kind === "custom" && plan.expression.trim() === "")
    return "Enter an expression: minute, hour, day, month, weekday.";
  return null;
}

/** Converts "9:05" to the first two fields of an expression: "5 9". */
function clockFields(time: string): string {
  const [hour, minute] = time.split(":").map(Number);
  return `${minute ?? "?"} ${hour ?? "?"}`;
}

function isNumberUpTo(text: string, max: number): boolean {
  return /^\d{1,2}$/.test(text) && Number(text) <= max;
}
