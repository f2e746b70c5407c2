import { useQuery } from "@tanstack/react-query";
import { Check, Trash2 } from "lucide-react";
import { useCollection } from "../../api/use-collection.ts";
import type { Client } from "../../client/client.ts";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { formatCount } from "../../numbers/number-format.ts";
import { ChunkTypeIcon } from "../memory/chunk-type-icon.tsx";
import { forgetMemories, keepMemories } from "../memory/memory-actions.ts";
import { memoryCollection } from "../memory/memory-collection.ts";
import type { Memory } from "../memory/memory.ts";
import { HomePart, Rows, ROW } from "./home-part.tsx";
import { ItemLink } from "./item-link.tsx";

const MAX_MEMORIES = 3;
/** What follows those that are shown, so that the next one appears at once. */
const READ_AHEAD = 10;

/** The latest memories that await review: keep or forget them here. */
export function MemoriesToReview({ count }: { readonly count: number }) {
  const client = useClient();
  const { data: ids = [] } = useQuery(awaitingQuery(client));
  const memories = useCollection(memoryCollection(client));
  const shown = ids
    .flatMap((id) => memories.get(id) ?? [])
    .filter(({ awaitsReview, deletedAt }) => awaitsReview && deletedAt === null)
    .slice(0, MAX_MEMORIES);
  if (shown.length === 0) return null;
  return (
    <HomePart
      title="Memories to review"
      actions={
        <ItemLink href="/memory?review=1" className="ml-auto font-medium text-accent-text">
          Review all {formatCount(Math.max(count, shown.length))}
        </ItemLink>
      }
    >
      <Rows label="Memories to review">
        {shown.map((memory) => (
          <Row key={memory.id} memory={memory} />
        ))}
      </Rows>
    </HomePart>
  );
}

function Row({ memory }: { readonly memory: Memory }) {
  const client = useClient();
  const { id, chunkType, content } = memory;
  return (
    <li className={`${ROW} max-md:flex-wrap`}>
      <ChunkTypeIcon type={chunkType} hasName />
      <ItemLink
        href={`/memory?memory=${id}`}
        className="line-clamp-2 min-w-0 flex-1 [overflow-wrap:anywhere] text-strong max-md:basis-3/4"
      >
        {content}
      </ItemLink>
      <div className="flex shrink-0 gap-2 max-md:ml-auto">
        <Button size="small" icon={<Check aria-hidden size={14} />} onClick={() => void keepMemories(client, [id])}>
          Keep
        </Button>
        <Button
          size="small"
          tone="ghost"
          icon={<Trash2 aria-hidden size={14} />}
          onClick={() => void forgetMemories(client, [id])}
        >
          Forget
        </Button>
      </div>
    </li>
  );
}

function awaitingQuery(client: Client) {
  return {
    queryKey: ["memory", "awaiting"],
    queryFn: async ({ signal }: { signal: AbortSignal }) => {
      const ticket = memoryCollection(client).startRead();
      const { data } = await client.api.memory.list.query({ awaitsReview: true, limit: READ_AHEAD }, { signal });
      memoryCollection(client).merge(data, ticket);
      return data.map(({ id }) => id);
    },
  };
}
