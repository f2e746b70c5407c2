import "./editor/editor.css";
import { useEffect, useMemo, useRef, useState } from "react";
import { Button } from "../../components/button.tsx";
import { createMergeEditor, type MergeEditor } from "./editor/merge-editor.ts";
import { MergeDifference } from "./merge-difference.tsx";
import { startMerge, textOfLines } from "./merge-start.ts";
import { linesOfPart, mergeTexts, type MergeChoice } from "./three-way-merge.ts";

interface MergeViewProps {
  /** What both sides began from. */
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
  readonly onResolve: (text: string) => void;
}

/** Two texts that began from one: every difference to decide on, and the text that comes of it, to be changed by hand. */
export default function MergeView({ base, ours, theirs, onResolve }: MergeViewProps) {
  // Both sides as they were when the conflict was met: what is decided on must not change under the hand.
  const [start] = useState(() => startMerge(mergeTexts(base, ours, theirs)));
  const [choices, setChoices] = useState<readonly (MergeChoice | null)[]>(start.choices);
  const parentRef = useRef<HTMLDivElement>(null);
  const editorRef = useRef<MergeEditor>(null);
  useEffect(() => {
    if (parentRef.current === null) return undefined;
    const editor = createMergeEditor(parentRef.current, start.text, start.places);
    editorRef.current = editor;
    return () => editor.close();
  }, [start]);

  const open = useMemo(() => choices.filter((choice) => choice === null).length, [choices]);
  const choose = (index: number, choice: MergeChoice) => {
    const difference = start.differences[index];
    if (difference === undefined) return;
    editorRef.current?.choose(index, textOfLines(linesOfPart(difference, choice)));
    editorRef.current?.reveal(index);
    setChoices(choices.with(index, choice));
  };
  const chooseAll = (choice: MergeChoice) => {
    start.differences.forEach((difference, index) =>
      editorRef.current?.choose(index, textOfLines(linesOfPart(difference, choice))),
    );
    setChoices(choices.map(() => choice));
  };
  const save = () => {
    const text = editorRef.current?.text();
    if (text !== undefined) onResolve(text.replace(/\n$/, ""));
  };
  return (
    <section aria-label="Merge two versions" className="flex min-h-0 flex-1 flex-col">
      <header className="flex shrink-0 flex-wrap items-center gap-2 border-b border-border bg-warning/10 px-4 py-2">
        <div role="alert" className="min-w-60 flex-1">
          <p className="font-medium text-strong">This document was changed elsewhere while you wrote.</p>
          <p className="text-13">
            Nothing is overwritten. Decide on each difference, and change the result as you like.
          </p>
        </div>
        <Button size="small" onClick={() => chooseAll("ours")}>
          All mine
        </Button>
        <Button size="small" onClick={() => chooseAll("theirs")}>
          All theirs
        </Button>
        <Button size="small" tone="primary" disabled={open > 0} onClick={save}>
          {open === 0 ? "Save the result" : `${open} to decide`}
        </Button>
      </header>
      <div className="grid min-h-0 flex-1 grid-cols-2 max-lg:grid-cols-1 max-lg:overflow-y-auto">
        <div className="min-h-0 overflow-y-auto border-r border-border p-4 max-lg:overflow-visible max-lg:border-r-0">
          <h2 className="mb-2 text-13 font-medium text-muted">Differences</h2>
          <ol className="flex flex-col gap-4">
            {start.differences.map((difference, index) => (
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
        </div>
        <div className="min-h-0 overflow-y-auto p-4 max-lg:overflow-visible max-lg:border-t max-lg:border-border">
          <h2 className="mb-2 text-13 font-medium text-muted">Result</h2>
          <div ref={parentRef} />
        </div>
      </div>
    </section>
  );
}
