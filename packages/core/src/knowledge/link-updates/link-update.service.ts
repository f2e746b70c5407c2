import type { PoolClient } from "@workspace/db";
import { ConflictError, NotFoundError } from "../../platform/errors.ts";
import type { Deps } from "../../platform/deps.ts";
import { isUuid } from "../../platform/ids.ts";
import type { Author } from "../../platform/procedures/author.ts";
import { selectDocumentsWithin } from "../file-records/document-writes.queries.ts";
import { planLinkUpdate } from "../file-records/link-plan.ts";
import type { PathChange } from "../file-records/link-plan.queries.ts";
import type { TreeChanges } from "../file-records/tree-changes.ts";
import type { VaultFiles } from "../vault/vault-files.ts";
import type { VaultPath } from "../vault/vault-path.ts";
import { createLinkUpdateRunner, type LinkUpdateRunnerDeps } from "./link-update-runner.ts";
import {
  claimUndo,
  putUndoing,
  selectLinkUpdate,
  selectRecentUpdates,
  selectRefused,
  type StoredLinkUpdate,
} from "./link-update.queries.ts";
import type { LinkCounts, LinkUpdate, RenameTag, UndoneLinkUpdate } from "./link-update.schema.ts";
import { joinIntoFolders, reversed } from "./path-changes.ts";
import { planTagRename } from "./tag-rename-plan.ts";

const LISTED = 20;
const MAX_LISTED_MOVES = 100;

export interface LinkUpdateServiceDeps extends LinkUpdateRunnerDeps, Deps<"ids"> {
  readonly files: VaultFiles;
  readonly tree: Pick<TreeChanges, "move">;
}

export type LinkUpdateService = ReturnType<typeof createLinkUpdateService>;

/** Moves files and folders together with the links to them, and undoes that. */
export function createLinkUpdateService(deps: LinkUpdateServiceDeps) {
  const { db, clock, ids, logger, tree } = deps;
  const { finish, finishSoon, close } = createLinkUpdateRunner(deps);

  async function find(id: string): Promise<StoredLinkUpdate> {
    const update = isUuid(id) ? await selectLinkUpdate(db.pool, id) : null;
    if (update === null) throw new NotFoundError("There is no such link update.");
    return update;
  }

  return {
    /**
     * Moves files and folders to free paths, then changes the links that would refer to something else; with `within`, only those in
     * documents in that folder. Throws the errors of `TreeChanges.move`. Returns null if no link had to be changed. If the database or
     * the disk fails after the move, the links are changed later.
     */
    async move(
      changes: readonly PathChange[],
      { author, within }: { readonly author: Author; readonly within?: VaultPath | undefined },
    ): Promise<LinkCounts | null> {
      const update = { id: ids(), origin: "request" as const, author, moves: changes, createdAt: clock.now() };
      const isPlanned = await tree.move(changes, author.userId, (client, documents) =>
        planLinkUpdate(client, { ...update, documents, within }),
      );
      if (!isPlanned) return null;
      try {
        await finish(update.id);
        const { id, links, notes } = await find(update.id);
        return links === 0 ? null : { id, links, notes };
      } catch (err) {
        logger.warn({ err }, "links could not be changed after a move; trying again later");
        return null;
      }
    },

    /**
     * Renames a tag, and those nested in it, in all notes: in frontmatter and in text. Throws {@link NotFoundError} if no note has it.
     * What could not be written yet is renamed later.
     */
    async renameTag(rename: RenameTag, author: Author): Promise<LinkCounts> {
      const update = {
        id: ids(),
        origin: "request" as const,
        author,
        moves: [],
        tagRename: rename,
        createdAt: clock.now(),
      };
      await planTagRename(db, update);
      await finish(update.id);
      const { id, links, notes } = await find(update.id);
      return { id, links, notes };
    },

    /** The newest updates first. */
    async list(): Promise<LinkUpdate[]> {
      const updates = await selectRecentUpdates(db.pool, LISTED);
      return updates.filter(({ links, isDone }) => links > 0 || !isDone).map(toLinkUpdate);
    },

    /**
     * Takes back an update: moves everything back, and gives the changed files the bytes that they had. A file that has been changed since
     * keeps what it says, except for the links, and is reported. Throws {@link NotFoundError}, and {@link ConflictError} if the update has
     * been undone already, or if what it moved is no longer there or cannot be moved back.
     */
    async undo(id: string, author: Author): Promise<UndoneLinkUpdate> {
      const { isDone, undoneById } = await find(id);
      if (undoneById !== null) throw new ConflictError("This has been undone already.");
      if (!isDone) await finish(id);
      const moves = await changesBack(deps, await find(id));
      const update = { id: ids(), origin: "undo" as const, author, moves, createdAt: clock.now() };
      try {
        await tree.move(moves, author.userId, async (client: PoolClient, documents) => {
          if (!(await claimUndo(client, id, update.id))) throw new ConflictError("This has been undone already.");
          await planLinkUpdate(client, { ...update, documents });
          await putUndoing(client, id, update);
        });
      } catch (error) {
        if (!(error instanceof NotFoundError)) throw error;
        throw new ConflictError("What was moved has been moved or deleted since.", { cause: error });
      }
      await finish(update.id);
      return { ...toLinkUpdate(await find(update.id)), refused: await selectRefused(db.pool, update.id) };
    },

    finishSoon,
    close,
  };
}

/** The changes that take an update back. Files that another program has moved are moved back by folders where that is the same. */
async function changesBack(
  { db, files }: Pick<LinkUpdateServiceDeps, "db" | "files">,
  { moves, origin }: StoredLinkUpdate,
): Promise<PathChange[]> {
  const back = reversed(moves);
  if (origin === "request") return back;
  const filesIn = async (folder: VaultPath) => (await selectDocumentsWithin(db.pool, folder)).map(({ path }) => path);
  const joined = await joinIntoFolders(back, filesIn);
  const taken = await files.statAll(joined.map(({ to }) => to));
  // A folder of the old name may be left, or be there again.
  return joined.some((_, index) => taken[index] !== null) ? back : joined;
}

function toLinkUpdate(update: StoredLinkUpdate): LinkUpdate {
  const { id, links, notes, origin, moves, tagRename, isDone, undoneById, createdAt } = update;
  const shown = moves.slice(0, MAX_LISTED_MOVES).map(({ from, to }) => ({ from: `/${from}`, to: `/${to}` }));
  return { id, links, notes, origin, moves: shown, tagRename, isDone, undoneById, createdAt };
}
