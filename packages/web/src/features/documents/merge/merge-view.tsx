import "../editor/editor.css";
import { useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { useInSlices } from "../../../browser/use-in-slices.ts";
import { Button } from "../../../components/button.tsx";
import { SkeletonRows } from "../../../components/states.tsx";
import { createMergeEditor, type MergeEditor } from "../editor/merge-editor.ts";
import { MergeDifference, shownLength } from "./merge-difference.tsx";
import { startMerge, type Difference, type MergeStart } from "./merge-start.ts";
import { linesOfPart, type MergeChoice } from "./three-way-merge.ts";

interface MergeViewProps {
  /** The common ancestor of both sides. */
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
  /** Called at each choice and change: from the first on, both sides have to stay as they are. */
  readonly onStart: () => void;
  readonly onResolve: (text: string) => void;
}

/** How many differences are shown at a time. */
const DIFFERENCES_AT_A_TIME = 20;
const CHARACTERS_AT_A_TIME = 8_000;

/** A merge of two versions, which are compared first. */
export default function MergeView({ base, ours, theirs, onStart, onResolve }: MergeViewProps) {
  const start = useInSlices(startMerge, base, ours, theirs);
  return start === null ? <SkeletonRows /> : <Merge start={start} onStart={onStart} onResolve={onResolve} />;
}

interface MergeProps {
  readonly start: MergeStart;
  readonly onStart: () => void;
  readonly onResolve: (text: string) => void;
}

/** Every difference to decide on, and the resulting text, which can also be edited directly. */
function Merge({ start, onStart, onResolve }: MergeProps) {
  const [choices, setChoices] = useState<readonly (MergeChoice | null)[]>(start.choices);
  const [shownCount, setShownCount] = useState(() => nextCount(start.differences, 0));
  const parentRef = useRef<HTMLDivElement>(null);
  const editorRef = useRef<MergeEditor>(null);
  const onEdit = useEffectEvent(onStart);
  useEffect(() => {
    if (parentRef.current === null) return undefined;
    const editor = createMergeEditor(parentRef.current, start.doc, start.places, onEdit);
    editorRef.current = editor;
    // Whoever was typing in the note goes on in the result. Outside a text, the keys would be shortcuts.
    if (document.activeElement === document.body) editor.focus();
    return () => editor.close();
  }, [start]);

  const open = useMemo(() => choices.filter((choice) => choice === null).length, [choices]);
  const choose = (index: number, choice: MergeChoice) => {
    const difference = start.differences[index];
    if (difference === undefined) return;
    editorRef.current?.choose(index, linesOfPart(difference, choice));
    editorRef.current?.reveal(index);
    setChoices(choices.with(index, choice));
  };
  const chooseAll = (choice: MergeChoice) => {
    editorRef.current?.chooseAll(start.differences.map((difference) => linesOfPart(difference, choice)));
    setChoices(choices.map(() => choice));
  };
  const save = () => {
    const text = editorRef.current?.text();
    if (text !== undefined) onResolve(text.replace(/\n$/, ""));
  };
  return (
    <section aria-label="Merge two versions" className="@container flex min-h-0 flex-1 flex-col">
      <header className="flex shrink-0 flex-wrap items-center gap-2 border-b border-border bg-warning/10 px-4 py-2">
        <div role="alert" className="min-w-60 flex-1">
          <p className="font-medium text-strong">This document was changed elsewhere while you were editing it.</p>
          <p className="text-13">
            Nothing has been overwritten. Choose a side for each difference, and edit the result as you like.
          </p>
        </div>
        <div className="flex gap-2">
          <Button size="small" onClick={() => chooseAll("ours")}>
            All mine
          </Button>
          <Button size="small" onClick={() => chooseAll("theirs")}>
            All theirs
          </Button>
          <Button size="small" tone="primary" disabled={open > 0} onClick={save}>
            {open === 0 ? "Save the result" : `${open} undecided`}
          </Button>
        </div>
      </header>
      <div className="grid min-h-0 flex-1 grid-cols-2 @max-3xl:block @max-3xl:overflow-y-auto">
        <div className="min-h-0 overflow-y-auto border-r border-border p-4 @max-3xl:overflow-visible @max-3xl:border-r-0">
          <h2 className="mb-2 text-13 font-medium text-muted">Differences</h2>
          <ol className="flex flex-col gap-4">
            {start.differences.slice(0, shownCount).map((difference, index) => (
              <li key={index}>
                <MergeDifference
                  number={index + 1}
                  difference={difference}
                  choice={choices[index] ?? null}
                  onChoose={(choice) => choose(index, choice)}
                />
              </li>
            ))}
          </ol>
          {shownCount < start.differences.length && (
            <Button
              size="small"
              className="mt-4"
              onClick={() => setShownCount(nextCount(start.differences, shownCount))}
            >
              Show more of {start.differences.length} differences
            </Button>
          )}
        </div>
        <div className="min-h-0 overflow-y-auto p-4 @max-3xl:overflow-visible @max-3xl:border-t @max-3xl:border-border">
          <h2 className="mb-2 text-13 font-medium text-muted">Result</h2>
          <div ref={parentRef} />
        </div>
      </div>
    </section>
  );
}

/** How many differences to show after the first `count` of them. */
function nextCount(differences: readonly Difference[], count: number): number {
  let next = count;
  for (let characters = 0; next < Math.min(count + DIFFERENCES_AT_A_TIME, differences.length); next += 1) {
    const difference = differences[next];
    characters += difference === undefined ? 0 : shownLength(difference);
    if (characters > CHARACTERS_AT_A_TIME && next > count) break;
  }
  return next;
}
