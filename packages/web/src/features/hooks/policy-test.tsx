import { type JudgedDraft, type Verdict } from "@workspace/hooks-cli/policy-draft";
import { useDeferredValue, useState } from "react";
import { Badge } from "../../components/badge.tsx";
import { InputField } from "../../components/field.tsx";
import { OUTCOMES } from "./policy-outcomes.ts";

interface PolicyTestProps {
  readonly draft: JudgedDraft | undefined;
  /** Whether some rule is about certain projects only. */
  readonly hasProjects: boolean;
}

/** Judges a command by the policy as it is being edited, as one types, with the very code that the hooks run. */
export function PolicyTest({ draft, hasProjects }: PolicyTestProps) {
  const [command, setCommand] = useState("");
  const [project, setProject] = useState("");
  const judged = useDeferredValue(command.trim());
  const projectDir = hasProjects && project.trim() !== "" ? project.trim() : undefined;
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
      {hasProjects && (
        <InputField
          label="In the folder"
          className="font-mono text-13"
          spellCheck={false}
          autoComplete="off"
          value={project}
          placeholder="/home/user/project"
          onChange={(event) => setProject(event.target.value)}
        />
      )}
      {judged !== "" && draft?.judge !== undefined && (
        <Outcome verdict={draft.judge({ tool: "Bash", input: { command: judged }, projectDir })} />
      )}
    </div>
  );
}

function Outcome({ verdict }: { verdict: Verdict }) {
  const { label, tone } = OUTCOMES[verdict.decision];
  return (
    <div role="status" className="flex flex-col gap-2">
      <p>
        <Badge tone={tone}>{label}</Badge>
      </p>
      <MatchedRules verdict={verdict} />
    </div>
  );
}

/** The rules that a call matches, with what they matched. */
export function MatchedRules({ verdict }: { verdict: Verdict }) {
  return (
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
  );
}
