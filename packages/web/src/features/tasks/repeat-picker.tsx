import { CircleCheck, CircleOff, Repeat, SkipForward } from "lucide-react";
import { useClient } from "../../client/use-client.ts";
import { OptionList } from "../../components/option-list.tsx";
import { useToday } from "../../dates/use-now.ts";
import { capitalized, describeRepeat } from "./describe-repeat.ts";
import { dueFieldsOf } from "./new-task-draft.ts";
import type { Task, TaskPatch } from "./task.ts";
import { useTaskReader } from "./task-reader.ts";

const RULES = [
  "FREQ=DAILY",
  "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
  "FREQ=WEEKLY",
  "FREQ=WEEKLY;INTERVAL=2",
  "FREQ=MONTHLY",
  "FREQ=YEARLY",
];

export interface RepeatChooser {
  /** The rules of the tasks; null for none. */
  readonly chosen: ReadonlySet<string | null>;
  /** From what they count, if they have that in common. */
  readonly repeatFrom: Task["repeatFrom"] | null;
  onPick(patch: Pick<TaskPatch, "repeat" | "repeatFrom" | "repeatTimezone" | "dueDate" | "dueTime">): void;
  onSkip(): void;
}

/** Picks how often tasks repeat, by name or in words, and moves them to their next dates. */
export function RepeatPicker({ chosen, repeatFrom, onPick, onSkip }: RepeatChooser) {
  const client = useClient();
  const reader = useTaskReader();
  const today = useToday();
  const read = (text: string) => reader?.readRepeat(client, text) ?? null;
  const repeats = [...chosen].some((rule) => rule !== null);
  const nextOrigin = repeatFrom === "completion" ? "due" : "completion";
  const existing = [
    { value: "skip", label: "Skip to the next date", icon: <SkipForward size={16} className="text-muted" /> },
    {
      value: nextOrigin,
      label: nextOrigin === "due" ? "Count from the due date" : "Count from when it is done",
      icon: <CircleCheck size={16} className="text-muted" />,
    },
    { value: "none", label: "Repeat no more", icon: <CircleOff size={16} className="text-muted" /> },
  ];
  const own = [...chosen].flatMap((rule) => (rule === null || RULES.includes(rule) ? [] : [rule]));
  const rules = [...own, ...RULES].map((rule) => ({
    value: rule,
    label: capitalized(describeRepeat(rule, { today })),
    icon: <Repeat size={16} className="text-muted" />,
  }));
  const pick = (value: string | null) => {
    if (value === "skip") onSkip();
    else if (value === "none") onPick({ repeat: null });
    else if (value === "due" || value === "completion") onPick({ repeatFrom: value });
    else if (value !== null) onPick(dueFieldsOf({ repeat: value }));
  };
  return (
    <OptionList<string | null>
      label="Every 2 weeks, jeden Montag"
      options={repeats ? [...existing, ...rules] : rules}
      chosen={chosen}
      onPick={pick}
      onCreate={(text) => {
        const repeat = read(text);
        if (repeat !== null) onPick(dueFieldsOf(repeat));
      }}
      createLabel={(text) => {
        const repeat = read(text);
        if (repeat === null) return "Not a repetition that can be read";
        return capitalized(describeRepeat(repeat.repeat, { today, repeatFrom: repeat.repeatFrom ?? "due" }));
      }}
    />
  );
}
