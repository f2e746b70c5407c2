import { Field, InputField, Select } from "../../components/field.tsx";
import { toggled } from "../../lists/choices.ts";
import { localTimeZone } from "../../dates/local-time-zone.ts";
import { useBudget } from "../usage/use-budget.ts";
import { NextRuns } from "./next-runs.tsx";
import { missingIn, PLAN_KINDS, PLAN_LABELS, toCron, WEEK, withKind, type SchedulePlan } from "./schedule-plan.ts";
import { dayName, describePlan } from "./describe-schedule.ts";

interface ScheduleEditorProps {
  readonly plan: SchedulePlan;
  /** IANA name; null for the server's own time zone. */
  readonly timezone: string | null;
  readonly onPlan: (plan: SchedulePlan) => void;
  readonly onTimezone: (timezone: string | null) => void;
}

/** Edits when an agent runs, as a common schedule or a cron expression, and shows the result in words and dates. */
export function ScheduleEditor({ plan, timezone, onPlan, onTimezone }: ScheduleEditorProps) {
  const missing = missingIn(plan);
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="sr-only">Schedule</legend>
      <div className="grid gap-3 md:grid-cols-2">
        <Field label="Runs">
          {(control) => (
            <Select
              {...control}
              value={plan.kind}
              onChange={({ target: { value } }) =>
                onPlan(withKind(plan, PLAN_KINDS.find((kind) => kind === value) ?? plan.kind))
              }
            >
              {PLAN_KINDS.map((kind) => (
                <option key={kind} value={kind}>
                  {PLAN_LABELS[kind]}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Detail plan={plan} onPlan={onPlan} />
      </div>
      {plan.kind === "weekly" && <Days days={plan.days} onDays={(days) => onPlan({ ...plan, days })} />}
      <TimeZoneField timezone={timezone} onTimezone={onTimezone} />
      <div className="rounded-control border border-border bg-background px-3 py-2.5">
        <p className="mb-1 text-13 font-medium text-strong">{describePlan(plan)}</p>
        {missing === null ? (
          <NextRuns schedule={toCron(plan)} timezone={timezone} />
        ) : (
          <p role="status" className="text-13 text-danger">
            {missing}
          </p>
        )}
      </div>
    </fieldset>
  );
}

function Detail({ plan, onPlan }: { plan: SchedulePlan; onPlan: (plan: SchedulePlan) => void }) {
  switch (plan.kind) {
    case "hourly":
      return (
        <InputField
          label="Minutes past the hour"
          type="number"
          min={0}
          max={59}
          value={plan.minute}
          onChange={({ target: { valueAsNumber: minute } }) =>
            onPlan({ ...plan, minute: Number.isInteger(minute) ? Math.min(59, Math.max(0, minute)) : 0 })
          }
        />
      );
    case "custom":
      return (
        <InputField
          label="Expression"
          hint="Minute, hour, day, month, weekday; an optional field at the front sets the seconds."
          value={plan.expression}
          autoComplete="off"
          spellCheck={false}
          placeholder="0 9 * * 1-5"
          className="font-mono text-13"
          onChange={(event) => onPlan({ ...plan, expression: event.target.value })}
        />
      );
    case "daily":
    case "weekdays":
    case "weekly":
      return (
        <InputField
          label="At"
          type="time"
          value={plan.time}
          onChange={(event) => onPlan({ ...plan, time: event.target.value })}
        />
      );
  }
}

function Days({ days, onDays }: { days: readonly number[]; onDays: (days: readonly number[]) => void }) {
  return (
    <div role="group" aria-label="Days" className="grid grid-cols-7 gap-1">
      {WEEK.map((day) => {
        const isChosen = days.includes(day);
        return (
          <button
            key={day}
            type="button"
            aria-pressed={isChosen}
            aria-label={dayName(day)}
            className={`h-(--control-height) rounded-control border text-13 font-medium ${isChosen ? "border-accent-text bg-accent-soft text-accent-text" : "border-border text-normal hover:bg-hover"}`}
            onClick={() => onDays(toggled(days, day))}
          >
            {dayName(day).slice(0, 2)}
          </button>
        );
      })}
    </div>
  );
}

function TimeZoneField({ timezone, onTimezone }: Pick<ScheduleEditorProps, "timezone" | "onTimezone">) {
  const { data: budget } = useBudget();
  const own = localTimeZone();
  const others = Intl.supportedValuesOf("timeZone").filter((zone) => zone !== own && zone !== timezone);
  return (
    <Field label="Time zone">
      {(control) => (
        <Select
          {...control}
          value={timezone ?? ""}
          onChange={({ target: { value } }) => onTimezone(value === "" ? null : value)}
        >
          <option value="">Server’s time zone{budget === undefined ? "" : `, ${budget.timeZone}`}</option>
          <option value={own}>Yours, {own}</option>
          {timezone !== null && timezone !== own && <option value={timezone}>{timezone}</option>}
          {others.map((zone) => (
            <option key={zone} value={zone}>
              {zone}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
