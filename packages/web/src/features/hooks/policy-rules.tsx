import { Plus } from "lucide-react";
import { useRef, useState } from "react";
import { Button } from "../../components/button.tsx";
import { Field, Textarea } from "../../components/field.tsx";
import { Segmented } from "../../components/segmented.tsx";
import { PolicyRuleForm } from "./policy-rule-form.tsx";
import { fieldsOf, freeId, isWithoutConditions, rulesIn, textOfRules } from "./rule-fields.ts";

const VIEWS = [
  { value: "form", label: "Form", icon: null },
  { value: "json", label: "JSON", icon: null },
] as const;

type View = (typeof VIEWS)[number]["value"];

interface PolicyRulesProps {
  readonly text: string;
  /** Why the rules cannot be saved, in a sentence. */
  readonly problem: string | undefined;
  readonly onChange: (text: string) => void;
}

/** The user's own rules, in a form each or, all together, as JSON. */
export function PolicyRules({ text, problem, onChange }: PolicyRulesProps) {
  const [view, setView] = useState<View>("form");
  const [added, setAdded] = useState<number>();
  // After a deletion, other rules have taken the places of those that were open.
  const [deletions, setDeletions] = useState(0);
  const addButton = useRef<HTMLButtonElement>(null);
  const rules = rulesIn(text);
  const unfinished = rules?.find(isWithoutConditions);
  const add = () => {
    if (rules === undefined) return;
    setAdded(rules.length);
    onChange(textOfRules([...rules, { id: freeId(rules), decision: "ask", when: {} }]));
  };
  return (
    <section aria-labelledby="own-rules" className="flex flex-col gap-3">
      <div className="flex items-center justify-between gap-3">
        <h2 id="own-rules" className="text-14 font-semibold text-strong">
          Your own rules
        </h2>
        <Segmented<View> label="Edit as" hasWords value={view} options={VIEWS} onChange={setView} />
      </div>
      {view === "json" && (
        <Field label="Rules as JSON" hint="Try them with: workspace-hooks policy test" error={problem}>
          {(control) => (
            <Textarea
              {...control}
              rows={8}
              spellCheck={false}
              className="font-mono text-13"
              value={text}
              onChange={(event) => onChange(event.target.value)}
            />
          )}
        </Field>
      )}
      {view === "form" && rules === undefined && (
        <p className="text-danger">{problem ?? "The rules cannot be read."} Edit them as JSON.</p>
      )}
      {view === "form" && rules !== undefined && (
        <>
          {rules.length === 0 && (
            <p className="text-muted">
              No rules of your own yet. A rule says which calls of an assistant it is about, and what happens then.
            </p>
          )}
          <ul className="flex flex-col gap-2">
            {rules.map((rule, index) => (
              <PolicyRuleForm
                key={`${deletions}-${index}`}
                rule={rule}
                isNew={index === added}
                onChange={(changed) => onChange(textOfRules(rules.with(index, changed)))}
                onDelete={() => {
                  setAdded(undefined);
                  setDeletions(deletions + 1);
                  onChange(textOfRules(rules.toSpliced(index, 1)));
                  addButton.current?.focus();
                }}
              />
            ))}
          </ul>
          {unfinished !== undefined && (
            <p role="status" className="text-muted wrap-anywhere">
              Say what “{fieldsOf(unfinished).id}” is about: at least one of its conditions has to be filled in.
            </p>
          )}
          {problem !== undefined && unfinished === undefined && (
            <p role="alert" className="text-danger wrap-anywhere">
              {problem}
            </p>
          )}
          <Button ref={addButton} size="small" className="self-start" icon={<Plus size={16} />} onClick={add}>
            Add a rule
          </Button>
        </>
      )}
    </section>
  );
}
