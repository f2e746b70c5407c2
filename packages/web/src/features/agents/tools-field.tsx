import { Checkbox } from "../../components/field.tsx";
import { Skeleton } from "../../components/states.tsx";
import { toggled } from "../../lists/address-choices.ts";
import { useTools } from "./agent-queries.ts";

interface ToolsFieldProps {
  /** Null is all of them. */
  readonly tools: readonly string[] | null;
  readonly onTools: (tools: readonly string[] | null) => void;
}

/** What an agent may do: everything, or what is ticked. */
export function ToolsField({ tools, onTools }: ToolsFieldProps) {
  const { data: known, error } = useTools();
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1.5 text-13 font-medium text-strong">What it may use</legend>
      <label className="flex min-h-8 items-center gap-2 text-13 text-strong touch:min-h-11">
        <input
          type="radio"
          name="agent-tools"
          className="accent-accent"
          checked={tools === null}
          onChange={() => onTools(null)}
        />
        Every tool of the workspace
      </label>
      <label className="flex min-h-8 items-center gap-2 text-13 text-strong touch:min-h-11">
        <input
          type="radio"
          name="agent-tools"
          className="accent-accent"
          checked={tools !== null}
          onChange={() => onTools([])}
        />
        Only these
      </label>
      {tools !== null && known === undefined && error === null && <Skeleton className="h-24" />}
      {tools !== null && error !== null && <p className="text-13 text-danger">The tools could not be loaded.</p>}
      {tools !== null && known !== undefined && (
        <div className="grid max-h-56 gap-x-4 overflow-y-auto rounded-control border border-border p-2 md:grid-cols-2">
          {known.map(({ name, description }) => (
            <div key={name} className="flex min-h-8 items-center gap-2 touch:min-h-11" data-tooltip={description}>
              <Checkbox label={name} checked={tools.includes(name)} onChange={() => onTools(toggled(tools, name))} />
              <span aria-hidden className="truncate font-mono text-12 text-strong">
                {name}
              </span>
            </div>
          ))}
        </div>
      )}
    </fieldset>
  );
}
