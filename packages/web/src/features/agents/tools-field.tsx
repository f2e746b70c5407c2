import { useId } from "react";
import { Checkbox } from "../../components/field.tsx";
import { Skeleton } from "../../components/states.tsx";
import { toggled } from "../../lists/address-choices.ts";
import type { AgentTool } from "./agent.ts";
import { useTools } from "./agent-queries.ts";
import { groupTools, toolsOfChoice, type ToolChoice } from "./tool-groups.ts";

interface ToolsFieldProps {
  readonly tools: ToolChoice;
  /** Only a new agent can be left to the server's choice of what reads. */
  readonly isNew: boolean;
  readonly allowDestructive: boolean;
  readonly onTools: (tools: ToolChoice) => void;
  readonly onAllowDestructive: (allowDestructive: boolean) => void;
}

/** What an agent may do: read, what is ticked, or everything; and whether it may destroy things by itself. */
export function ToolsField({ tools, isNew, allowDestructive, onTools, onAllowDestructive }: ToolsFieldProps) {
  const { data: known, error } = useTools();
  const permissionId = useId();
  const isList = tools !== "reading" && tools !== null;
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1.5 text-13 font-medium text-strong">What it may use</legend>
      {isNew && (
        <Choice isChosen={tools === "reading"} onChoose={() => onTools("reading")}>
          Only tools that read
        </Choice>
      )}
      <Choice isChosen={tools === null} onChoose={() => onTools(null)}>
        Every tool, except those that reach other services
      </Choice>
      <Choice isChosen={isList} onChoose={() => onTools(toolsOfChoice(tools, known ?? []))}>
        Only these
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
            label="It may delete, overwrite and send by itself"
            id={permissionId}
            className="mt-0.5"
            checked={allowDestructive}
            onChange={() => onAllowDestructive(!allowDestructive)}
          />
          <div>
            <label htmlFor={permissionId} className="text-strong">
              It may delete, overwrite and send by itself
            </label>
            <p className="mt-1 text-muted">
              Notes, tasks and answers of other services can hold instructions that somebody else wrote, and a model may
              follow them. Without this, such calls are refused once it has read anything. With it, nobody is asked.
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
          <Checkbox label={name} className="mt-0.5" checked={chosen.includes(name)} onChange={() => onToggle(name)} />
          <span aria-hidden className="min-w-0 text-strong">
            {allows} <span className="font-mono text-12 text-muted">{name}</span>
          </span>
        </label>
      ))}
    </div>
  );
}
