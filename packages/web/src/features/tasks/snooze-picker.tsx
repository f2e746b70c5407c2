import { AlarmClock, AlarmClockOff } from "lucide-react";
import { useState } from "react";
import { useClient } from "../../client/use-client.ts";
import { OptionList } from "../../components/option-list.tsx";
import { chosenFirstWeekday } from "../../dates/use-first-weekday.ts";
import { useToday } from "../../dates/use-now.ts";
import { formatSnooze, snoozeChoices, snoozeEnd } from "./snooze-times.ts";
import { useTaskReader } from "./task-reader.ts";

export interface SnoozeChooser {
  readonly isSnoozed: boolean;
  onPick(until: string | null): void;
}

/** Picks until when tasks are out of sight, by name or in words. */
export function SnoozePicker({ isSnoozed, onPick }: SnoozeChooser) {
  const client = useClient();
  const reader = useTaskReader();
  const today = useToday();
  const [choices] = useState(() => snoozeChoices(new Date(), chosenFirstWeekday(client)));
  const read = (text: string) => {
    const due = reader?.readDue(client, text) ?? null;
    const end = due === null ? null : snoozeEnd(due.dueDate, due.dueTime);
    return end !== null && end > new Date() ? end.toISOString() : null;
  };
  const icon = <AlarmClock size={16} className="text-muted" />;
  const end = { value: null, label: "End the snooze", icon: <AlarmClockOff size={16} className="text-muted" /> };
  const options = choices.map(({ label, until }) => ({
    value: until.toISOString(),
    label: `${label} · ${formatSnooze(until.toISOString(), today).replace(/^(Today|Tomorrow) /, "")}`,
    icon,
  }));
  return (
    <OptionList<string | null>
      label="Snooze until"
      options={isSnoozed ? [...options, end] : options}
      chosen={new Set()}
      onPick={onPick}
      onCreate={(text) => {
        const until = read(text);
        if (until !== null) onPick(until);
      }}
      createLabel={(text) => {
        const until = read(text);
        return until === null ? "Not a time to come that can be read" : `Until ${formatSnooze(until, today)}`;
      }}
    />
  );
}
