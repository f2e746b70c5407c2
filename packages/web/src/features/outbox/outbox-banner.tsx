import { useCollection } from "../../api/use-collection.ts";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { loadable } from "../../components/loadable.tsx";
import { ProblemBanner } from "../../components/problem-banner.tsx";
import { documentCollection } from "../documents/document-collection.ts";
import { parentOf } from "../documents/vault/vault-path.ts";
import { projectCollection } from "../projects/project-collection.ts";
import { taskCollection } from "../tasks/task-collection.ts";
import { countChanges } from "./count-changes.ts";
import { serverIdOf, type KeptChange } from "./kept-change.ts";
import { outbox, useKeptChanges } from "./outbox.ts";

const TakenPathActions = loadable(
  async () => (await import("../documents/new-notes/taken-path-actions.tsx")).TakenPathActions,
);

const DeletedTextsNotice = loadable(
  async () => (await import("../documents/session/deleted-texts-notice.tsx")).default,
);

const UnmergedTextsNotice = loadable(
  async () => (await import("../documents/session/unmerged-texts-notice.tsx")).default,
);

const VERBS = {
  create: "created",
  update: "changed",
  move: "moved",
  delete: "deleted",
  restore: "restored",
  checklist: "changed",
  comment: "commented on",
  "create-project": "created",
  "update-project": "changed",
  "delete-project": "deleted",
  "create-note": "created",
  "create-folder": "created",
  "delete-note": "deleted",
  "restore-project": "restored",
  "move-document": "moved",
  "update-document": "changed",
  "delete-document": "deleted",
  "restore-document": "restored",
} as const;

/**
 * What the server has not accepted: changes that were made without a connection, and texts of documents that have been deleted, or changed
 * in the same lines.
 */
export default function OutboxBanner() {
  return (
    <>
      <RefusedChanges />
      <DeletedTextsNotice />
      <UnmergedTextsNotice />
    </>
  );
}

/** What has not happened to what a change is of, in one word. */
function verbOf(change: KeptChange["change"]): string {
  const isRenamed =
    change.kind === "move-document" && change.formerPaths.every((path) => parentOf(path) === parentOf(change.path));
  return isRenamed ? "renamed" : VERBS[change.kind];
}

/** Each is sent once more or given up. */
function RefusedChanges() {
  const changes = useKeptChanges();
  const problems = changes.filter(({ problem }) => problem !== null);
  const [first] = problems;
  if (first === undefined) return null;
  return <Problem kept={first} others={problems.length - 1} />;
}

function Problem({ kept, others }: { readonly kept: KeptChange; readonly others: number }) {
  const client = useClient();
  const { title, change, problem } = kept;
  const theirs = fieldsThere(kept);
  const instead = problem?.instead;
  const isGone = useIsGone(kept);
  const isConflict =
    instead !== undefined || theirs !== null || (problem?.items !== undefined && problem.items.length > 0);
  return (
    <ProblemBanner
      title={`“${title}” could not be ${verbOf(change)}.`}
      actions={
        <>
          {problem?.isPathTaken === true && <TakenPathActions kept={kept} />}
          {problem?.isPathTaken !== true && !isGone && (
            <Button size="small" onClick={() => void outbox(client).retry(kept, { isMine: isConflict })}>
              {instead?.label ?? (isConflict ? "Save mine" : "Try again")}
            </Button>
          )}
          <Button size="small" tone="ghost" onClick={() => void outbox(client).discard(kept)}>
            {instead?.otherwise ?? (isConflict ? "Keep theirs" : "Discard")}
          </Button>
        </>
      }
    >
      {problem?.reason}
      {theirs !== null && ` There: ${describe(theirs)}. Yours: ${describe(mineOf(patchOf(change), theirs))}.`}
      {others > 0 && ` ${countChanges(others)} more.`}
    </ProblemBanner>
  );
}

/** Whether what was changed is not there any more, so that the same change fails again until it is restored. */
function useIsGone({ rowId, problem }: KeptChange): boolean {
  const client = useClient();
  const tasks = useCollection(taskCollection(client));
  const projects = useCollection(projectCollection(client));
  const documents = useCollection(documentCollection(client));
  const row = tasks.get(serverIdOf(rowId)) ?? tasks.get(rowId) ?? projects.get(rowId) ?? documents.get(rowId);
  return problem?.isGone === true && row?.deletedAt !== null;
}

/** The fields that somebody else has changed, too; null if a change was not made for another reason. */
function fieldsThere({ problem }: KeptChange): object | null {
  const theirs = problem?.project ?? problem?.theirs;
  return theirs === undefined || "deletedAt" in theirs ? null : theirs;
}

function patchOf(change: KeptChange["change"]): object {
  return change.kind === "update" || change.kind === "update-project" ? change.patch : {};
}

/** The same fields as the user has changed them. */
function mineOf(patch: object, theirs: object): object {
  return Object.fromEntries(Object.entries(patch).filter(([name]) => name in theirs));
}

const MAX_SHOWN = 80;

/** The values of fields, in words. */
function describe(fields: object): string {
  return Object.entries(fields)
    .map(([name, value]) => {
      const label = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace(/ id$/, "");
      const text =
        value === null || value === undefined ? "none" : Array.isArray(value) ? value.join(", ") : String(value);
      return `${label} “${text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text}”`;
    })
    .join(", ");
}
