import { ChevronRight, Trash2 } from "lucide-react";
import { useId, useState } from "react";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { Field, InputField, Select } from "../../components/field.tsx";
import { toggled } from "../../lists/choices.ts";
import { OUTCOMES } from "./policy-outcomes.ts";
import { type RuleFields, fieldsOf, hiddenConditions, splitNames, summaryOfRule, withFields } from "./rule-fields.ts";

type Rule = Readonly<Record<string, unknown>>;

const DECISIONS = {
  ask: "Ask",
  deny: "Refuse",
  undo: "Allow if it can be undone, otherwise ask",
  warn: "Allow, with a warning",
};

const ACCESSES = { read: "Read", write: "Written", delete: "Deleted" };

const EFFECTS = {
  "force-push": "Force-pushes to main or master",
  "delete-outside-project": "Deletes files outside the project",
  "write-outside-project": "Changes files outside the project",
  "pipe-to-shell": "Runs a program straight from the network",
  "read-secret-file": "Reads a file with secrets",
  "unreadable-command": "Cannot be determined before it runs",
};

interface PolicyRuleFormProps {
  readonly rule: Rule;
  /** Whether it has just been added: it is open, with the focus on its name. */
  readonly isNew: boolean;
  readonly onChange: (rule: Rule) => void;
  readonly onDelete: () => void;
}

/** One rule: a line that says what it is about, which opens into a form. */
export function PolicyRuleForm({ rule, isNew, onChange, onDelete }: PolicyRuleFormProps) {
  const fields = fieldsOf(rule);
  const hidden = hiddenConditions(rule);
  const set = (change: Partial<RuleFields>) => onChange(withFields(rule, { ...fields, ...change }));
  const outcome = Object.entries(OUTCOMES).find(([decision]) => decision === fields.decision)?.[1];
  return (
    <li className="rounded-control border border-border">
      <details open={isNew} className="group">
        <summary className="flex min-h-9 cursor-pointer items-center gap-3 px-3 py-1.5 hover:bg-hover touch:min-h-11">
          <ChevronRight aria-hidden size={16} className="shrink-0 text-muted group-open:rotate-90" />
          <span className="font-medium text-strong wrap-anywhere">{fields.id || "A rule without a name"}</span>
          <span className="min-w-0 flex-1 truncate text-13 text-muted max-md:hidden">{summaryOfRule(fields)}</span>
          <span className="ml-auto">
            <Badge tone={outcome?.tone ?? "neutral"}>{outcome?.short ?? fields.decision}</Badge>
          </span>
        </summary>
        <div className="grid grid-cols-1 gap-4 border-t border-border p-3 md:grid-cols-2">
          <InputField
            label="Name"
            autoFocus={isNew}
            value={fields.id}
            onChange={(event) => set({ id: event.target.value })}
          />
          <Field label="What happens">
            {(control) => (
              <Select {...control} value={fields.decision} onChange={(event) => set({ decision: event.target.value })}>
                {!(fields.decision in DECISIONS) && <option value={fields.decision}>{fields.decision}</option>}
                <Options labels={DECISIONS} />
              </Select>
            )}
          </Field>
          <div className="md:col-span-2">
            <InputField
              label="Reason"
              hint="Shown to the assistant and to you"
              value={fields.reason}
              maxLength={500}
              onChange={(event) => set({ reason: event.target.value })}
            />
          </div>
          <Field label="It is about">
            {(control) => (
              <Select
                {...control}
                value={fields.isAboutPrompts ? "prompts" : "calls"}
                onChange={(event) => set({ isAboutPrompts: event.target.value === "prompts" })}
              >
                <option value="calls">What the assistant does</option>
                <option value="prompts">What I write</option>
              </Select>
            )}
          </Field>
          {fields.isAboutPrompts ? (
            <InputField
              label="Prompt contains"
              hint="A regular expression"
              className="font-mono text-13"
              spellCheck={false}
              value={fields.prompt}
              onChange={(event) => set({ prompt: event.target.value })}
            />
          ) : (
            <CallFields fields={fields} set={set} />
          )}
          {hidden.length > 0 && (
            <p className="text-13 text-muted md:col-span-2">
              It also has conditions that are only shown as JSON: {hidden.join(", ")}.
            </p>
          )}
          <div className="md:col-span-2">
            <Button size="small" tone="danger" icon={<Trash2 size={16} />} onClick={onDelete}>
              Delete the rule
            </Button>
          </div>
        </div>
      </details>
    </li>
  );
}

/** Conditions on a call. All that are filled in must be met. */
function CallFields({ fields, set }: { fields: RuleFields; set: (change: Partial<RuleFields>) => void }) {
  return (
    <>
      <NamesField
        label="Projects"
        hint="Folders or names; empty for all: ~/work/*, shop"
        names={fields.projects}
        onChange={(projects) => set({ projects })}
      />
      <NamesField
        label="Programs"
        hint="Wherever a command starts them: npm, docker*"
        names={fields.programs}
        onChange={(programs) => set({ programs })}
      />
      <InputField
        label="Command contains"
        hint="A regular expression for program and arguments"
        className="font-mono text-13"
        spellCheck={false}
        value={fields.pattern}
        onChange={(event) => set({ pattern: event.target.value })}
      />
      <NamesField label="Tools" hint="Bash, Write, mcp__*" names={fields.tools} onChange={(tools) => set({ tools })} />
      <Field label="Effect">
        {(control) => (
          <Select {...control} value={fields.effect} onChange={(event) => set({ effect: event.target.value })}>
            <option value="">Any</option>
            <Options labels={EFFECTS} />
          </Select>
        )}
      </Field>
      <NamesField
        label="Files"
        hint="Paths or globs: migrations/**, *.sql"
        names={fields.paths}
        onChange={(paths) => set({ paths })}
      />
      <fieldset className="flex flex-wrap items-center gap-x-4">
        <legend className="text-13 font-medium text-strong">Only if they are</legend>
        {Object.entries(ACCESSES).map(([access, label]) => (
          <CheckedLabel
            key={access}
            label={label}
            checked={fields.access.includes(access)}
            onChange={() => set({ access: toggled(fields.access, access) })}
          />
        ))}
        <CheckedLabel
          label="Outside the project"
          checked={fields.isOutside}
          onChange={() => set({ isOutside: !fields.isOutside })}
        />
      </fieldset>
    </>
  );
}

function Options({ labels }: { labels: Readonly<Record<string, string>> }) {
  return Object.entries(labels).map(([value, label]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));
}

function CheckedLabel({ label, ...input }: { label: string; checked: boolean; onChange: () => void }) {
  const id = useId();
  return (
    <span className="flex min-h-9 items-center gap-2 touch:min-h-11">
      <input id={id} type="checkbox" className="checkbox" {...input} />
      <label htmlFor={id}>{label}</label>
    </span>
  );
}

interface NamesFieldProps {
  readonly label: string;
  readonly hint: string;
  readonly names: readonly string[];
  readonly onChange: (names: string[]) => void;
}

/** Names separated by commas. What is typed stays as it is, as long as it means the same. */
function NamesField({ label, hint, names, onChange }: NamesFieldProps) {
  const [typed, setTyped] = useState("");
  const meansNames = JSON.stringify(splitNames(typed)) === JSON.stringify(names);
  return (
    <InputField
      label={label}
      hint={hint}
      className="font-mono text-13"
      spellCheck={false}
      autoComplete="off"
      value={meansNames ? typed : names.join(", ")}
      onChange={(event) => {
        setTyped(event.target.value);
        onChange(splitNames(event.target.value));
      }}
    />
  );
}
