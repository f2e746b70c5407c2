import { clsx } from "clsx";
import { memo, useState } from "react";
import type { Pausable } from "../../../browser/compute-in-slices.ts";
import { useInSlices } from "../../../browser/use-in-slices.ts";
import { Button } from "../../../components/button.tsx";
import { SkeletonRows } from "../../../components/states.tsx";
import { pluralize } from "../../../numbers/number-format.ts";
import { compareTexts, diffRows, type DiffRow } from "./diff-rows.ts";

/** Longer lines are truncated. */
const MAX_LINE = 4_000;
/** How much of a comparison is shown at a time. */
const ROWS_AT_A_TIME = 80;
const CHARACTERS_AT_A_TIME = 6_000;

type Part = readonly DiffRow[];

/** The parts of a comparison that are shown, and those to come. */
interface ShownParts {
  readonly parts: readonly Part[];
  readonly next: Part | undefined;
  readonly rest: Generator<Part, undefined>;
}

interface TextComparisonProps {
  /** What is listed, for screen readers. */
  readonly label: string;
  /** Shown if there is no difference. */
  readonly identical: string;
  readonly before: string;
  readonly after: string;
}

/** The differences between two texts, line by line. */
export default function TextComparison({ label, identical, before, after }: TextComparisonProps) {
  const start = useInSlices(startComparison, before, after);
  if (before === after) return <p className="p-6 text-center text-muted">{identical}</p>;
  return start === null ? <SkeletonRows /> : <Changes label={label} start={start} />;
}

function Changes({ label, start }: { label: string; start: ShownParts }) {
  const [{ parts, next, rest }, setShown] = useState(start);
  return (
    <>
      {parts.map((part, index) => (
        // Parts have no id of their own, and are only ever appended.
        <DiffPart key={index} label={index === 0 ? label : `${label}, part ${index + 1}`} part={part} />
      ))}
      {next !== undefined && (
        <div className="flex justify-center p-4">
          <Button size="small" onClick={() => setShown({ parts: [...parts, next], next: rest.next().value, rest })}>
            Show more changes
          </Button>
        </div>
      )}
    </>
  );
}

function* startComparison(before: string, after: string): Pausable<ShownParts> {
  const rest = partsOf(diffRows(yield* compareTexts(before, after)));
  return { parts: [rest.next().value ?? []], next: rest.next().value, rest };
}

/** Divides rows into parts that can each be laid out without blocking the page. */
function* partsOf(rows: Iterable<DiffRow>): Generator<Part, undefined> {
  let part: DiffRow[] = [];
  let characters = 0;
  for (const row of rows) {
    const length = row.kind === "gap" ? 0 : Math.min(row.text.length, MAX_LINE);
    if (part.length >= ROWS_AT_A_TIME || (part.length > 0 && characters + length > CHARACTERS_AT_A_TIME)) {
      yield part;
      [part, characters] = [[], 0];
    }
    part.push(row);
    characters += length;
  }
  if (part.length > 0) yield part;
}

/** A table of its own, so that the earlier parts need not be laid out again. */
const DiffPart = memo(function DiffPart({ label, part }: { label: string; part: Part }) {
  return (
    <table className="w-full table-fixed border-collapse font-mono text-12" aria-label={label}>
      <colgroup>
        <col className="w-16" />
        <col className="w-4" />
        <col />
      </colgroup>
      <tbody>
        {part.map((row, index) => (
          <DiffLine key={index} row={row} />
        ))}
      </tbody>
    </table>
  );
});

const SIGNS = { same: "", removed: "−", added: "+" } as const;
const SPOKEN_PREFIXES = { same: "", removed: "removed: ", added: "added: " } as const;

function DiffLine({ row }: { row: DiffRow }) {
  if (row.kind === "gap") {
    return (
      <tr className="bg-background text-muted">
        <td colSpan={3} className="px-4 py-1 font-sans">
          {pluralize(row.count, "line")} the same
        </td>
      </tr>
    );
  }
  const { kind, line, text } = row;
  return (
    <tr className={clsx(kind === "added" && "bg-success/12", kind === "removed" && "bg-danger/12")}>
      <td className="tabular px-2 text-right align-top text-muted select-none">{line}</td>
      <td aria-hidden className="align-top text-strong select-none">
        {SIGNS[kind]}
      </td>
      <td className="py-px pr-4 leading-5 whitespace-pre-wrap text-strong [overflow-wrap:anywhere]">
        <span className="sr-only">{SPOKEN_PREFIXES[kind]}</span>
        {text.slice(0, MAX_LINE)}
        {text.length > MAX_LINE && (
          <span className="text-muted"> … and {pluralize(text.length - MAX_LINE, "more character")}</span>
        )}
      </td>
    </tr>
  );
}
