import { useId, useState } from "react";
import { trpc } from "../../api/trpc.ts";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { Checkbox } from "../../components/checkbox.tsx";
import { Field, InputField, Select } from "../../components/field.tsx";
import { FormAlert } from "../../components/form-alert.tsx";
import { toasts } from "../../components/toast.ts";
import { useSubmit } from "../../components/use-submit.ts";
import { weekdayNames } from "../../dates/use-first-weekday.ts";
import { refreshBackups, type BackupSettings } from "./backup.ts";

const SUNDAY = 0;
const EMPTY_STORE = { endpoint: "", region: "us-east-1", accessKeyId: "" };
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
  const [secretKey, setSecretKey] = useState("");
  const { isScheduled, place, every, dayTime, weekday, keepDaily, keepWeekly, keepMonthly, isDrilled } = draft;
  const change = (part: Partial<BackupSettings>) => setDraft({ ...draft, ...part });
  const isChanged = passphrase !== "" || secretKey !== "" || JSON.stringify(draft) !== JSON.stringify(settings);
  const { error, isBusy, submit } = useSubmit(isChanged, async () => {
    const choices = { isScheduled, place, every, dayTime, weekday, keepDaily, keepWeekly, keepMonthly, isDrilled };
    const secrets = passphrase === "" ? {} : { passphrase };
    const given = { ...choices, ...secrets, s3: toGivenS3(draft, secretKey), expectedVersion: settings.version };
    const response = await client.api.backups.setSettings.mutate(given);
    client.queries.setQueryData(trpc(client).backups.settings.queryKey(), response);
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
        label="Folder or bucket"
        hint={placeHint(settings)}
        className="w-full font-mono text-13"
        maxLength={1000}
        placeholder={settings.environment.place ?? "/media/disk/backups"}
        value={place ?? ""}
        onChange={({ target }) => change({ place: target.value === "" ? null : target.value })}
      />
      {place?.startsWith("s3://") === true && (
        <StoreFields
          draft={draft}
          stored={settings.s3}
          secretKey={secretKey}
          onChange={change}
          onSecret={setSecretKey}
        />
      )}
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

interface StoreFieldsProps extends PartProps {
  readonly stored: BackupSettings["s3"];
  readonly secretKey: string;
  readonly onSecret: (secretKey: string) => void;
}

function StoreFields({ draft, stored, secretKey, onChange, onSecret }: StoreFieldsProps) {
  const s3 = draft.s3 ?? EMPTY_STORE;
  const change = (part: Partial<typeof s3>) => onChange({ s3: { ...s3, ...part } });
  const isOptional = draft.environment.hasS3;
  const wide = "w-full font-mono text-13";
  return (
    <div role="group" aria-label="S3-compatible store" className="flex flex-col gap-4">
      <InputField
        label="Endpoint"
        hint={isOptional ? "Empty for that of BACKUP_S3_ENDPOINT." : "The URL of the S3-compatible store."}
        className={wide}
        type="url"
        required={!isOptional}
        maxLength={500}
        placeholder="https://s3.eu-central-1.amazonaws.com"
        value={s3.endpoint}
        onChange={({ target }) => change({ endpoint: target.value })}
      />
      <InputField
        label="Region"
        className={wide}
        maxLength={500}
        value={s3.region}
        onChange={({ target }) => change({ region: target.value })}
      />
      <InputField
        label="Access key ID"
        className={wide}
        autoComplete="off"
        maxLength={500}
        value={s3.accessKeyId}
        onChange={({ target }) => change({ accessKeyId: target.value })}
      />
      <InputField
        label="Secret access key"
        hint={stored === null ? "Stored as a secret." : "Stored as a secret. Leave empty to keep it."}
        className={wide}
        type="password"
        autoComplete="off"
        maxLength={500}
        placeholder={stored === null ? "" : "••••••••••••"}
        value={secretKey}
        onChange={({ target }) => onSecret(target.value)}
      />
    </div>
  );
}

/** Null for a folder, and for the store of the environment. */
function toGivenS3({ place, s3 }: BackupSettings, secretKey: string) {
  if (place?.startsWith("s3://") !== true || s3 === null || s3.endpoint === "") return null;
  return secretKey === "" ? s3 : { ...s3, secretAccessKey: secretKey };
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
      <p className="text-12 text-muted">
        Days without a backup do not count. Besides, the newest of each of the last 24 hours is always kept, so a backup
        made by hand is only replaced by another one of the same hour until the next day.
      </p>
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
  const base =
    "A folder of the server’s machine, best on another disk, or s3://bucket/path. Empty, or with backups in it already.";
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
