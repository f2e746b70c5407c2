import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { trpc } from "../../api/trpc.ts";
import type { Outputs } from "../../api/api.ts";
import { useClient } from "../../client/use-client.ts";
import { Field, Input, Select } from "../../components/field.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { useSubmit } from "../../components/use-submit.ts";
import { ASSISTANT_NAMES } from "@workspace/core/assistant-names";
import { amountText, parseAmount, type LimitUnit } from "./own-limit-amount.ts";

type OwnLimits = Outputs["assistantUsage"]["getOwnLimits"]["data"];
type Assistant = OwnLimits["assistants"][number]["assistant"];

const ASSISTANTS: readonly Assistant[] = ["claude-code", "codex", "gemini-cli", "opencode"];
const WINDOWS = [
  ["fiveHours", "in five hours"],
  ["sevenDays", "in seven days"],
] as const;
type WindowId = (typeof WINDOWS)[number][0];

interface Draft {
  readonly text: string;
  readonly unit: LimitUnit;
}
type Drafts = Readonly<Record<string, Draft>>;

/** Where a person enters what each assistant is to use at most. */
export default function OwnLimitsDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useClient();
  const { data } = useQuery({
    ...trpc(client).assistantUsage.getOwnLimits.queryOptions(),
    select: (answer) => answer.data,
    staleTime: 0,
  });
  // A newer version resets the form.
  return data === undefined ? null : <LimitsForm key={data.version} limits={data} onClose={onClose} />;
}

function LimitsForm({ limits, onClose }: { readonly limits: OwnLimits; readonly onClose: () => void }) {
  const client = useClient();
  const [drafts, setDrafts] = useState<Drafts>(() => toDrafts(limits));
  const parsed = Object.values(drafts).map(({ text, unit }) => parseAmount(text, unit));
  const submission = useSubmit(
    parsed.every((amount) => amount.kind !== "wrong"),
    async () => {
      await client.api.assistantUsage.setOwnLimits.mutate({
        assistants: toAssistants(drafts),
        expectedVersion: limits.version,
      });
      await client.queries.invalidateQueries({ queryKey: trpc(client).assistantUsage.pathKey() });
      onClose();
    },
  );
  return (
    <FormDialog
      title="Limits of your own"
      description="What each assistant is to use at most. The usage page shows how much of it is used; nothing is stopped. An empty field is no limit."
      submission={submission}
      submitLabel="Save limits"
      onClose={onClose}
    >
      {ASSISTANTS.map((assistant) => (
        <fieldset key={assistant} className="flex flex-col gap-3">
          <legend className="mb-2 text-13 font-semibold text-strong">{ASSISTANT_NAMES[assistant]}</legend>
          <div className="grid gap-3 md:grid-cols-2">
            {WINDOWS.map(([window, label]) => {
              const key = keyOf(assistant, window);
              const draft = drafts[key] ?? NO_LIMIT;
              const change = (next: Partial<Draft>) => setDrafts({ ...drafts, [key]: { ...draft, ...next } });
              const name = `${ASSISTANT_NAMES[assistant]} ${label}`;
              return <LimitField key={window} name={name} label={label} draft={draft} onChange={change} />;
            })}
          </div>
        </fieldset>
      ))}
    </FormDialog>
  );
}

interface LimitFieldProps {
  readonly name: string;
  readonly label: string;
  readonly draft: Draft;
  readonly onChange: (change: Partial<Draft>) => void;
}

function LimitField({ name, label, draft: { text, unit }, onChange }: LimitFieldProps) {
  const amount = parseAmount(text, unit);
  return (
    <Field label={`At most, ${label}`} error={amount.kind === "wrong" ? amount.problem : undefined}>
      {(control) => (
        <div className="flex gap-2">
          <Input
            {...control}
            aria-label={name}
            inputMode="decimal"
            maxLength={20}
            value={text}
            className="min-w-0 flex-1"
            onChange={(event) => onChange({ text: event.target.value })}
          />
          <Select
            aria-label={`Unit of ${name}`}
            value={unit}
            onChange={(event) => onChange({ unit: event.target.value === "usd" ? "usd" : "tokens" })}
          >
            <option value="tokens">tokens</option>
            <option value="usd">US dollars</option>
          </Select>
        </div>
      )}
    </Field>
  );
}

const NO_LIMIT: Draft = { text: "", unit: "tokens" };
const keyOf = (assistant: Assistant, window: WindowId) => `${assistant} ${window}`;

function toDrafts({ assistants }: OwnLimits): Drafts {
  const drafts = assistants.flatMap((row) =>
    WINDOWS.map(([window]) => {
      const limit = row[window];
      const draft = limit === null ? NO_LIMIT : { text: amountText(limit.amount), unit: limit.unit };
      return [keyOf(row.assistant, window), draft] as const;
    }),
  );
  return Object.fromEntries(drafts);
}

function toAssistants(drafts: Drafts): OwnLimits["assistants"] {
  const limitOf = (assistant: Assistant, window: WindowId) => {
    const { text, unit } = drafts[keyOf(assistant, window)] ?? NO_LIMIT;
    const amount = parseAmount(text, unit);
    return amount.kind === "amount" ? { unit, amount: amount.value } : null;
  };
  return ASSISTANTS.map((assistant) => ({
    assistant,
    fiveHours: limitOf(assistant, "fiveHours"),
    sevenDays: limitOf(assistant, "sevenDays"),
  })).filter(({ fiveHours, sevenDays }) => fiveHours !== null || sevenDays !== null);
}
