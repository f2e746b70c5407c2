import { useState } from "react";
import type { Client } from "../../client/client.ts";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { ChunkTypeIcon } from "../memory/chunk-type-icon.tsx";
import { showingFailure } from "../memory/memory-actions.ts";
import type { HookSession } from "./use-hook-session.ts";

type LeftOut = HookSession["leftOut"][number];

/** What a session did not teach again because it had been forgotten, each with a way to keep it all the same. */
export function LeftOutMemories({ sessionId, leftOut }: Pick<HookSession, "sessionId" | "leftOut">) {
  return (
    <ul className="flex flex-col">
      {leftOut.map((memory) => (
        <LeftOutMemory key={memory.content} sessionId={sessionId} memory={memory} />
      ))}
    </ul>
  );
}

function LeftOutMemory({ sessionId, memory }: { readonly sessionId: string; readonly memory: LeftOut }) {
  const client = useClient();
  const [isBusy, setIsBusy] = useState(false);
  const keep = async () => {
    setIsBusy(true);
    await showingFailure(client, "keep the memory", keepMemory(client, sessionId, memory));
    setIsBusy(false);
  };
  return (
    <li className="flex items-start gap-2 py-1.5 text-13 text-strong">
      <ChunkTypeIcon type={memory.chunkType} hasName />
      <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{memory.content}</span>
      <Button size="small" isBusy={isBusy} onClick={() => void keep()}>
        Keep
      </Button>
    </li>
  );
}

async function keepMemory(client: Client, sessionId: string, memory: LeftOut): Promise<void> {
  await client.api.memory.store.mutate({ ...memory, sessionId });
  await client.queries.invalidateQueries({ queryKey: ["hooks", "session", sessionId] });
}
