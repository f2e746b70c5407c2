import { FilterError, parseFilter, printFilter } from "@workspace/core/task-filter";
import { useState, type KeyboardEvent } from "react";
import { Button } from "../../components/button.tsx";
import { Textarea } from "../../components/field.tsx";
import { ConditionPicker } from "./condition-picker.tsx";

const MAX_CHARACTERS = 2_000;

const JOINS = ["and", "or", "not", "(", ")"] as const;

interface FilterExpressionProps {
  readonly initial: string;
  readonly onApply: (text: string) => void;
  readonly onClose: () => void;
}

/** Writes an expression by typing or by picking conditions; says what is wrong with it while one types. */
export function FilterExpression({ initial, onApply, onClose }: FilterExpressionProps) {
  const [text, setText] = useState(initial);
  /** The text before the condition that is being picked. */
  const [written, setWritten] = useState<string | null>(null);
  const problem = problemOf(text);
  const apply = () => {
    if (problem !== null) return;
    onApply(printFilter(parseFilter(text)));
    onClose();
  };
  const add = (part: string) => {
    setWritten(null);
    setText((before) => joined(before, part, false));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    apply();
  };
  return (
    <div className="flex w-96 max-w-[calc(100vw-2rem)] flex-col gap-2 p-3">
      <Textarea
        aria-label="Filter expression"
        aria-invalid={problem !== null}
        autoFocus
        rows={3}
        maxLength={MAX_CHARACTERS}
        spellCheck={false}
        value={text}
        placeholder="status:open and (priority:high or due:overdue) and not tag:waiting"
        className="font-mono text-13"
        onChange={(event) => {
          setWritten(null);
          setText(event.target.value);
        }}
        onKeyDown={onKeyDown}
      />
      <p role="status" className={problem === null ? "text-12 text-muted" : "text-12 text-danger"}>
        {problem ?? "Pick conditions below, or write them: status:open and due <= today + 7d and not #waiting"}
      </p>
      <div className="flex flex-wrap gap-1">
        {JOINS.map((join) => (
          <Button key={join} size="small" onClick={() => add(join)}>
            {join}
          </Button>
        ))}
      </div>
      <ConditionPicker
        onPick={(condition) => {
          const before = written ?? text;
          setWritten(before);
          setText(condition === "" ? before : joined(before, condition, true));
        }}
        onDone={() => setWritten(null)}
      />
      <div className="flex justify-end gap-2">
        <Button size="small" tone="ghost" onClick={() => setText("")}>
          Clear
        </Button>
        <Button size="small" tone="primary" disabled={problem !== null} onClick={apply}>
          Apply
        </Button>
      </div>
    </div>
  );
}

function joined(text: string, part: string, isCondition: boolean): string {
  const start = text.trimEnd();
  const needsAnd = isCondition && start !== "" && !/(?:\b(?:and|or|not)|\()$/.test(start);
  return `${start}${start === "" ? "" : " "}${needsAnd ? "and " : ""}${part} `;
}

function problemOf(text: string): string | null {
  try {
    parseFilter(text);
    return null;
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    return error.message;
  }
}
