import { useId, useState } from "react";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { Checkbox, Field, InputField, Select } from "../../components/field.tsx";
import { FormAlert } from "../../components/form-alert.tsx";
import { toasts } from "../../components/toast.ts";
import { useSubmit } from "../../components/use-submit.ts";
import { weekdayNames } from "../../dates/use-first-weekday.ts";
import { refreshBackups, type BackupSettings } from "./backup.ts";

const SUNDAY = 0;
const FREQUENCIES: readonly (readonly [BackupSettings["every"], string])[] = [
  ["hour", "Every hour"],
  ["day", "Every day"],
  ["week", "Every week"],
];
const KEPT = [
  ["keepDaily", "Days", 366],
  ["keepWeekly", "Weeks", 520],
  ["keepMonthly", "Months", 1200],
] as const;

/** Where backups go, when they are made, and how many are kept. */
export function BackupForm({ settings }: { readonly settings: BackupSettings }) {
  const client = useClient();
  const [draft, setDraft] = useState(settings);
  const [passphrase, setPassphrase] = useState("");
  const { isScheduled, place, every, dayTime, weekday, keepDaily, keepWeekly, keepMonthly, isDrilled } = draft;
  const change = (part: Partial<BackupSettings>) => setDraft({ ...draft, ...part });
  const isChanged = passphrase !== "" || JSON.stringify(draft) !== JSON.stringify(settings);
  const { error, isBusy, submit } = useSubmit(isChanged, async () => {
    const choices = { isScheduled, place, every, dayTime, weekday, keepDaily, keepWeekly, keepMonthly, isDrilled };
    const secrets = passphrase === "" ? {} : { passphrase };
    const given = { ...choices, ...secrets, expectedVersion: settings.version };
    const response = await client.api.backups.setSettings.mutate(given);
    client.queries.setQueryData(client.trpc.backups.settings.queryKey(), response);
    toasts(client).show({ message: "The backup settings have been saved" });
    await refreshBackups(client);
  });
  return (
    <form
      aria-label="Backup settings"
      className="flex flex-col gap-4 rounded-panel border border-border p-4"
      onSubmit={submit}
    >
      {error !== null && <FormAlert tone="danger">Not saved. {error}</FormAlert>}
      <Choice
        label="Make backups by schedule"
        isChosen={isScheduled}
        onChange={(chosen) => change({ isScheduled: chosen })}
      />
      <InputField
        label="Folder"
        hint={placeHint(settings)}
        className="w-full font-mono text-13"
        maxLength={1000}
        placeholder={settings.environment.place ?? "/media/disk/backups"}
        value={place ?? ""}
        onChange={({ target }) => change({ place: target.value === "" ? null : target.value })}
      />
      <InputField
        label="Passphrase"
        hint={passphraseHint(settings)}
        className="w-full font-mono text-13"
        type="password"
        autoComplete="new-password"
        minLength={8}
        maxLength={1000}
        placeholder={settings.hasPassphrase ? "••••••••••••" : ""}
        value={passphrase}
        onChange={({ target }) => setPassphrase(target.value)}
      />
      <Times draft={draft} onChange={change} />
      <Kept draft={draft} onChange={change} />
      <Choice
        label="Restore the newest backup into a temporary place once a month, to be sure that it can be done"
        isChosen={isDrilled}
        onChange={(chosen) => change({ isDrilled: chosen })}
      />
      <Button type="submit" tone="primary" className="self-start" isBusy={isBusy} disabled={!isChanged}>
        Save backup settings
      </Button>
    </form>
  );
}

interface PartProps {
  readonly draft: BackupSettings;
  readonly onChange: (part: Partial<BackupSettings>) => void;
}

function Times({ draft: { every, weekday, dayTime, timeZone }, onChange: change }: PartProps) {
  return (
    <div className="flex flex-wrap items-start gap-3">
      <Field label="When">
        {(control) => (
          <Select
            {...control}
            value={every}
            onChange={({ target }) =>
              change({ every: FREQUENCIES.find(([value]) => value === target.value)?.[0] ?? every })
            }
          >
            {FREQUENCIES.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {every === "week" && (
        <Field label="On">
          {(control) => (
            <Select {...control} value={weekday} onChange={({ target }) => change({ weekday: Number(target.value) })}>
              {weekdayNames(SUNDAY).map((name, day) => (
                <option key={name} value={day}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
      <InputField
        label="At"
        type="time"
        required
        hint={every === "hour" ? "Only the minutes count" : `In ${timeZone}`}
        value={dayTime}
        onChange={({ target }) => change({ dayTime: target.value })}
      />
    </div>
  );
}

function Kept({ draft, onChange: change }: PartProps) {
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1.5 text-13 font-medium text-strong">Keep the newest backup of each of the last</legend>
      <div className="flex flex-wrap gap-3">
        {KEPT.map(([name, label, max]) => (
          <InputField
            key={name}
            label={label}
            type="number"
            required
            min={0}
            max={max}
            className="w-24"
            value={draft[name]}
            onChange={({ target }) => change({ [name]: target.valueAsNumber })}
          />
        ))}
      </div>
      <p className="text-12 text-muted">Days without a backup do not count, and the newest of all is always kept.</p>
    </fieldset>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly isChosen: boolean;
  readonly onChange: (isChosen: boolean) => void;
}

function Choice({ label, isChosen, onChange }: ChoiceProps) {
  const id = useId();
  return (
    <div className="flex items-start gap-2 text-13 text-strong">
      <Checkbox
        id={id}
        label={label}
        className="mt-0.5"
        checked={isChosen}
        onChange={({ target }) => onChange(target.checked)}
      />
      <label htmlFor={id}>{label}</label>
    </div>
  );
}

function placeHint({ environment }: BackupSettings): string {
  const base = "On the machine of the server, best on another disk. It must be empty, or hold backups already.";
  return environment.place === null ? base : `${base} Empty for ${environment.place}, from BACKUP_DIR.`;
}

function passphraseHint({ hasPassphrase, environment }: BackupSettings): string {
  const effect =
    "Keeps others from reading the backups where they are stored. It does not protect from those who can read this " +
    "server, where it is kept as a secret. Write it down: without it nobody can restore.";
  if (hasPassphrase) return `${effect} Leave empty to keep it.`;
  if (environment.hasPassphrase) return `${effect} Leave empty for that of BACKUP_PASSPHRASE.`;
  return `${effect} Leave empty for backups that are not encrypted.`;
}
