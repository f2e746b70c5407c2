import { useQuery } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { trpc } from "../../api/trpc.ts";
import type { Outputs } from "../../api/api.ts";
import { atBase } from "../../browser/base-path.ts";
import { useClient } from "../../client/use-client.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { Field, Select } from "../../components/field.tsx";
import { FormAlert } from "../../components/form-alert.tsx";
import { useSubmit } from "../../components/use-submit.ts";
import { AddProject, LoadedSettings, UnseenProject, useProjectRows } from "../hooks/project-settings.tsx";

type Settings = Outputs["approvals"]["getSettings"]["data"];

const WAITS = [
  [0, "The assistant asks at once"],
  [15, "Here first, for 15 seconds"],
  [30, "Here first, for 30 seconds"],
  [60, "Here first, for a minute"],
  [120, "Here first, for two minutes"],
] as const;

/** Where a person is asked, in general and in single projects. */
export default function ApprovalSettings() {
  const client = useClient();
  const query = useQuery({ ...trpc(client).approvals.getSettings.queryOptions(), select: ({ data }) => data });
  return (
    <LoadedSettings query={query}>
      {/* A newer version resets the form. */}
      {(settings) => <SettingsForm key={settings.version} settings={settings} />}
    </LoadedSettings>
  );
}

function SettingsForm({ settings }: { readonly settings: Settings }) {
  const client = useClient();
  const [waitSeconds, setWaitSeconds] = useState(settings.waitSeconds);
  const projects = useProjectRows(settings.projects);
  const { error, isBusy, submit } = useSubmit(true, async () => {
    const document = { waitSeconds, projects: [...projects.rows], expectedVersion: settings.version };
    const response = await client.api.approvals.setSettings.mutate(document);
    client.queries.setQueryData(trpc(client).approvals.getSettings.queryKey(), response);
  });
  return (
    <form aria-labelledby="asked-here" className="flex flex-col gap-5" onSubmit={submit}>
      <h2 id="asked-here" className="-mb-2 text-14 font-semibold text-strong">
        Where you are asked
      </h2>
      <p className="text-pretty text-normal">
        When a rule of the{" "}
        <a href={atBase("/hooks?view=policy")} className="text-accent-text underline">
          policy
        </a>{" "}
        asks about a call, the assistant can ask you here before it asks in its own window. If nobody answers in time,
        it asks there after all; one that cannot ask refuses the call. Machines fetch a change within minutes. Hooks
        that were installed by an earlier version wait for some seconds only: run{" "}
        <code className="font-mono">workspace-hooks install</code> there again.
      </p>
      {error !== null && <FormAlert tone="danger">Not saved. {error}</FormAlert>}
      <Field label="All projects">
        {(control) => <WaitSelect {...control} value={waitSeconds} onChange={setWaitSeconds} />}
      </Field>
      {projects.rows.map(({ project, waitSeconds: ownSeconds }) => (
        <div key={project} className="flex flex-col gap-1.5">
          <div className="flex items-end gap-2">
            <div className="min-w-0 flex-1">
              <Field label={project}>
                {(control) => (
                  <WaitSelect
                    {...control}
                    value={ownSeconds}
                    onChange={(next) => projects.change(project, { waitSeconds: next })}
                  />
                )}
              </Field>
            </div>
            <IconButton
              label={`Remove ${project}`}
              icon={<Trash2 size={16} />}
              onClick={() => projects.remove(project)}
            />
          </div>
          <UnseenProject project={project} stored={settings.projects} />
        </div>
      ))}
      <AddProject
        label="Other for one project"
        rows={projects.rows}
        onAdd={(project) => projects.add({ project, waitSeconds: waitSeconds === 0 ? 60 : 0 })}
      />
      <Button type="submit" tone="primary" className="self-end" isBusy={isBusy}>
        Save settings
      </Button>
    </form>
  );
}

interface WaitSelectProps {
  readonly id: string;
  readonly value: number;
  onChange(value: number): void;
}

function WaitSelect({ value, onChange, ...control }: WaitSelectProps) {
  const isUsual = WAITS.some(([seconds]) => seconds === value);
  return (
    <Select {...control} value={value} className="w-full" onChange={(event) => onChange(Number(event.target.value))}>
      {WAITS.map(([seconds, label]) => (
        <option key={seconds} value={seconds}>
          {label}
        </option>
      ))}
      {!isUsual && <option value={value}>{`Here first, for ${value} seconds`}</option>}
    </Select>
  );
}
