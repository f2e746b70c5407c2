import { useQuery } from "@tanstack/react-query";
import { Check, Undo2 } from "lucide-react";
import { useState } from "react";
import type { Outputs } from "../../api/api.ts";
import { toRequestError } from "../../api/request-error.ts";
import type { Client } from "../../client/client.ts";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { toasts } from "../../components/toast.ts";
import { pluralize } from "../../numbers/number-format.ts";
import type { PromptChanges } from "./session-outline.ts";
import { type UndoableTurn, undoCommand } from "./undo-command.ts";

type UndoneTurn = Outputs["undo"]["run"]["data"];

const STALE_MS = 60_000;
const NAMED_FILES = 5;
const NOTHING: Outputs["undo"]["undone"]["data"] = [];

function undoStatusQuery(client: Client) {
  return {
    queryKey: ["undo", "status"],
    queryFn: async ({ signal }: { signal: AbortSignal }) =>
      (await client.api.undo.status.query(undefined, { signal })).data,
    staleTime: STALE_MS,
  };
}

/** What has been undone of a session, turns and files of turns, here or by the command. */
function useUndone(sessionId: string, folder: string) {
  const client = useClient();
  const queryKey = ["undo", "undone", sessionId, folder];
  const { data = NOTHING } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => (await client.api.undo.undone.query({ sessionId, folder }, { signal })).data,
    staleTime: STALE_MS,
    // Each of them reads the records of the project.
    refetchOnWindowFocus: false,
  });
  return {
    has: (turn: number, path?: string): boolean =>
      data.some(
        (undone) => undone.turn === turn && (undone.isEntire || (path !== undefined && undone.files.includes(path))),
      ),
    refresh: () => client.queries.invalidateQueries({ queryKey }),
  };
}

/** The turn by which changes are undone; undefined if the hooks have not recorded them. */
export function turnOf({ turn, root }: PromptChanges): UndoableTurn | undefined {
  return turn === null ? undefined : { turn, root };
}

interface UndoButtonProps {
  readonly sessionId: string;
  readonly turn: UndoableTurn;
  /** The file; undefined for the whole turn. */
  readonly path?: string;
}

/**
 * Undoes a turn, or one of its files. If the project is on another machine than the server, only that machine can: then the button
 * copies the command for it.
 */
export function UndoButton({ sessionId, turn, path }: UndoButtonProps) {
  const client = useClient();
  const { data, isPending } = useQuery(undoStatusQuery(client));
  const what = path ?? `turn ${turn.turn}`;
  // Until it is known what a click does, it does nothing.
  if (isPending)
    return (
      <Button size="small" tone="ghost" icon={<Undo2 aria-hidden size={14} />} disabled>
        Undo<span className="sr-only"> {what}</span>
      </Button>
    );
  if (data?.isLocal === true && turn.root !== null)
    return <LocalUndo sessionId={sessionId} turn={turn.turn} folder={turn.root} path={path} />;
  return (
    <CopyButton
      text={undoCommand(sessionId, turn, path)}
      label="Undo"
      what={`${what}: copies the command for a terminal of that machine`}
    />
  );
}

interface LocalUndoProps {
  readonly sessionId: string;
  readonly turn: number;
  readonly folder: string;
  readonly path: string | undefined;
}

function LocalUndo({ sessionId, turn, folder, path }: LocalUndoProps) {
  const client = useClient();
  const undone = useUndone(sessionId, folder);
  const [isBusy, setIsBusy] = useState(false);
  /** What was not undone, and why: a person may insist. */
  const [left, setLeft] = useState<UndoneTurn>();
  const what = path ?? `turn ${turn}`;
  const isUndone = undone.has(turn, path);
  const run = async (more: { isForced?: boolean; isRedo?: boolean }) =>
    (
      await client.api.undo.run.mutate({
        sessionId,
        turn,
        folder,
        ...(path !== undefined && more.isRedo !== true && { file: path }),
        ...more,
      })
    ).data;
  const fail = (failure: unknown) => {
    setIsBusy(false);
    toasts(client).show({ message: toRequestError(failure).message, tone: "danger" });
  };
  const redo = () => {
    run({ isRedo: true }).then(({ fileCount }) => {
      void undone.refresh();
      toasts(client).show({ message: `Brought back ${pluralize(fileCount, "file")}` });
    }, fail);
  };
  const show = (result: UndoneTurn) => {
    setIsBusy(false);
    setLeft(result.isRefused || result.skippedCount > 0 ? result : undefined);
    // The dialog says it.
    if (result.isRefused || (result.fileCount === 0 && result.skippedCount > 0)) return;
    void undone.refresh();
    const [failed] = result.failures;
    toasts(client).show({
      message:
        failed === undefined
          ? `Undid ${what}: ${pluralize(result.fileCount, "file")}`
          : `${pluralize(result.failureCount, "file")} could not be brought back`,
      ...(failed !== undefined && { detail: `${failed.path}: ${failed.message}`, tone: "danger" as const }),
      ...(result.fileCount > 0 && { action: { label: "Redo", run: redo } }),
    });
  };
  return (
    <>
      <Button
        size="small"
        tone="ghost"
        icon={isUndone ? <Check aria-hidden size={14} /> : <Undo2 aria-hidden size={14} />}
        isBusy={isBusy}
        disabled={isUndone}
        onClick={() => {
          setIsBusy(true);
          run({}).then(show, fail);
        }}
      >
        {isUndone ? "Undone" : "Undo"}
        <span className="sr-only"> {what}</span>
      </Button>
      {left !== undefined && (
        <ConfirmDialog
          title={left.isRefused ? "Undo what others may have changed?" : "Undo what was changed again?"}
          description={describeLeft(left)}
          confirmLabel="Undo it all the same"
          failure="Not undone."
          onConfirm={async () => {
            const result = await run({ isForced: true });
            setLeft(undefined);
            show(result);
          }}
          onClose={() => setLeft(undefined)}
        />
      )}
    </>
  );
}

function describeLeft({ isRefused, otherSessions, skipped, skippedCount }: UndoneTurn): string {
  const files = isRefused ? [...new Set(otherSessions.flatMap((other) => other.files))] : skipped;
  const count = isRefused ? files.length : skippedCount;
  const names = [...files.slice(0, NAMED_FILES), ...(count > NAMED_FILES ? [`${count - NAMED_FILES} more`] : [])];
  return isRefused
    ? `Nothing was undone, since ${pluralize(otherSessions.length, "other session")} worked here at the same time and may have changed: ${names.join(", ")}.`
    : `Left alone, since it was changed again after the turn or is not recorded: ${names.join(", ")}.`;
}
