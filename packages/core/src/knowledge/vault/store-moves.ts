import type { S3Client } from "@workspace/object-store";
import { ConflictError, NotFoundError } from "../../platform/errors.ts";
import type { IdGenerator } from "../../platform/ids.ts";
import { parentOf, VAULT_ROOT, type VaultPath } from "./vault-path.ts";
import { createStoreCopies, targetOf } from "./store-copies.ts";
import { createMoveNotes } from "./store-move-notes.ts";
import type { StoreReader } from "./store-reader.ts";
import type { CompletedMoves, MadeMove } from "./vault-files.ts";

type PathChange = CompletedMoves["changes"][number];

export interface StoreMovesOptions {
  readonly client: S3Client;
  readonly reader: StoreReader;
  readonly ids: IdGenerator;
}

/**
 * Moves objects: each is copied, then all of them are removed. A note is stored before, and removed afterwards, so that an interrupted
 * move can be completed. All of this happens with the tree locked.
 */
export function createStoreMoves({ client, reader, ids }: StoreMovesOptions) {
  const { keyOf, prefixOf, reading, assertPossible } = reader;
  const { findSources, copyAll, copyPossible, removeSources } = createStoreCopies(client);
  const notes = createMoveNotes({ client, reader, ids });

  return {
    /**
     * Moves what is at a path to a free one. Throws ConflictError, with nothing moved, if another program takes it meanwhile,
     * InvalidInputError if a key would be too long, and UnavailableError as `assertCompleted`.
     */
    async move(from: VaultPath, to: VaultPath): Promise<MadeMove> {
      await notes.assertCompleted(from, to);
      const sources = await findSources(keyOf(from));
      if (sources.length === 0) throw new NotFoundError("There is nothing at this path.");
      const move = { from: keyOf(from), to: keyOf(to) };
      for (const { key } of sources) assertPossible(to, targetOf(key, move));
      const note = await notes.add({ from, to });
      try {
        const copies = await copyAll(sources, move);
        // The directory stays, even without files.
        const parent = parentOf(from);
        if (parent !== VAULT_ROOT) await client.put(prefixOf(parent), Buffer.alloc(0));
        await removeSources(copies, move);
      } catch (error) {
        if (error instanceof ConflictError) await notes.remove(note);
        notes.leave(note);
        throw error;
      }
      return { finish: () => reading(() => notes.remove(note)), leave: () => notes.leave(note) };
    },

    hasUnfinished: notes.stay,

    assertCompleted: notes.assertCompleted,

    /** Completes interrupted moves as far as nothing else is at their targets. */
    async complete(): Promise<CompletedMoves> {
      const keys = await notes.list();
      const changes: PathChange[] = [];
      for (const key of keys) {
        const change = await notes.read(key);
        if (change === null) continue;
        changes.push(change);
        const move = { from: keyOf(change.from), to: keyOf(change.to) };
        const sources = await findSources(move.from);
        const copies = await copyPossible(sources, move);
        await removeSources(
          copies.filter((each) => each !== null),
          move,
        );
      }
      return {
        changes,
        async forget() {
          for (const key of keys) await notes.remove(key);
        },
      };
    },
  };
}
