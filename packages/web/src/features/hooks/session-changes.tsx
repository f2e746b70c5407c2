import { formatCount } from "../../numbers/number-format.ts";
import { ChangedFiles } from "./changed-files.tsx";
import type { SessionPrompt } from "./session-outline.ts";
import { turnOf, UndoButton } from "./undo-button.tsx";

/** Those of all prompts are shown below these. */
const MAX_SHOWN = 10;

interface SessionChangesProps {
  readonly sessionId: string;
  readonly prompts: readonly SessionPrompt[];
}

/** What each turn changed, the last first, which can be undone as a whole or file by file. */
export function SessionChanges({ sessionId, prompts }: SessionChangesProps) {
  return (
    <ul className="flex flex-col gap-4">
      {prompts
        .slice(-MAX_SHOWN)
        .toReversed()
        .map(({ id, text, changes }) => {
          if (changes === null) return null;
          const turn = turnOf(changes);
          return (
            <li key={id} className="flex flex-col gap-1 text-13">
              <div className="flex items-center justify-between gap-2">
                <span className="min-w-0 truncate text-strong">
                  {turn !== undefined && <span className="font-medium">Turn {formatCount(turn.turn)}</span>} {text}
                </span>
                {turn !== undefined && <UndoButton sessionId={sessionId} turn={turn} />}
              </div>
              <ChangedFiles sessionId={sessionId} changes={changes} />
            </li>
          );
        })}
      {prompts.length > MAX_SHOWN && (
        <li className="text-13 text-muted">
          {formatCount(prompts.length - MAX_SHOWN)} earlier ones are shown below their prompts.
        </li>
      )}
    </ul>
  );
}
