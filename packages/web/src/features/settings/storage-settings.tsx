import { useQuery } from "@tanstack/react-query";
import { useEffect, useId, useState } from "react";
import { trpc } from "../../api/trpc.ts";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { Checkbox } from "../../components/checkbox.tsx";
import { Input } from "../../components/field.tsx";
import { FormAlert } from "../../components/form-alert.tsx";
import { toasts } from "../../components/toast.ts";
import { useSubmit } from "../../components/use-submit.ts";
import { formatSize, pluralize } from "../../numbers/number-format.ts";
import { documentsQuery } from "../documents/document-collection.ts";
import { useKeptCount } from "../documents/offline/kept-ids.ts";
import { describeKept } from "../documents/offline/kept-notice.tsx";
import { LoadedSettings } from "../hooks/project-settings.tsx";
import { LastRemoval } from "./last-removal.tsx";
import { RemoveNow } from "./remove-now.tsx";
import {
  countOf,
  KIND_GROUPS,
  KIND_TEXTS,
  retentionStatusQuery,
  toChosenDays,
  type Retained,
  type RetentionKind,
  type RetentionPreview,
  type RetentionSettings,
} from "./retention.ts";

const MAX_DAYS = 36_500;
/** What is suggested to whoever no longer wants to keep something for ever. */
const SUGGESTED_DAYS = 365;

/** For how long each kind of data is kept, how much of it there is, and what would be removed. */
export default function StorageSettings() {
  const client = useClient();
  const settings = useQuery({ ...trpc(client).retention.settings.queryOptions(), select: ({ data }) => data });
  const status = useQuery({ ...retentionStatusQuery(client), select: ({ data }) => data });
  const preview = useQuery({
    ...trpc(client).retention.preview.queryOptions(),
    staleTime: 0,
    select: ({ data }) => data,
  });
  const endedRun = status.data?.isRunning === false ? status.data.lastRun?.startedAt : undefined;
  useEffect(() => {
    // What is left is measured again after each run.
    if (endedRun === undefined) return;
    void client.queries.invalidateQueries({ queryKey: trpc(client).retention.preview.queryKey() });
  }, [client, endedRun]);
  return (
    <div className="flex flex-col gap-6">
      <header className="flex flex-col gap-1">
        <h2 className="text-16 font-semibold text-strong">What is kept</h2>
        <p className="text-pretty text-normal">
          Every day, what is older than you choose here is removed, and cannot be restored. What you made is kept for
          ever unless you decide otherwise.
        </p>
      </header>
      <LoadedSettings query={status}>
        {(known) => (
          <div className="flex flex-wrap items-center justify-between gap-2 rounded-panel border border-border px-4 py-3 text-13">
            <p role="status" className="text-normal">
              <LastRemoval status={known} />
            </p>
            <RemoveNow isRunning={known.isRunning} preview={preview.data} />
          </div>
        )}
      </LoadedSettings>
      <LoadedSettings query={settings}>
        {(stored) => <RetentionForm key={stored.version} settings={stored} preview={preview.data} />}
      </LoadedSettings>
      <OnThisDevice />
    </div>
  );
}

/** How many notes this browser keeps, to be read while the server is away. */
function OnThisDevice() {
  useQuery(documentsQuery(useClient()));
  const count = useKeptCount(true);
  if (count === undefined || count.all === 0) return null;
  return (
    <section aria-labelledby="on-this-device" className="flex flex-col gap-1">
      <h2 id="on-this-device" className="text-16 font-semibold text-strong">
        On this device
      </h2>
      <p className="text-pretty text-normal">
        {describeKept(count)} They can be read and searched while the server is away.
        {count.kept < count.all && " More are read while nothing is done on a page, as long as there is room."}
      </p>
    </section>
  );
}

interface RetentionFormProps {
  readonly settings: RetentionSettings;
  readonly preview: readonly RetentionPreview[] | undefined;
}

function RetentionForm({ settings, preview }: RetentionFormProps) {
  const client = useClient();
  const { kinds, version } = settings;
  const stored = Object.fromEntries(kinds.map(({ kind, days }) => [kind, days]));
  const [draft, setDraft] = useState<Readonly<Record<string, number | null>>>(stored);
  const isChanged = JSON.stringify(draft) !== JSON.stringify(stored);
  const { error, isBusy, submit } = useSubmit(isChanged, async () => {
    const given = { days: toChosenDays(kinds, draft), expectedVersion: version };
    const response = await client.api.retention.setSettings.mutate(given);
    client.queries.setQueryData(trpc(client).retention.settings.queryKey(), response);
    toasts(client).show({ message: "The storage settings have been saved" });
    await client.queries.invalidateQueries({ queryKey: trpc(client).retention.preview.queryKey() });
  });
  const row = (kind: RetentionKind) => {
    const retained = kinds.find((each) => each.kind === kind);
    if (retained === undefined) return null;
    return (
      <RetainedRow
        key={kind}
        retained={retained}
        days={draft[kind] ?? null}
        measured={preview?.find((each) => each.kind === kind)}
        onChange={(days) => setDraft({ ...draft, [kind]: days })}
      />
    );
  };
  return (
    <form aria-label="Storage settings" className="flex flex-col gap-6" onSubmit={submit}>
      {error !== null && <FormAlert tone="danger">Not saved. {error}</FormAlert>}
      {KIND_GROUPS.map(({ title, kinds: shown }) => (
        <section key={title} aria-label={title} className="flex flex-col gap-2">
          <h3 className="text-14 font-semibold text-strong">{title}</h3>
          <ul className="flex flex-col rounded-panel border border-border px-4">{shown.map(row)}</ul>
        </section>
      ))}
      <Button type="submit" tone="primary" className="self-start" isBusy={isBusy} disabled={!isChanged}>
        Save
      </Button>
    </form>
  );
}

interface RetainedRowProps {
  readonly retained: Retained;
  readonly days: number | null;
  readonly measured: RetentionPreview | undefined;
  readonly onChange: (days: number | null) => void;
}

function RetainedRow({ retained, days, measured, onChange }: RetainedRowProps) {
  const id = useId();
  const { kind, leastDays, defaultDays, isFromEnvironment, variable } = retained;
  const { label, hint } = KIND_TEXTS[kind];
  return (
    <li className="border-b border-border py-3 text-13 last:border-0">
      <div role="group" aria-labelledby={id} className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="flex min-w-56 flex-1 flex-col gap-0.5">
          <span id={id} className="font-medium text-strong">
            {label}
          </span>
          <span className="text-pretty text-12 text-muted">{hint}</span>
          <span className="tabular text-12 text-muted">
            {measured === undefined ? "…" : describeMeasured(measured)}
          </span>
          {isFromEnvironment && (
            <span className="text-12 text-warning">
              Set by <code>{variable}</code>, which has precedence
            </span>
          )}
        </div>
        <div className="flex items-center gap-3">
          <span className="flex items-center gap-2 text-strong">
            <Checkbox
              id={`${id}-ever`}
              label={`Keep ${label.toLowerCase()} for ever`}
              checked={days === null}
              disabled={isFromEnvironment}
              onChange={({ target }) => onChange(target.checked ? null : (defaultDays ?? SUGGESTED_DAYS))}
            />
            <label htmlFor={`${id}-ever`}>For ever</label>
          </span>
          <span className="flex items-center gap-2 text-muted">
            <Input
              type="number"
              aria-label={`${label}, days`}
              className="w-22"
              required={days !== null}
              min={isFromEnvironment ? 0 : leastDays}
              max={MAX_DAYS}
              step={1}
              disabled={isFromEnvironment || days === null}
              value={days === null || Number.isNaN(days) ? "" : days}
              onChange={({ target }) => onChange(target.valueAsNumber)}
            />
            days
          </span>
        </div>
      </div>
    </li>
  );
}

/** "1,204 events, 3.1 MB; 12 of them, 30 kB, would be removed now" */
function describeMeasured({ kind, rows, bytes, oldRows, oldBytes, oldestAt }: RetentionPreview): string {
  if (rows === 0) return "None";
  const all = `${countOf(kind, rows)}, ${formatSize(bytes)}`;
  if (oldRows > 0) return `${all}; ${countOf(kind, oldRows)}, ${formatSize(oldBytes)}, would be removed now`;
  const days = oldestAt === null ? 0 : Math.floor((Date.now() - Date.parse(oldestAt)) / 86_400_000);
  return days === 0 ? all : `${all}; the oldest is ${pluralize(days, "day")} old`;
}
