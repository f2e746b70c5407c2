import { useQuery } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { trpc } from "../../api/trpc.ts";
import type { Outputs } from "../../api/api.ts";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { InputField } from "../../components/field.tsx";
import { FormAlert } from "../../components/form-alert.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { useSubmit } from "../../components/use-submit.ts";
import { LIMITS, parseTokens, type LimitName, type LimitTexts, toLimits, toTexts } from "./memory-limits.ts";
import { AddProject, LoadedSettings, UnseenProject, useProjectRows } from "./project-settings.tsx";

type Settings = Outputs["hooks"]["getMemorySettings"]["data"];

interface ProjectDraft extends LimitTexts {
  readonly project: string;
}

/** How much of its memory a session is given, for all projects and for some of them. */
export default function MemorySettingsView() {
  const client = useClient();
  const query = useQuery({ ...trpc(client).hooks.getMemorySettings.queryOptions(), select: ({ data }) => data });
  return (
    <LoadedSettings query={query}>
      {/* A newer version resets the form. */}
      {(settings) => <SettingsForm key={settings.version} settings={settings} />}
    </LoadedSettings>
  );
}

function SettingsForm({ settings }: { settings: Settings }) {
  const client = useClient();
  const [standard, setStandard] = useState(() => toTexts(settings.standard));
  const projects = useProjectRows<ProjectDraft>(
    settings.projects.map(({ project, ...limits }) => ({ project, ...toTexts(limits) })),
  );
  const isValid = [standard, ...projects.rows].every((texts) => toLimits(texts) !== undefined);

  const { error, isBusy, submit } = useSubmit(isValid, async () => {
    const limits = toLimits(standard);
    if (limits === undefined) return;
    const rows = projects.rows.flatMap((row) => {
      const own = toLimits(row);
      return own === undefined ? [] : [{ project: row.project, ...own }];
    });
    const response = await client.api.hooks.setMemorySettings.mutate({
      standard: limits,
      projects: rows,
      expectedVersion: settings.version,
    });
    client.queries.setQueryData(trpc(client).hooks.getMemorySettings.queryKey(), response);
  });
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <form className="mx-auto flex max-w-220 flex-col gap-6 p-4 md:p-6" onSubmit={submit}>
        <p className="text-pretty text-normal">
          The hooks add memories of earlier sessions to an assistant’s session: in general at its start, and what is
          relevant with each prompt and for each file that is read or changed. Here you set the most tokens of each; 0
          is none. Machines fetch a change within minutes.
        </p>
        {error !== null && <FormAlert tone="danger">Not saved. {error}</FormAlert>}
        <LimitFields title="All projects" texts={standard} onChange={setStandard} />
        {projects.rows.map((row) => (
          <div key={row.project} className="flex flex-col gap-2">
            <LimitFields
              title={row.project}
              texts={row}
              onChange={(texts) => projects.change(row.project, texts)}
              onRemove={() => projects.remove(row.project)}
            />
            <UnseenProject project={row.project} stored={settings.projects} />
          </div>
        ))}
        <AddProject
          label="Limits for one project"
          rows={projects.rows}
          onAdd={(project) => projects.add({ project, ...standard })}
        />
        <div className="flex items-center gap-2">
          <p className="mr-auto text-12 text-muted">
            {settings.updatedAt === null ? (
              "Nothing has been changed yet."
            ) : (
              <>
                Changed <TimeAgo timestamp={settings.updatedAt} />, version {settings.version}.
              </>
            )}
          </p>
          <Button type="submit" tone="primary" isBusy={isBusy} disabled={!isValid}>
            Save settings
          </Button>
        </div>
      </form>
    </div>
  );
}

interface LimitFieldsProps {
  readonly title: string;
  readonly texts: LimitTexts;
  onChange(texts: LimitTexts): void;
  readonly onRemove?: () => void;
}

function LimitFields({ title, texts, onChange, onRemove }: LimitFieldsProps) {
  const change = (limit: LimitName, value: string) => onChange({ ...texts, [limit]: value });
  return (
    <fieldset aria-label={title} className="flex flex-col gap-2">
      <div className="flex min-h-9 items-center gap-2">
        <h2 className="min-w-0 flex-1 truncate text-14 font-semibold text-strong">{title}</h2>
        {onRemove !== undefined && (
          <Button size="small" tone="ghost" icon={<Trash2 aria-hidden size={14} />} onClick={onRemove}>
            Remove
          </Button>
        )}
      </div>
      <div className="grid grid-cols-3 gap-3 max-md:grid-cols-1">
        {LIMITS.map(({ limit, label }) => (
          <InputField
            key={limit}
            label={label}
            error={parseTokens(texts[limit]) === undefined ? "Enter a whole number from 0 to 2,500." : undefined}
            inputMode="numeric"
            className="tabular w-full"
            value={texts[limit]}
            onChange={(event) => change(limit, event.target.value)}
          />
        ))}
      </div>
    </fieldset>
  );
}
