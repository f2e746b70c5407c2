import { clsx } from "clsx";
import { useInSlices } from "../../../browser/use-in-slices.ts";
import { pluralize } from "../../../numbers/number-format.ts";
import type { Difference } from "./merge-start.ts";
import type { MergeChoice } from "./three-way-merge.ts";
import { markWords, MAX_SHOWN, type Passage } from "./word-marks.ts";

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

/** One difference between two texts, with both sides and the choice between them. */
export function MergeDifference({ number, difference, choice, onChoose }: MergeDifferenceProps) {
  const { ours, theirs } = difference;
  const marks = useInSlices(markWords, ours, theirs);
  const isOfThese = marks?.of[0] === ours && marks.of[1] === theirs;
  return (
    <fieldset className={clsx("rounded-panel border p-3", choice === null ? "border-warning" : "border-border")}>
      <legend className="sr-only">Difference {number}</legend>
      <Side
        title="Mine"
        lines={ours}
        passages={isOfThese ? marks.ours : null}
        isTaken={choice === "ours" || choice === "both"}
      />
      <Side
        title="Theirs"
        lines={theirs}
        passages={isOfThese ? marks.theirs : null}
        isTaken={choice === "theirs" || choice === "both"}
      />
      <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-1 text-13">
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
        {choice === null && <span className="ml-auto font-medium text-warning">Undecided</span>}
      </div>
    </fieldset>
  );
}

interface SideProps {
  readonly title: string;
  readonly lines: readonly string[];
  /** The same with marked words, if they are known. */
  readonly passages: readonly Passage[] | null;
  readonly isTaken: boolean;
}

function Side({ title, lines, passages, isTaken }: SideProps) {
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
          {passages === null ? shownText(lines) : passages.map((passage, index) => <Words key={index} {...passage} />)}
        </pre>
      )}
    </div>
  );
}

function Words({ text, isMarked }: Passage) {
  return isMarked ? <mark className="rounded-xs bg-warning/25 font-semibold text-strong">{text}</mark> : text;
}

/** Roughly how many characters of a difference are shown. */
export function shownLength({ ours, theirs }: Difference): number {
  const lengthOf = (lines: readonly string[]) => {
    let length = 0;
    for (const line of lines) {
      length += line.length + 1;
      if (length > MAX_SHOWN) return MAX_SHOWN;
    }
    return length;
  };
  return lengthOf(ours) + lengthOf(theirs);
}

/** A side may be an entire text; its beginning and end are enough to choose by. */
function shownText(lines: readonly string[]): string {
  const beginning = takeLines(lines, MAX_SHOWN / 2);
  if (beginning.length === lines.length) return beginning.join("\n");
  // No more lines than this fit, even if they are empty.
  const last = lines.slice(Math.max(beginning.length, lines.length - MAX_SHOWN));
  const end = takeLines(last.toReversed(), MAX_SHOWN / 2).toReversed();
  const left = lines.length - beginning.length - end.length;
  if (left === 0) return [...beginning, ...end].join("\n");
  return [...beginning, `(… ${pluralize(left, "more line")} …)`, ...end].join("\n");
}

/** The first lines with a total length of at most `limit`; if the first line is longer, its beginning. */
function takeLines(lines: readonly string[], limit: number): string[] {
  const taken: string[] = [];
  let length = 0;
  for (const line of lines) {
    length += line.length + 1;
    if (length > limit && taken.length > 0) break;
    taken.push(line.length > limit ? `${line.slice(0, limit)} …` : line);
  }
  return taken;
}
