import { FileDiff } from "lucide-react";
import { pluralize } from "../../numbers/number-format.ts";
import { ChangedFiles } from "./changed-files.tsx";
import { SessionArticle, type RowPlace } from "./session-article.tsx";
import type { PromptChanges } from "./session-outline.ts";
import type { SessionStep } from "./session-steps.ts";
import { turnOf, UndoButton } from "./undo-button.tsx";

interface ChangesRowProps {
  readonly place: RowPlace;
  readonly sessionId: string;
  readonly changes: PromptChanges;
  /** The steps of the prompt that are loaded. */
  readonly steps: readonly SessionStep[];
}

/** The files that a prompt changed, each with its diff, as far as tools that edit files made it. */
export function ChangesRow({ place, sessionId, changes, steps }: ChangesRowProps) {
  const title = `${pluralize(changes.total, "file")} changed`;
  const turn = turnOf(changes);
  return (
    <SessionArticle {...place} label={title} className="pr-4 pb-3 pl-10 max-md:pr-3 max-md:pl-5">
      <div className="flex min-h-8 items-center gap-2 text-13 font-medium text-strong">
        <FileDiff aria-hidden size={14} className="shrink-0 text-muted" />
        {title}
        {turn !== undefined && (
          <span className="ml-auto">
            <UndoButton sessionId={sessionId} turn={turn} />
          </span>
        )}
      </div>
      <ChangedFiles sessionId={sessionId} changes={changes} steps={steps} />
    </SessionArticle>
  );
}
