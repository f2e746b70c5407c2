import { useMemo } from "react";
import { useCollection } from "../../api/use-collection.ts";
import { usePagedRows } from "../../api/use-paged-rows.ts";
import { useClient } from "../../client/use-client.ts";
import { RestorePage } from "../../lists/restore-page.tsx";
import { ChunkTypeIcon } from "./chunk-type-icon.tsx";
import { restoreMemories } from "./memory-actions.ts";
import { memoryCollection } from "./memory-collection.ts";
import { nameOf, projectNameOf } from "./memory.ts";

const PAGE_SIZE = 200;

/** Forgotten memories, which can be restored for a while. */
export default function ForgottenMemoriesPage() {
  const client = useClient();
  const state = usePagedRows({
    queryKey: ["memory", "forgotten"],
    readPage: (cursor, signal) => client.api.memory.list.query({ deleted: true, limit: PAGE_SIZE, cursor }, { signal }),
    staleTime: 0,
  });
  const restored = useCollection(memoryCollection(client));
  const rows = useMemo(() => state.rows.filter((memory) => !restored.has(memory.id)), [state.rows, restored]);
  return (
    <RestorePage
      title="Forgotten memories"
      state={{ ...state, rows }}
      describe={(memory) => ({
        name: nameOf(memory),
        text: memory.content,
        icon: <ChunkTypeIcon type={memory.chunkType} hasName />,
        ...(memory.projectPath !== null && { detail: projectNameOf(memory.projectPath) }),
      })}
      restore={(memory) => void restoreMemories(client, [memory])}
      emptyTitle="No forgotten memories"
      emptyText="Memories that you forget can be restored from here for 30 days."
    />
  );
}
