import { ConflictError, PreconditionFailedError, TooLargeError } from "../../platform/errors.ts";
import type { Deps } from "../../platform/deps.ts";
import { createKeyedLimit } from "../../platform/keyed-limit.ts";
import type { Author } from "../../platform/procedures/author.ts";
import type { Principal } from "../../platform/procedures/principal.ts";
import { folderOf, parsePathFor } from "../documents/key-folder.ts";
import { selectDocument } from "../file-records/document.queries.ts";
import { assertExpected } from "../file-records/write-condition.ts";
import type { ReadFile } from "../file-system/vault.schema.ts";
import type { VaultService } from "../file-system/vault.service.ts";
import { appendText, MAX_NOTE_CHARACTERS, replaceTexts, takeLines } from "./note-text.ts";
import type {
  AppendToNote,
  ChangedNote,
  CreateNote,
  EditNote,
  MovedNote,
  MoveNote,
  NotePart,
  ReadNote,
} from "./note.schema.ts";

/** Each fails only because another process has written the note meanwhile. */
const MAX_ATTEMPTS = 100;

export interface NoteServiceDeps extends Deps<"db"> {
  readonly vault: Pick<VaultService, "read" | "write" | "rename" | "openStream">;
}

type NoteToChange = Pick<EditNote, "path" | "expectedHash">;
type DeriveText = (content: string) => string | Promise<string>;

export type NoteService = ReturnType<typeof createNoteService>;

/**
 * Text files of the vault, read and changed in parts, as models do. Every method throws the errors of `VaultService`, and
 * ForbiddenError for a path outside the folder to which the caller's access is limited.
 */
export function createNoteService({ db, vault }: NoteServiceDeps) {
  const oneAtATime = createKeyedLimit();

  const readText = (path: string) => readShortText(vault, path);

  /**
   * Derives a new content from the present one and writes it, one change of a note after the other; starts again if another writer
   * comes in between.
   */
  async function change(
    note: NoteToChange,
    derive: DeriveText,
    principal: Principal,
    author: Author,
  ): Promise<ChangedNote> {
    return oneAtATime(parsePathFor(principal, note.path), () => tryToChange(note, derive, author));
  }

  async function tryToChange(
    { path, expectedHash }: NoteToChange,
    derive: DeriveText,
    author: Author,
  ): Promise<ChangedNote> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const current = await readText(path);
      assertExpected(expectedHash, current.contentHash);
      const content = await derive(current.content);
      try {
        const written = await vault.write({ path, content, expectedHash: current.contentHash }, author);
        return { path, contentHash: written.contentHash, modifiedAt: written.modifiedAt };
      } catch (error) {
        if (!(error instanceof PreconditionFailedError)) throw error;
      }
    }
    throw new ConflictError("The note is being changed too often. Try again.");
  }

  return {
    /** Reads some lines. Throws {@link NotFoundError}, and InvalidInputError for a file that is not text. */
    async read({ path, fromLine, lineCount }: ReadNote, principal: Principal): Promise<NotePart> {
      parsePathFor(principal, path);
      const { content: text, contentHash, modifiedAt } = await readText(path);
      const part = takeLines(text, { fromLine, lineCount });
      const nextLine = part.toLine < part.totalLines && part.toLine >= fromLine ? part.toLine + 1 : null;
      return { path, fromLine, ...part, nextLine, contentHash, modifiedAt };
    },

    /**
     * Creates a note and missing folders, only once for each id that the caller chooses: later calls return it as it is now, also if
     * it was moved or deleted. Throws {@link ConflictError} if there is a file at the path.
     */
    create: (note: CreateNote, principal: Principal, author: Author): Promise<ChangedNote> => {
      const create = () => createOnce({ db, vault }, note, principal, author);
      return note.id === undefined ? create() : oneAtATime(note.id.toLowerCase(), create);
    },

    /**
     * Replaces texts. Throws InvalidInputError if one does not occur exactly once, and PreconditionFailedError if the note is not
     * what `expectedHash` says; then nothing is changed.
     */
    edit: ({ edits, ...note }: EditNote, principal: Principal, author: Author): Promise<ChangedNote> =>
      change(note, (content) => replaceTexts(content, edits), principal, author),

    /**
     * Adds lines at the end of an existing note; those of several callers at once all remain. `beforeWrite` gets the content that the note
     * is about to get, each time that is tried.
     */
    append: (
      { text, ...note }: AppendToNote,
      principal: Principal,
      author: Author,
      beforeWrite?: (content: string) => Promise<void>,
    ): Promise<ChangedNote> =>
      change(
        note,
        async (current) => {
          const content = appendText(current, text);
          await beforeWrite?.(content);
          return content;
        },
        principal,
        author,
      ),

    /**
     * Renames a note, or moves it to another folder. Throws {@link ConflictError} if there is anything at the new path, and
     * InvalidInputError for a folder.
     */
    async move({ path, newPath }: MoveNote, principal: Principal, author: Author): Promise<MovedNote> {
      parsePathFor(principal, path);
      parsePathFor(principal, newPath, "newPath");
      (await vault.openStream(path)).file.release();
      const { linkUpdate } = await vault.rename(path, newPath, author, folderOf(principal));
      return { path, newPath, ...(linkUpdate !== undefined && { linkUpdate }) };
    },
  };
}

async function createOnce(
  { db, vault }: NoteServiceDeps,
  { id: newId, path, content }: CreateNote,
  principal: Principal,
  author: Author,
): Promise<ChangedNote> {
  parsePathFor(principal, path);
  const findKnown = async (): Promise<ChangedNote | null> => {
    const known = newId === undefined ? null : await selectDocument(db.pool, newId);
    if (known === null) return null;
    parsePathFor(principal, known.path);
    return { path: known.path, contentHash: known.contentHash, modifiedAt: known.modifiedAt };
  };
  const known = await findKnown();
  if (known !== null) return known;
  try {
    const { contentHash, modifiedAt } = await vault.write({ path, content, createOnly: true, newId }, author);
    return { path, contentHash, modifiedAt };
  } catch (error) {
    // It may be this note that is in the way, if another process has created it meanwhile.
    const created = error instanceof ConflictError ? await findKnown() : null;
    if (created === null) throw error;
    return created;
  }
}

/** Throws {@link TooLargeError}. */
async function readShortText(vault: NoteServiceDeps["vault"], path: string): Promise<ReadFile> {
  const file = await vault.read(path);
  if (file.content.length <= MAX_NOTE_CHARACTERS) return file;
  throw new TooLargeError("The file has more than 1,000,000 characters. Use GET /api/fs/raw, which reads any file.");
}
