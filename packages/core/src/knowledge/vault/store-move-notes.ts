import { setTimeout as sleep } from "node:timers/promises";
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

/** How often to look whether a note goes away, and how long to wait in between. */
const LOOKS = 8;
const BETWEEN_LOOKS_MS = 125;

/**
 * Notes of moves, each an object until the documents are recorded at their new paths. With the tree locked, one of another process that
 * stays for a second is of a move that was interrupted: the others are removed at once when the tree is not locked any more.
 */
export function createMoveNotes({ client, reader: { keyOf, prefixOf }, ids }: MoveNotesOptions) {
  /** Notes of moves that this process is carrying out. */
  const own = new Set<string>();
  const read = async (key: string): Promise<PathChange | null> => parseNote(await client.read(key));

  /** The keys of all notes. */
  async function list(): Promise<string[]> {
    const notes: string[] = [];
    for await (const { objects } of client.list(prefixOf(MOVES_DIRECTORY)))
      notes.push(...objects.map(({ key }) => key));
    return notes;
  }

  /** The keys of notes that stay. */
  async function listLasting(): Promise<string[]> {
    let lasting = (await list()).filter((key) => !own.has(key));
    for (let look = 1; look < LOOKS && lasting.length > 0; look += 1) {
      await sleep(BETWEEN_LOOKS_MS);
      const present = new Set(await list());
      lasting = lasting.filter((key) => present.has(key));
    }
    return lasting;
  }

  return {
    list,

    /** Whether there is a note that stays. */
    stay: async (): Promise<boolean> => (await listLasting()).length > 0,

    /** Null if it is gone. */
    read,

    /** Returns the key of the new note. */
    async add(change: PathChange): Promise<string> {
      const key = keyOf(childOf(MOVES_DIRECTORY, `${ids()}.json`));
      await client.put(key, Buffer.from(JSON.stringify(change)), "new");
      own.add(key);
      return key;
    },

    async remove(key: string): Promise<void> {
      try {
        await client.remove(key);
      } finally {
        own.delete(key);
      }
    },

    /** Lets it be completed. */
    leave: (key: string): void => void own.delete(key),

    /** Throws UnavailableError if a move from or to one of these paths, or of a directory above or below, was interrupted. */
    async assertCompleted(...paths: readonly VaultPath[]): Promise<void> {
      for (const key of await listLasting()) {
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
