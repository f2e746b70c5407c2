import { useQuery } from "@tanstack/react-query";
import { FilterError, parseFilter, printFilter } from "@workspace/core/task-filter";
import { useState, type KeyboardEvent } from "react";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { Textarea } from "../../components/field.tsx";

const MAX_CHARACTERS = 2_000;

/** What can be added by a click, each with the text that it adds. */
const SUGGESTIONS = [
  ["Not done", "status:open"],
  ["High priority", "priority:high"],
  ["At least medium", "priority >= medium"],
  ["Overdue", "due:overdue"],
  ["Due within 7 days", "due:next-7-days"],
  ["No due date", "due:none"],
  ["For me", "assignee:me"],
  ["For nobody in particular", "assignee:none"],
  ["Claimed", "claimed:yes"],
  ["No project", "project:none"],
  ["No tag", "tag:none"],
  ["No subtasks", "parent:none"],
  ["New this week", "created:last-7-days"],
  ["Done this week", "completed:last-7-days"],
] as const;
const JOINS = ["and", "or", "not", "(", ")"] as const;

interface FilterExpressionProps {
  readonly initial: string;
  readonly onApply: (text: string) => void;
  readonly onClose: () => void;
}

/** Writes an expression by typing or by adding conditions; says what is wrong with it while one types. */
export function FilterExpression({ initial, onApply, onClose }: FilterExpressionProps) {
  const client = useClient();
  const [text, setText] = useState(initial);
  const { data: parties } = useQuery(client.trpc.tasks.parties.queryOptions());
  const problem = problemOf(text);
  const apply = () => {
    if (problem !== null) return;
    onApply(printFilter(parseFilter(text)));
    onClose();
  };
  const add = (part: string, joins: boolean) =>
    setText((before) => {
      const start = before.trimEnd();
      const needsAnd = joins && start !== "" && !/(?:\b(?:and|or|not)|\()$/.test(start);
      return `${start}${start === "" ? "" : " "}${needsAnd ? "and " : ""}${part} `;
    });
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
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <p role="status" className={problem === null ? "text-12 text-muted" : "text-12 text-danger"}>
        {problem ??
          "Fields: status, priority, project, tag, assignee, creator, claimed, due, created, completed, text."}
      </p>
      <div className="flex flex-wrap gap-1">
        {JOINS.map((join) => (
          <Button key={join} size="small" onClick={() => add(join, false)}>
            {join}
          </Button>
        ))}
      </div>
      <div className="flex max-h-48 flex-wrap gap-1 overflow-y-auto">
        {SUGGESTIONS.map(([label, part]) => (
          <Button key={part} size="small" tone="ghost" onClick={() => add(part, true)}>
            {label}
          </Button>
        ))}
        {parties?.data.map(({ id, name }) => (
          <Button key={id} size="small" tone="ghost" onClick={() => add(`assignee:${JSON.stringify(name)}`, true)}>
            For {name}
          </Button>
        ))}
      </div>
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

function problemOf(text: string): string | null {
  try {
    parseFilter(text);
    return null;
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    return error.message;
  }
}
