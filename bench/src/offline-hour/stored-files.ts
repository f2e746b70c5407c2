import type { ApiClient } from "../../../e2e/src/api-client.ts";
import type { Note } from "./model.ts";
import type { OfflinePerson } from "./person.ts";

/** What {@link changeStoredFiles} makes. */
export const EDITS_OF_STORED_FILES = 6;
/** Creates the files that the person moves, deletes, and deletes and restores, one of each in each round. */
export async function createStoredFiles(api: ApiClient, rounds: number): Promise<Note[]> {
  const paths = Array.from({ length: rounds }, (_, round) =>
    ["Moved", "Deleted", "Back"].map((kind) => `${kind} ${round}.md`),
  ).flat();
  await api.mutateAll(
    "notes.create",
    paths.map((path) => ({ path, content: `Text of ${path}\n` })),
  );
  const made = await api.query<{ id: string; path: string }[]>("documents.list", { limit: 1_000 });
  return made
    .filter(({ path }) => paths.includes(path))
    .map(({ id, path }) => ({ id, path, mine: [`Text of ${path}`], theirs: [] }));
}

/**
 * The person renames and tags notes that are written in, moves a file into a new folder, deletes one, and another one that is then
 * restored. Others change every second one of those that are deleted, which the person then keeps. In the last round, somebody else
 * creates a note at the path to which the person renames one.
 */
export async function changeStoredFiles(
  person: OfflinePerson,
  api: ApiClient,
  made: { notes: Note[]; files: Note[]; newNotes: Note[] },
  { round, isLast }: { round: number; isLast: boolean },
): Promise<void> {
  const { notes, files, newNotes } = made;
  const note = notes[(round + 1) % notes.length];
  const byPath = (path: string) => files.find((file) => file.path === path);
  const [moved, deleted] = [byPath(`Moved ${round}.md`), byPath(`Deleted ${round}.md`)];
  if (note === undefined || moved === undefined || deleted === undefined) throw new Error("A file is missing.");
  await person.openNote(note);
  await person.tagNote(`offline${round}`);
  note.tags?.push(`offline${round}`);
  await person.renameFile(titleOf(note), `Renamed ${round}`);
  note.path = `Renamed ${round}.md`;
  await person.moveFile(titleOf(moved), `Folder ${round}`);
  moved.path = `Folder ${round}/${moved.path}`;
  await person.deleteFile(`Back ${round}`);
  await person.undoDeletion(`Back ${round}`);
  await person.deleteFile(titleOf(deleted));
  if (round % 2 === 0) {
    const line = `Newer of ${deleted.path}`;
    await api.mutateAll("documents.update", [{ id: deleted.id, body: `${line}\n` }]);
    deleted.mine.splice(0);
    deleted.theirs.push(line);
  } else files.splice(files.indexOf(deleted), 1);
  if (!isLast) return;
  const line = `Theirs at the path of ${note.path}`;
  await api.mutateAll("notes.create", [{ path: note.path, content: `${line}\n` }]);
  newNotes.push({ id: null, path: note.path, mine: [], theirs: [line] });
  note.path = `Renamed ${round} 2.md`;
}

function titleOf({ path }: Note): string {
  return path.replace(/^.*\/|\.md$/g, "");
}
