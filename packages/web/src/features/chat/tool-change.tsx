import { useState } from "react";
import { Button } from "../../components/button.tsx";
import type { ToolResult, ToolUse } from "../agents/run-steps.tsx";
import { CallUndo } from "./call-undo.tsx";
import { NoteChange } from "./note-change.tsx";
import { TaskChanges } from "./task-changes.tsx";
import { targetOf } from "./tool-target.ts";

interface ToolChangeProps {
  /** The answer. */
  readonly messageId: string;
  readonly call: ToolUse;
  readonly result: ToolResult;
  /** Whether the change is shown without being asked for. */
  readonly isRecent: boolean;
}

/** What a call has changed, and its undo. */
export default function ToolChange({ messageId, call, result, isRecent }: ToolChangeProps) {
  const [isOpen, setOpen] = useState(isRecent);
  const target = targetOf(call, result);
  if (target === null) return null;
  if (!isOpen) {
    return (
      <Button size="small" tone="accent" className="self-start" onClick={() => setOpen(true)}>
        Show what changed
      </Button>
    );
  }
  const by = { messageId, toolUseId: call.id };
  return (
    <div className="border-l-2 border-border pl-3 text-13">
      {target.kind === "task" ? (
        <TaskChanges id={target.id} by={by} />
      ) : target.kind === "note" ? (
        <NoteChange path={target.path} by={by} />
      ) : (
        <CallUndo target={target} />
      )}
    </div>
  );
}
