import { useQuery } from "@tanstack/react-query";
import { Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import type { Outputs } from "../../api/api.ts";
import { useClient } from "../../client/use-client.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { Field, InputField, Select } from "../../components/field.tsx";
import { FormAlert } from "../../components/form-alert.tsx";
import { ErrorState, SkeletonRows } from "../../components/states.tsx";
import { useSubmit } from "../../components/use-submit.ts";

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
  const {
    data: settings,
    error,
    refetch,
  } = useQuery({ ...client.trpc.approvals.getSettings.queryOptions(), select: ({ data }) => data });
  if (settings === undefined) {
    if (error === null) return <SkeletonRows />;
    return <ErrorState title="The settings could not be loaded" error={error} onRetry={() => void refetch()} />;
  }
  // A newer version resets the form.
  return <SettingsForm key={settings.version} settings={settings} />;
}

function SettingsForm({ settings }: { readonly settings: Settings }) {
  const client = useClient();
  const [waitSeconds, setWaitSeconds] = useState(settings.waitSeconds);
  const [projects, setProjects] = useState(settings.projects);
  const [added, setAdded] = useState("");
  const { error, isBusy, submit } = useSubmit(true, async () => {
    const document = { waitSeconds, projects, expectedVersion: settings.version };
    const response = await client.api.approvals.setSettings.mutate(document);
    client.queries.setQueryData(client.trpc.approvals.getSettings.queryKey(), response);
  });
  const name = added.trim();
  const canAdd = name !== "" && !projects.some(({ project }) => project === name);
  const add = () => {
    setProjects([...projects, { project: name, waitSeconds: waitSeconds === 0 ? 60 : 0 }]);
    setAdded("");
  };
  return (
    <form aria-labelledby="asked-here" className="flex flex-col gap-5" onSubmit={submit}>
      <h2 id="asked-here" className="-mb-2 text-14 font-semibold text-strong">
        Where you are asked
      </h2>
      <p className="text-pretty text-normal">
        When a rule of the{" "}
        <a href="/hooks?view=policy" className="text-accent-text underline">
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
      {projects.map((row) => (
        <div key={row.project} className="flex items-end gap-2">
          <div className="min-w-0 flex-1">
            <Field label={row.project}>
              {(control) => (
                <WaitSelect
                  {...control}
                  value={row.waitSeconds}
                  onChange={(next) =>
                    setProjects(projects.map((other) => (other === row ? { ...row, waitSeconds: next } : other)))
                  }
                />
              )}
            </Field>
          </div>
          <IconButton
            label={`Remove ${row.project}`}
            icon={<Trash2 size={16} />}
            onClick={() => setProjects(projects.filter((other) => other !== row))}
          />
        </div>
      ))}
      <div className="flex items-end gap-2">
        <div className="min-w-0 flex-1">
          <InputField
            label="Other for one project"
            hint="Its git remote, such as github.com/ada/app, or its folder"
            maxLength={1000}
            className="w-full"
            value={added}
            onChange={(event) => setAdded(event.target.value)}
          />
        </div>
        <Button className="mb-5.5" icon={<Plus aria-hidden size={16} />} disabled={!canAdd} onClick={add}>
          Add project
        </Button>
      </div>
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
