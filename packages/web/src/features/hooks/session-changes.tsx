import { formatCount } from "../../numbers/number-format.ts";
import type { ChangedFile, TurnChanges } from "./turn-changes.ts";
import { UndoButton } from "./undo-button.tsx";

const SHOWN_FILES = 12;

const MARKS: Readonly<Record<ChangedFile["change"], { mark: string; label: string; tone: string }>> = {
  added: { mark: "+", label: "Added", tone: "text-success" },
  changed: { mark: "~", label: "Changed", tone: "text-muted" },
  deleted: { mark: "−", label: "Deleted", tone: "text-danger" },
};

interface SessionChangesProps {
  readonly sessionId: string;
  readonly turns: readonly TurnChanges[];
}

/** What each turn changed, which can be undone as a whole or file by file. */
export function SessionChanges({ sessionId, turns }: SessionChangesProps) {
  return (
    <ul className="flex flex-col gap-4">
      {turns.map((turn) => (
        <li key={turn.turn} className="flex flex-col gap-1 text-13">
          <div className="flex items-center justify-between gap-2">
            <span className="min-w-0 truncate text-strong">
              <span className="font-medium">Turn {formatCount(turn.turn)}</span> {turn.prompt}
            </span>
            <UndoButton sessionId={sessionId} turn={turn} />
          </div>
          <ul>
            {turn.files.slice(0, SHOWN_FILES).map((file) => (
              <TurnFile key={file.path} file={file} sessionId={sessionId} turn={turn} />
            ))}
          </ul>
          <p className="text-muted">{noteOn(turn)}</p>
        </li>
      ))}
    </ul>
  );
}

interface TurnFileProps {
  readonly file: ChangedFile;
  readonly sessionId: string;
  readonly turn: TurnChanges;
}

function TurnFile({ file: { path, change }, sessionId, turn }: TurnFileProps) {
  const { mark, label, tone } = MARKS[change];
  return (
    <li className="flex items-center gap-2">
      <span role="img" aria-label={label} className={`w-3 shrink-0 text-center font-mono ${tone}`}>
        {mark}
      </span>
      <span className="min-w-0 flex-1 truncate font-mono text-12 text-strong" data-tooltip={path}>
        {path}
      </span>
      <UndoButton sessionId={sessionId} turn={turn} path={path} />
    </li>
  );
}

function noteOn({ files, total, isCompared }: TurnChanges): string | undefined {
  const more = total - Math.min(files.length, SHOWN_FILES);
  if (more > 0) return `and ${formatCount(more)} more`;
  return isCompared ? undefined : "As far as tools reported; what commands changed is known in the next turn.";
}
