import { clsx } from "clsx";
import type { Difference } from "./merge-start.ts";
import type { MergeChoice } from "./three-way-merge.ts";

const CHOICES: readonly { readonly value: MergeChoice; readonly label: string }[] = [
  { value: "ours", label: "Mine" },
  { value: "theirs", label: "Theirs" },
  { value: "both", label: "Both" },
];

interface MergeDifferenceProps {
  readonly number: number;
  readonly difference: Difference;
  readonly choice: MergeChoice | null;
  readonly onChoose: (choice: MergeChoice) => void;
}

/** One place in which two texts differ, with both sides and the choice between them. */
export function MergeDifference({ number, difference, choice, onChoose }: MergeDifferenceProps) {
  const { ours, theirs } = difference;
  return (
    <fieldset className={clsx("rounded-panel border p-3", choice === null ? "border-warning" : "border-border")}>
      <legend className="sr-only">Difference {number}</legend>
      <Side title="Mine" lines={ours} isTaken={choice === "ours" || choice === "both"} />
      <Side title="Theirs" lines={theirs} isTaken={choice === "theirs" || choice === "both"} />
      <div className="mt-2 flex flex-wrap gap-4 text-13">
        {CHOICES.map(({ value, label }) => (
          <label key={value} className="flex items-center gap-1.5 touch:min-h-11">
            <input
              type="radio"
              name={`difference-${number}`}
              className="size-4 accent-(--accent)"
              checked={choice === value}
              onChange={() => onChoose(value)}
            />
            {label}
          </label>
        ))}
        {choice === null && <span className="ml-auto font-medium text-warning">To decide</span>}
      </div>
    </fieldset>
  );
}

function Side({ title, lines, isTaken }: { title: string; lines: readonly string[]; isTaken: boolean }) {
  return (
    <div
      className={clsx(
        "mb-1 rounded-control border-l-3 py-1 pl-2",
        isTaken ? "border-accent bg-accent-soft" : "border-border",
      )}
    >
      <p className="text-12 text-muted">{title}</p>
      {lines.length === 0 ? (
        <p className="text-13 text-muted italic">Nothing here</p>
      ) : (
        <pre className="max-h-48 overflow-y-auto font-mono text-12 whitespace-pre-wrap text-strong [overflow-wrap:anywhere]">
          {lines.join("\n")}
        </pre>
      )}
    </div>
  );
}
