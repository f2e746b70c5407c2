import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Outputs } from "../../api/api.ts";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { Field, Select } from "../../components/field.tsx";
import { FormAlert } from "../../components/form-alert.tsx";
import { toasts } from "../../components/toast.ts";
import { useSubmit } from "../../components/use-submit.ts";
import { localTimeZone } from "../../dates/local-time-zone.ts";
import { calendarSettingsQuery, localeFirstWeekday, weekdayNames } from "../../dates/use-first-weekday.ts";
import { refreshQueries } from "../documents/queries/run-queries.ts";
import { LoadedSettings } from "../hooks/project-settings.tsx";

type Settings = Outputs["calendarSettings"]["get"]["data"];

const SUNDAY = 0;
const DEFAULT_ZONE = "UTC";

/** With which day weeks begin, and the time zone of the server. */
export default function CalendarSettings() {
  const client = useClient();
  const query = useQuery({ ...calendarSettingsQuery(client), staleTime: 0 });
  return (
    <section aria-labelledby="calendar" className="flex flex-col gap-3">
      <h2 id="calendar" className="text-14 font-semibold text-strong">
        Calendar
      </h2>
      <LoadedSettings query={query}>
        {(settings) => <CalendarForm key={settings.version} settings={settings} />}
      </LoadedSettings>
    </section>
  );
}

function CalendarForm({ settings }: { readonly settings: Settings }) {
  const client = useClient();
  const { usedTimeZone, isFromEnvironment, version } = settings;
  const [firstWeekday, setFirstWeekday] = useState(settings.firstWeekday);
  const [timeZone, setTimeZone] = useState(settings.timeZone);
  const names = weekdayNames(SUNDAY);
  const isChanged = firstWeekday !== settings.firstWeekday || timeZone !== settings.timeZone;
  const { isBusy, isReady, error, submit } = useSubmit(isChanged, async () => {
    const change = { firstWeekday, timeZone, expectedVersion: version };
    const { data } = await client.api.calendarSettings.set.mutate(change);
    client.queries.setQueryData(calendarSettingsQuery(client).queryKey, data);
    await refreshQueries(client);
    toasts(client).show({ message: "The settings have been saved." });
  });
  return (
    <form className="flex flex-col gap-4 rounded-panel border border-border p-4" onSubmit={submit}>
      {error !== null && <FormAlert tone="danger">{error}</FormAlert>}
      <Field
        label="Weeks begin on"
        hint="In calendars, date pickers, and what “this week” means in filters and queries."
      >
        {(control) => (
          <Select
            {...control}
            value={firstWeekday ?? ""}
            onChange={({ target }) => setFirstWeekday(target.value === "" ? null : Number(target.value))}
          >
            <option value="">As the browser has it ({names[localeFirstWeekday()]})</option>
            {names.map((name, day) => (
              <option key={name} value={day}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field
        label="Time zone of the server"
        hint={
          isFromEnvironment
            ? `Set to ${usedTimeZone} by TZ in the environment of the server, which has precedence.`
            : "For schedules of agents, reminders, budgets and requests of programs. Pages use the zone of their browser."
        }
      >
        {(control) => (
          <Select
            {...control}
            disabled={isFromEnvironment}
            value={isFromEnvironment ? usedTimeZone : (timeZone ?? "")}
            onChange={({ target }) => setTimeZone(target.value === "" ? null : target.value)}
          >
            <option value="">{DEFAULT_ZONE}</option>
            {zonesWith(isFromEnvironment ? usedTimeZone : timeZone).map((zone) => (
              <option key={zone}>{zone}</option>
            ))}
          </Select>
        )}
      </Field>
      {!isFromEnvironment && (settings.timeZone ?? DEFAULT_ZONE) !== usedTimeZone && (
        <FormAlert tone="info">
          The server still uses {usedTimeZone}. It uses {settings.timeZone ?? DEFAULT_ZONE} from its next start on.
        </FormAlert>
      )}
      <Button type="submit" tone="primary" className="self-start" disabled={!isReady || isBusy}>
        Save settings
      </Button>
    </form>
  );
}

/** The zone of the browser first, and a chosen one even if the browser does not know it. */
function zonesWith(chosen: string | null): string[] {
  return [...new Set([localTimeZone(), ...(chosen === null ? [] : [chosen]), ...Intl.supportedValuesOf("timeZone")])];
}
