import { useQuery } from "@tanstack/react-query";
import { conditionOf, ME, NONE, OPEN, printFilter, type TaskField } from "@workspace/core/task-filter";
import { useState } from "react";
import { trpc } from "../../api/trpc.ts";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { Calendar } from "../../components/calendar.tsx";
import { OptionList, type Option } from "../../components/option-list.tsx";
import { dayOf, isPlainDate, toPlainDate } from "../../dates/day.ts";
import { useToday } from "../../dates/use-now.ts";
import { toggled } from "../../lists/choices.ts";
import { useProjects } from "../projects/project-collection.ts";
import { useTagsInUse } from "./tags-in-use.ts";
import { BOARD_STATUSES, PRIORITIES, PRIORITY_LABELS, STATUS_LABELS } from "./task.ts";

/** The fields for which there are values to pick. */
const FIELDS = [
  ["status", "Status"],
  ["priority", "Priority"],
  ["project", "Project"],
  ["tag", "Tag"],
  ["due", "Due"],
  ["assignee", "Person or agent"],
  ["claimed", "Claimed"],
  ["created", "Created"],
  ["completed", "Completed"],
] as const satisfies readonly (readonly [TaskField, string])[];
type PickedField = (typeof FIELDS)[number][0];

const TO_COME = ["overdue", "today", "tomorrow", "this-week", "next-week", "next-7-days", "this-month", "later"];
const PAST = ["today", "yesterday", "this-week", "last-week", "last-7-days", "this-month", "last-month"];

interface ConditionPickerProps {
  /** Shows the text of a condition at the end of the filter, in place of the one before; empty for none. */
  readonly onPick: (condition: string) => void;
  /** The condition stays; another one may follow. */
  readonly onDone: () => void;
}

/** Makes a condition by choosing a field, and values from a list or days from a month. */
export function ConditionPicker({ onPick, onDone }: ConditionPickerProps) {
  const [field, setField] = useState<PickedField | null>(null);
  const [values, setValues] = useState<readonly string[]>([]);
  const show = (next: PickedField | null) => {
    onDone();
    setField(next === field ? null : next);
    setValues([]);
  };
  const pick = (value: string) => {
    if (field === null) return;
    const chosen = toggled(values, value);
    setValues(chosen);
    onPick(chosen.length === 0 ? "" : printFilter(conditionOf(field, "is", chosen)));
  };
  return (
    <>
      <div role="group" aria-label="Add a condition" className="flex flex-wrap gap-1">
        {FIELDS.map(([name, label]) => (
          <Button
            key={name}
            size="small"
            tone={name === field ? "accent" : "ghost"}
            className={name === field ? "bg-accent-soft" : ""}
            aria-expanded={name === field}
            onClick={() => show(name)}
          >
            {label}
          </Button>
        ))}
      </div>
      {field !== null && (
        <div className="max-h-72 overflow-y-auto rounded-control border border-border [&>[cmdk-root]]:w-full">
          <Values key={field} field={field} values={values} onPick={pick} />
        </div>
      )}
    </>
  );
}

interface ValuesProps {
  readonly field: PickedField;
  readonly values: readonly string[];
  readonly onPick: (value: string) => void;
}

function Values({ field, values, onPick }: ValuesProps) {
  const options = useOptions(field);
  const hasDays = field === "due" || field === "created" || field === "completed";
  return (
    <>
      <OptionList label={`Values of ${field}`} options={options} chosen={new Set(values)} onPick={onPick} />
      {hasDays && <Days values={values} onPick={onPick} />}
    </>
  );
}

function Days({ values, onPick }: Omit<ValuesProps, "field">) {
  const today = useToday();
  const [month, setMonth] = useState(today);
  const chosen = values.find(isPlainDate);
  return (
    <div className="border-t border-border p-2">
      <Calendar
        today={today}
        chosen={chosen === undefined ? null : dayOf(chosen)}
        month={month}
        onMonthChange={setMonth}
        onPick={(day) => onPick(toPlainDate(day))}
      />
    </div>
  );
}

function useOptions(field: PickedField): Option<string>[] {
  const client = useClient();
  const { rows: projects } = useProjects();
  const tags = useTagsInUse();
  const { data: parties } = useQuery({ ...trpc(client).tasks.parties.queryOptions(), enabled: field === "assignee" });
  const plain = (value: string): Option<string> => ({ value, label: value });
  switch (field) {
    case "status":
      return [
        { value: OPEN, label: "Not done" },
        ...BOARD_STATUSES.map((value) => ({ value, label: STATUS_LABELS[value] })),
      ];
    case "priority":
      return PRIORITIES.map((value) => ({ value: String(value), label: PRIORITY_LABELS[value] }));
    case "project":
      return [{ value: NONE, label: "No project" }, ...projects.map(({ name }) => plain(name))];
    case "tag":
      return [{ value: NONE, label: "No tag" }, ...tags.map(plain)];
    case "assignee":
      return [
        { value: ME, label: "Me" },
        { value: NONE, label: "Nobody in particular" },
        ...(parties?.data ?? []).map(({ name }) => plain(name)),
      ];
    case "claimed":
      return [
        { value: "yes", label: "Claimed" },
        { value: "no", label: "Not claimed" },
      ];
    case "due":
      return [...TO_COME.map(dayOption), { value: NONE, label: "No due date" }];
    case "created":
      return PAST.map(dayOption);
    case "completed":
      return [...PAST.map(dayOption), { value: NONE, label: "Not completed" }];
  }
}

function dayOption(value: string): Option<string> {
  const words = value.replaceAll("-", " ");
  return { value, label: `${words.charAt(0).toUpperCase()}${words.slice(1)}` };
}
