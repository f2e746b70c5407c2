import { judgeDraft } from "@workspace/hooks-cli/policy-draft";
import { useDeferredValue, useState } from "react";
import { Badge } from "../../components/badge.tsx";
import { InputField } from "../../components/field.tsx";

const OUTCOMES = {
  allow: { label: "Allowed", tone: "success" },
  warn: { label: "Allowed, with a warning", tone: "neutral" },
  undo: { label: "Allowed if it can be undone, otherwise asked about", tone: "neutral" },
  ask: { label: "Asked about", tone: "warning" },
  deny: { label: "Refused", tone: "danger" },
} as const;

/** Judges a command by the policy as it is being edited, as one types, with the very code that the hooks run. */
export function PolicyTest({ document }: { document: Record<string, unknown> | undefined }) {
  const [command, setCommand] = useState("");
  const judged = useDeferredValue(command.trim());
  return (
    <div className="flex flex-col gap-2">
      <InputField
        label="Test a command"
        hint="Judged by the rules below, saved or not"
        className="font-mono text-13"
        spellCheck={false}
        autoComplete="off"
        value={command}
        placeholder="git reset --hard"
        onChange={(event) => setCommand(event.target.value)}
      />
      {judged !== "" && document !== undefined && <Outcome document={document} command={judged} />}
    </div>
  );
}

function Outcome({ document, command }: { document: Record<string, unknown>; command: string }) {
  const { verdict, issues } = judgeDraft(JSON.parse(JSON.stringify(document)), command);
  if (verdict === undefined) {
    return <p className="text-danger">{issues.map(({ path, message }) => `${path}: ${message}`).join("; ")}</p>;
  }
  const { label, tone } = OUTCOMES[verdict.decision];
  return (
    <div role="status" className="flex flex-col gap-2">
      <p>
        <Badge tone={tone}>{label}</Badge>
      </p>
      <ul className="flex flex-col gap-1">
        {verdict.matches.map(({ rule, subject }) => (
          <li key={rule.id} className="wrap-anywhere">
            <span className="text-strong">{rule.reason}</span>{" "}
            <span className="font-mono text-12 text-muted">
              {rule.id}, on: {subject}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
