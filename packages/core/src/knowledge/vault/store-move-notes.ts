import type { S3Client } from "@workspace/object-store";
import * as z from "zod";
import { UnavailableError } from "../../platform/errors.ts";
import type { IdGenerator } from "../../platform/ids.ts";
import type { StoreReader } from "./store-reader.ts";
import type { CompletedMoves } from "./vault-files.ts";
import { childOf, isWithin, SERVICE_DIRECTORY, VAULT_ROOT, type VaultPath } from "./vault-path.ts";

const MOVES_DIRECTORY = childOf(SERVICE_DIRECTORY, "moves");

const noteSchema = z.object({ from: z.string().transform(toPath), to: z.string().transform(toPath) });

type PathChange = CompletedMoves["changes"][number];

export interface MoveNotesOptions {
  readonly client: S3Client;
  readonly reader: Pick<StoreReader, "keyOf" | "prefixOf">;
  readonly ids: IdGenerator;
}

/** Notes of moves, each an object while the move is carried out. One that is there with the tree locked was interrupted. */
export function createMoveNotes({ client, reader: { keyOf, prefixOf }, ids }: MoveNotesOptions) {
  const read = async (key: string): Promise<PathChange | null> => parseNote(await client.read(key));

  /** The keys of all notes. */
  async function list(): Promise<string[]> {
    const notes: string[] = [];
    for await (const { objects } of client.list(prefixOf(MOVES_DIRECTORY)))
      notes.push(...objects.map(({ key }) => key));
    return notes;
  }

  return {
    list,

    /** Null if it is gone. */
    read,

    /** Returns the key of the new note. */
    async add(change: PathChange): Promise<string> {
      const key = keyOf(childOf(MOVES_DIRECTORY, `${ids()}.json`));
      await client.put(key, Buffer.from(JSON.stringify(change)), "new");
      return key;
    },

    remove: (key: string): Promise<void> => client.remove(key),

    /** Throws UnavailableError if a move from or to one of these paths, or of a directory above or below, was interrupted. */
    async assertCompleted(...paths: readonly VaultPath[]): Promise<void> {
      for (const key of await list()) {
        const change = await read(key);
        const ends = change === null ? [] : [change.from, change.to];
        if (ends.some((end) => paths.some((path) => isWithin(path, end) || isWithin(end, path))))
          throw new UnavailableError("An interrupted move is being completed. Try again in a moment.");
      }
    },
  };
}

function parseNote(content: Buffer | null): PathChange | null {
  try {
    return noteSchema.parse(JSON.parse(content?.toString("utf8") ?? ""));
  } catch {
    return null;
  }
}

/** The service has written it, so that its names are right. */
function toPath(text: string): VaultPath {
  let path = VAULT_ROOT;
  for (const name of text.split("/")) path = childOf(path, name);
  return path;
}
