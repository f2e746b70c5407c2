import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { trpc } from "../../api/trpc.ts";
import type { Outputs } from "../../api/api.ts";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { Field, InputField, Select } from "../../components/field.tsx";
import { FormAlert } from "../../components/form-alert.tsx";
import { toasts } from "../../components/toast.ts";
import { useSubmit } from "../../components/use-submit.ts";
import { localTimeZone } from "../../dates/local-time-zone.ts";
import { LoadedSettings } from "../hooks/project-settings.tsx";

type Default = Outputs["tasks"]["reminderDefault"]["data"];

const OFFSETS: readonly (readonly [minutes: number, label: string])[] = [
  [0, "When it is due"],
  [5, "5 minutes before"],
  [10, "10 minutes before"],
  [30, "30 minutes before"],
  [60, "1 hour before"],
  [120, "2 hours before"],
  [1440, "1 day before"],
];

/** When the user is reminded of tasks without asking for each. */
export function ReminderDefault() {
  const client = useClient();
  const query = useQuery({ ...trpc(client).tasks.reminderDefault.queryOptions(), select: ({ data }) => data });
  return (
    <section aria-labelledby="reminders" className="flex flex-col gap-2">
      <h2 id="reminders" className="text-14 font-semibold text-strong">
        Reminders
      </h2>
      <p className="text-normal">
        Of each task that is due and yours: handed to you, or created by you and handed to nobody.
      </p>
      <LoadedSettings query={query}>
        {(stored) => <DefaultForm key={JSON.stringify(stored)} stored={stored} />}
      </LoadedSettings>
    </section>
  );
}

function DefaultForm({ stored }: { readonly stored: Default }) {
  const client = useClient();
  const [minutes, setMinutes] = useState(stored.minutesBefore === null ? "" : String(stored.minutesBefore));
  const [dayTime, setDayTime] = useState(stored.dayTime ?? "");
  const minutesBefore = minutes === "" ? null : Number(minutes);
  const isChanged = minutesBefore !== stored.minutesBefore || dayTime !== (stored.dayTime ?? "");
  const { error, isBusy, submit } = useSubmit(isChanged, async () => {
    const given = { minutesBefore, dayTime: dayTime === "" ? null : dayTime, timezone: localTimeZone() };
    const response = await client.api.tasks.setReminderDefault.mutate(given);
    client.queries.setQueryData(trpc(client).tasks.reminderDefault.queryKey(), response);
    toasts(client).show({ message: "Your reminders have been saved" });
  });
  const isOther = minutesBefore !== null && !OFFSETS.some(([offset]) => offset === minutesBefore);
  return (
    <form aria-label="Default reminder" className="flex flex-col gap-3" onSubmit={submit}>
      {error !== null && <FormAlert tone="danger">Not saved. {error}</FormAlert>}
      <div className="flex flex-wrap items-end gap-3">
        <Field label="Due at a time">
          {(control) => (
            <Select {...control} value={minutes} onChange={(event) => setMinutes(event.target.value)}>
              <option value="">No reminder</option>
              {OFFSETS.map(([offset, label]) => (
                <option key={offset} value={offset}>
                  {label}
                </option>
              ))}
              {isOther && <option value={minutes}>{minutes} minutes before</option>}
            </Select>
          )}
        </Field>
        <InputField
          label="Due on a day, at"
          type="time"
          value={dayTime}
          onChange={(event) => setDayTime(event.target.value)}
        />
        {dayTime !== "" && (
          <Button tone="ghost" onClick={() => setDayTime("")}>
            No reminder on the day
          </Button>
        )}
        <Button type="submit" isBusy={isBusy} disabled={!isChanged}>
          Save reminders
        </Button>
      </div>
    </form>
  );
}
