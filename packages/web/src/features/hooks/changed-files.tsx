import { ChevronRight } from "lucide-react";
import { Suspense, useState } from "react";
import { lazyPart } from "../../components/lazy-part.tsx";
import { formatCount } from "../../numbers/number-format.ts";
import type { PromptChanges } from "./session-outline.ts";
import type { SessionStep } from "./session-steps.ts";
import { editsOf, type StepEdit } from "./step-edits.ts";
import { turnOf, UndoButton } from "./undo-button.tsx";

const DiffLines = lazyPart(async () => ({ default: (await import("../approvals/diff-lines.tsx")).DiffLines }));

const MARKS: Readonly<Record<PromptChanges["files"][number]["change"], { mark: string; label: string; tone: string }>> =
  {
    added: { mark: "+", label: "Added", tone: "text-success" },
    changed: { mark: "~", label: "Changed", tone: "text-muted" },
    deleted: { mark: "−", label: "Deleted", tone: "text-danger" },
  };

interface ChangedFilesProps {
  readonly sessionId: string;
  readonly changes: PromptChanges;
  /** What is known of the calls that made the changes; undefined if nothing is to be shown of them. */
  readonly steps?: readonly SessionStep[];
}

/** The files that a turn changed; each can be undone, and unfolds to what tools changed in it. */
export function ChangedFiles({ sessionId, changes, steps }: ChangedFilesProps) {
  const { files, total, isCompared } = changes;
  const edits = (steps ?? []).filter(({ state }) => state !== "failed" && state !== "blocked").flatMap(editsOf);
  return (
    <>
      <ul>
        {files.map((file) => (
          <ChangedFile
            key={file.path}
            sessionId={sessionId}
            changes={changes}
            file={file}
            edits={steps === undefined ? undefined : edits.filter(({ path }) => isSameFile(path, file.path))}
          />
        ))}
      </ul>
      {total > files.length && <p className="text-13 text-muted">and {formatCount(total - files.length)} more</p>}
      {!isCompared && (
        <p className="text-13 text-muted">As far as tools reported; what commands changed is known in the next turn.</p>
      )}
    </>
  );
}

/** Assistants name files by their whole path, hooks from the root of the project. */
function isSameFile(given: string, path: string): boolean {
  return given === path || given.endsWith(`/${path}`);
}

interface ChangedFileProps {
  readonly sessionId: string;
  readonly changes: PromptChanges;
  readonly file: PromptChanges["files"][number];
  /** Undefined if they are not shown. */
  readonly edits: readonly StepEdit[] | undefined;
}

function ChangedFile({ sessionId, changes, file: { path, change }, edits }: ChangedFileProps) {
  const [isUnfolded, setIsUnfolded] = useState(false);
  const { mark, label, tone } = MARKS[change];
  const turn = turnOf(changes);
  const name = <span className="min-w-0 truncate font-mono text-12 text-strong">{path}</span>;
  return (
    <li>
      <div className="flex min-h-8 items-center gap-2">
        <span role="img" aria-label={label} className={`w-3 shrink-0 text-center font-mono ${tone}`}>
          {mark}
        </span>
        {edits === undefined ? (
          <span className="flex min-w-0 flex-1" data-tooltip={path}>
            {name}
          </span>
        ) : (
          <button
            type="button"
            aria-expanded={isUnfolded}
            className="flex min-h-8 min-w-0 flex-1 items-center gap-2 text-left hover:bg-hover touch:min-h-11"
            data-tooltip={path}
            onClick={() => setIsUnfolded(!isUnfolded)}
          >
            {name}
            <Counts edits={edits} />
            <ChevronRight aria-hidden size={14} className={`shrink-0 text-muted ${isUnfolded ? "rotate-90" : ""}`} />
          </button>
        )}
        {turn !== undefined && <UndoButton sessionId={sessionId} turn={turn} path={path} />}
      </div>
      {isUnfolded && edits !== undefined && (
        <div className="flex flex-col gap-2 py-1 pl-5">
          {edits.length === 0 && (
            <p className="text-13 text-muted">No tool reported what it changed here, so a command probably did.</p>
          )}
          <Suspense>
            {edits.map(({ diff }, index) => (
              <DiffLines key={index} diff={diff} />
            ))}
          </Suspense>
        </div>
      )}
    </li>
  );
}

function Counts({ edits }: { readonly edits: readonly StepEdit[] }) {
  if (edits.length === 0) return null;
  const sum = (count: (edit: StepEdit) => number) => edits.reduce((total, edit) => total + count(edit), 0);
  return (
    <span className="tabular shrink-0 text-12">
      <span className="text-success">+{formatCount(sum(({ added }) => added))}</span>{" "}
      <span className="text-danger">−{formatCount(sum(({ removed }) => removed))}</span>
    </span>
  );
}
