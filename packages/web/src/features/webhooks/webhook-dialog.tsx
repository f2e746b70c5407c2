import { useState } from "react";
import { useClient } from "../../client/use-client.ts";
import { Checkbox } from "../../components/checkbox.tsx";
import { InputField } from "../../components/field.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { useSubmit } from "../../components/use-submit.ts";
import { refresh, type CreatedWebhook, type Webhook } from "./webhook.ts";
import { actionLabel, EVENT_GROUPS, REMINDER, toggleEvent, type EventGroup } from "./webhook-events.ts";

interface WebhookDialogProps {
  /** The one to change; null for a new one. */
  readonly webhook: Webhook | null;
  readonly onCreated: (created: CreatedWebhook) => void;
  readonly onClose: () => void;
}

/** Creates or changes a webhook: its name, where events are sent, and which. */
export default function WebhookDialog({ webhook, onCreated, onClose }: WebhookDialogProps) {
  const client = useClient();
  const [name, setName] = useState(webhook?.name ?? "");
  const [url, setUrl] = useState(webhook?.url ?? "");
  const [events, setEvents] = useState<ReadonlySet<string>>(new Set(webhook?.events ?? ["task.*"]));
  const isReady = name.trim() !== "" && url.trim() !== "" && events.size > 0;
  const submission = useSubmit(isReady, async () => {
    const given = { name: name.trim(), url: url.trim(), events: [...events] };
    const created = webhook === null ? (await client.api.webhooks.create.mutate(given)).data : null;
    if (webhook !== null) await client.api.webhooks.update.mutate({ id: webhook.id, ...given });
    await refresh(client);
    onClose();
    if (created !== null) onCreated(created);
  });
  return (
    <FormDialog
      title={webhook === null ? "New webhook" : `Change “${webhook.name}”`}
      submission={submission}
      submitLabel={webhook === null ? "Create webhook" : "Save webhook"}
      failure={webhook === null ? "Not created." : "Not saved."}
      onClose={onClose}
    >
      <InputField
        label="Name"
        autoFocus
        required
        maxLength={200}
        value={name}
        placeholder="Home automation"
        onChange={(event) => setName(event.target.value)}
      />
      <InputField
        label="URL"
        hint="http or https, also in your own network. Redirects are not followed."
        type="url"
        required
        maxLength={2000}
        value={url}
        placeholder="https://home.example.com/hooks/workspace"
        onChange={(event) => setUrl(event.target.value)}
      />
      <fieldset className="flex min-w-0 flex-col gap-2">
        <legend className="mb-1 text-13 font-medium text-strong">Events</legend>
        <Choice
          label="Your reminders of tasks"
          isChosen={events.has(REMINDER)}
          onToggle={() => setEvents(withReminder(events))}
        />
        <div className="flex max-h-72 flex-col overflow-y-auto rounded-control border border-border px-3">
          {EVENT_GROUPS.map((group) => (
            <GroupChoice
              key={group.kind}
              group={group}
              chosen={events}
              onToggle={(action) => setEvents(toggleEvent(events, group, action))}
            />
          ))}
        </div>
      </fieldset>
    </FormDialog>
  );
}

interface GroupChoiceProps {
  readonly group: EventGroup;
  readonly chosen: ReadonlySet<string>;
  readonly onToggle: (action: string) => void;
}

function GroupChoice({ group, chosen, onToggle }: GroupChoiceProps) {
  const { kind, label, actions } = group;
  const isAll = chosen.has(`${kind}.*`);
  return (
    <div role="group" aria-label={label} className="flex flex-col gap-1 border-b border-border py-2 last:border-b-0">
      <Choice label={label} spoken={`${label}: everything`} isChosen={isAll} onToggle={() => onToggle("*")} />
      <div className="flex flex-wrap gap-x-4 gap-y-1 pl-6">
        {actions.map((action) => (
          <Choice
            key={action}
            label={actionLabel(action)}
            spoken={`${label}: ${actionLabel(action)}`}
            isChosen={isAll || chosen.has(`${kind}.${action}`)}
            onToggle={() => onToggle(action)}
          />
        ))}
      </div>
    </div>
  );
}

function withReminder(events: ReadonlySet<string>): Set<string> {
  const changed = new Set(events);
  if (!changed.delete(REMINDER)) changed.add(REMINDER);
  return changed;
}

interface ChoiceProps {
  readonly label: string;
  /** What is read out, if the label does not say enough alone. */
  readonly spoken?: string;
  readonly isChosen: boolean;
  readonly onToggle: () => void;
}

function Choice({ label, spoken = label, isChosen, onToggle }: ChoiceProps) {
  return (
    <label className="flex items-center gap-2 text-13 text-strong touch:min-h-11">
      <Checkbox label={spoken} checked={isChosen} onChange={onToggle} />
      <span aria-hidden>{label}</span>
    </label>
  );
}
