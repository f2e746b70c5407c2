import { useState } from "react";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { useSubmit } from "../../components/use-submit.ts";
import { Field, InputField, Textarea } from "../../components/field.tsx";
import { useDraft } from "../../drafts/draft.ts";
import { FormAlert } from "../../components/form-alert.tsx";
import { createAgent, updateAgent } from "./agent-actions.ts";
import { formOf, problemsOf, toInput, type AgentForm } from "./agent-form.ts";
import { localTimeZone } from "../../dates/local-time-zone.ts";
import type { Agent } from "./agent.ts";
import { useMissingModel } from "./missing-model.ts";
import { ScheduleEditor } from "./schedule-editor.tsx";
import { ToolsField } from "./tools-field.tsx";

interface AgentDialogProps {
  /** Null to create one. */
  readonly agent: Agent | null;
  /** Called after saving; also closes the dialog. */
  readonly onSaved: (agent: Agent) => void;
  readonly onClose: () => void;
}

/** Creates or edits an agent: what it does, when, with which tools, and what it may cost. */
export default function AgentDialog({ agent, onSaved, onClose }: AgentDialogProps) {
  const client = useClient();
  const draftKey = `agent.${agent?.id ?? "new"}`;
  const [nameDraft, setNameDraft] = useDraft(`${draftKey}.name`);
  const [promptDraft, setPromptDraft] = useDraft(`${draftKey}.prompt`);
  const [rest, setRest] = useState(() => formOf(agent, localTimeZone()));
  const missingModel = useMissingModel();
  const form: AgentForm = { ...rest, name: nameDraft ?? rest.name, prompt: promptDraft ?? rest.prompt };
  const problems = problemsOf(form);
  const isReady = Object.keys(problems).length === 0;
  const change = (part: Partial<AgentForm>) => setRest((before) => ({ ...before, ...part }));

  const { error, isBusy, submit } = useSubmit(isReady, async () => {
    const input = toInput(form);
    const saved = await (agent === null ? createAgent(client, input) : updateAgent(client, agent, input));
    setNameDraft(null);
    setPromptDraft(null);
    onSaved(saved);
  });
  const cancel = () => {
    // The draft of a new agent is kept for the next time; a discarded edit is not.
    if (agent !== null) {
      setNameDraft(null);
      setPromptDraft(null);
    }
    onClose();
  };
  return (
    <Dialog title={agent === null ? "New agent" : "Edit agent"} className="md:max-w-160" onClose={onClose}>
      <form className="flex flex-col gap-5" onSubmit={submit}>
        {missingModel !== null && (
          <FormAlert tone="info">{missingModel} Until then you can create an agent, but not run it.</FormAlert>
        )}
        <InputField
          label="Name"
          autoFocus={agent === null}
          required
          maxLength={200}
          value={form.name}
          placeholder="Morning review"
          onChange={(event) => setNameDraft(event.target.value)}
        />
        <Field
          label="Instructions"
          hint="It acts on your behalf and cannot ask questions, so describe what a good result looks like."
        >
          {(control) => (
            <Textarea
              {...control}
              required
              rows={5}
              maxLength={100_000}
              value={form.prompt}
              placeholder="Go through the open tasks. List the overdue ones and suggest which to do first."
              onChange={(event) => setPromptDraft(event.target.value)}
            />
          )}
        </Field>
        <ScheduleEditor
          plan={form.plan}
          timezone={form.timezone}
          onPlan={(plan) => change({ plan })}
          onTimezone={(timezone) => change({ timezone })}
        />
        <ToolsField
          tools={form.tools}
          isNew={agent === null}
          allowDestructive={form.allowDestructive}
          onTools={(tools) => change({ tools })}
          onAllowDestructive={(allowDestructive) => change({ allowDestructive })}
        />
        <Limits form={form} onChange={change} />
        {error !== null && <FormAlert tone="danger">Not saved. {error}</FormAlert>}
        <div className="sticky bottom-0 -mx-5 -mb-5 flex justify-end gap-2 border-t border-border bg-raised px-5 py-3">
          <Button tone="ghost" onClick={cancel}>
            Cancel
          </Button>
          <Button type="submit" tone="primary" isBusy={isBusy} disabled={!isReady}>
            {agent === null ? "Create agent" : "Save"}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function Limits({ form, onChange }: { form: AgentForm; onChange: (part: Partial<AgentForm>) => void }) {
  const problems = problemsOf(form);
  return (
    <div className="grid items-start gap-3 md:grid-cols-3">
      <InputField
        label="Budget per run, $"
        hint="Leave empty for no limit."
        error={problems.maxBudget}
        inputMode="decimal"
        className="tabular"
        value={form.maxBudget}
        onChange={(event) => onChange({ maxBudget: event.target.value })}
      />
      <InputField
        label="Budget per day, $"
        hint="For all runs together."
        error={problems.dailyBudget}
        inputMode="decimal"
        className="tabular"
        value={form.dailyBudget}
        onChange={(event) => onChange({ dailyBudget: event.target.value })}
      />
      <InputField
        label="Maximum turns"
        hint="Calls to the model in one run."
        error={problems.maxTurns}
        inputMode="numeric"
        className="tabular"
        value={form.maxTurns}
        onChange={(event) => onChange({ maxTurns: event.target.value })}
      />
    </div>
  );
}
