import { useId } from "react";
import { Checkbox } from "../../components/checkbox.tsx";
import { Skeleton } from "../../components/states.tsx";
import { toggled } from "../../lists/choices.ts";
import type { AgentTool } from "./agent.ts";
import { useTools } from "./agent-queries.ts";
import { groupTools, toolsOfChoice, type ToolChoice } from "./tool-groups.ts";

interface ToolsFieldProps {
  readonly tools: ToolChoice;
  /** Only for a new agent can the choice of read-only tools be left to the server. */
  readonly isNew: boolean;
  readonly allowDestructive: boolean;
  readonly onTools: (tools: ToolChoice) => void;
  readonly onAllowDestructive: (allowDestructive: boolean) => void;
}

/** What an agent may use: read-only tools, selected tools or all; and whether it may be destructive on its own. */
export function ToolsField({ tools, isNew, allowDestructive, onTools, onAllowDestructive }: ToolsFieldProps) {
  const { data: known, error } = useTools();
  const permissionId = useId();
  const isList = tools !== "reading" && tools !== null;
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1.5 text-13 font-medium text-strong">Tools</legend>
      {isNew && (
        <Choice isChosen={tools === "reading"} onChoose={() => onTools("reading")}>
          Read-only tools
        </Choice>
      )}
      <Choice isChosen={tools === null} onChoose={() => onTools(null)}>
        All tools except those that reach other services
      </Choice>
      <Choice isChosen={isList} onChoose={() => onTools(toolsOfChoice(tools, known ?? []))}>
        Selected tools
      </Choice>
      {isList && known === undefined && error === null && <Skeleton className="h-24" />}
      {isList && error !== null && <p className="text-13 text-danger">The tools could not be loaded.</p>}
      {isList && known !== undefined && (
        <div className="flex flex-col gap-4 rounded-control border border-border p-3">
          {groupTools(known).map(({ title, tools: some }) => (
            <ToolGroup
              key={title}
              title={title}
              tools={some}
              chosen={tools}
              onToggle={(name) => onTools(toggled(tools, name))}
            />
          ))}
        </div>
      )}
      {tools !== "reading" && (
        <div className="mt-2 flex items-start gap-2 rounded-control border border-border p-3 text-13">
          <Checkbox
            label="May delete, overwrite and send without approval"
            id={permissionId}
            className="mt-0.5"
            checked={allowDestructive}
            onChange={() => onAllowDestructive(!allowDestructive)}
          />
          <div>
            <label htmlFor={permissionId} className="text-strong">
              May delete, overwrite and send without approval
            </label>
            <p className="mt-1 text-muted">
              Notes, tasks and responses from other services can contain instructions written by someone else, and a
              model may follow them. Without this, such calls are refused once it has read anything. With it, nobody is
              asked.
            </p>
          </div>
        </div>
      )}
    </fieldset>
  );
}

interface ChoiceProps {
  readonly isChosen: boolean;
  readonly onChoose: () => void;
  readonly children: string;
}

function Choice({ isChosen, onChoose, children }: ChoiceProps) {
  return (
    <label className="flex min-h-8 items-center gap-2 text-13 text-strong touch:min-h-11">
      <input type="radio" name="agent-tools" className="accent-accent" checked={isChosen} onChange={onChoose} />
      {children}
    </label>
  );
}

interface ToolGroupProps {
  readonly title: string;
  readonly tools: readonly AgentTool[];
  readonly chosen: readonly string[];
  readonly onToggle: (name: string) => void;
}

function ToolGroup({ title, tools, chosen, onToggle }: ToolGroupProps) {
  return (
    <div role="group" aria-label={title}>
      <p className="mb-1 text-12 font-medium text-muted">{title}</p>
      {tools.map(({ name, allows }) => (
        <label key={name} className="flex min-h-8 items-start gap-2 py-1 text-13 touch:min-h-11">
          <Checkbox
            label={`${allows} ${name}`}
            className="mt-0.5"
            checked={chosen.includes(name)}
            onChange={() => onToggle(name)}
          />
          <span aria-hidden className="min-w-0 text-strong">
            {allows} <span className="font-mono text-12 text-muted">{name}</span>
          </span>
        </label>
      ))}
    </div>
  );
}
