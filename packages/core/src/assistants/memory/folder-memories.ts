import { transaction, type Pool } from "@workspace/db";
import type { EventBus } from "../../platform/events.ts";
import { moveMemories, selectFolderMemories, selectFoldersWithMemories } from "./folder-memories.queries.ts";
import { isFolder } from "./given-project.ts";
import { createMemoryPublisher } from "./memory-events.ts";
import { reindexMemory } from "./memory-index.ts";

const BATCH_SIZE = 100;

/**
 * Moves what was stored under folders to the repositories that they have turned out to belong to, so that it has the name of what
 * is stored from then on; without folders, under any folder. Half done, it can be repeated.
 */
export async function moveFolderMemories(
  { pool, events }: { readonly pool: Pool; readonly events: EventBus },
  folders?: readonly string[],
): Promise<void> {
  const publish = createMemoryPublisher(events);
  for (const { folder, project } of await selectFoldersWithMemories(pool, folders ?? null)) {
    if (isFolder(project)) continue;
    let count: number;
    do {
      const moved = await transaction(pool, async (client) => {
        const memories = await selectFolderMemories(client, folder, BATCH_SIZE);
        const ids = memories.map(({ id }) => id);
        await moveMemories(client, ids, project);
        for (const memory of memories)
          if (!memory.isDeleted) await reindexMemory(client, memory, { ...memory, projectPath: project });
        return memories;
      });
      for (const memory of moved) if (!memory.isDeleted) publish("edit", memory);
      count = moved.length;
    } while (count === BATCH_SIZE);
  }
}
