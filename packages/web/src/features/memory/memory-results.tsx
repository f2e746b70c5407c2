import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { useCollection } from "../../api/use-collection.ts";
import { useClient } from "../../client/use-client.ts";
import { shortSessionId } from "../hooks/hook-event.ts";
import { TURN_KINDS, turnSearch } from "../hooks/turn-kinds.ts";
import { Entry, Group } from "../palette/palette-parts.tsx";
import { ChunkTypeIcon } from "./chunk-type-icon.tsx";
import { memoryCollection } from "./memory-collection.ts";
import { NO_MEMORY_FILTER, isSearchable } from "./memory-filter.ts";
import { CHUNK_TYPE_LABELS, memoryPanel, projectNameOf } from "./memory.ts";
import { useMemoryHits } from "./use-memory-hits.ts";

const LIMIT = 6;
const LIMITS = { memories: LIMIT, turns: LIMIT };

interface MemoryResultsProps {
  readonly query: string;
  run(action: () => void): void;
}

/** The memories and turns of sessions that match the palette's query, best first. */
export function MemoryResults({ query, run }: MemoryResultsProps) {
  const navigate = useNavigate();
  const memories = useCollection(memoryCollection(useClient()));
  const text = isSearchable(query) ? query : "";
  const filter = useMemo(() => ({ ...NO_MEMORY_FILTER, text }), [text]);
  const { hits, error } = useMemoryHits(memories, filter, LIMITS);
  const failure = error !== null && (
    <p className="px-2 py-2 text-13 text-muted">Memories and sessions could not be searched.</p>
  );
  if (hits.length === 0) return failure;
  return (
    <>
      <Group heading="Memories and sessions">
        {hits.slice(0, LIMIT).map(({ id, memory, turn }) =>
          memory === undefined ? (
            <Entry
              key={id}
              value={id}
              icon={<TurnIcon kind={turn.kind} />}
              hint={`Session ${shortSessionId(turn.sessionId)}`}
              onSelect={() =>
                run(() => {
                  const { sessionId, position } = turn;
                  void navigate({
                    to: "/hooks/sessions/$sessionId",
                    params: { sessionId },
                    search: turnSearch(position),
                  });
                })
              }
            >
              {turn.excerpt}
            </Entry>
          ) : (
            <Entry
              key={id}
              value={`memory-${id}`}
              icon={<ChunkTypeIcon type={memory.chunkType} />}
              hint={
                memory.projectPath === null ? CHUNK_TYPE_LABELS[memory.chunkType] : projectNameOf(memory.projectPath)
              }
              onSelect={() => run(() => void navigate({ to: "/memory", search: memoryPanel(id) }))}
            >
              {memory.content}
            </Entry>
          ),
        )}
      </Group>
      {failure}
    </>
  );
}

function TurnIcon({ kind }: { kind: keyof typeof TURN_KINDS }) {
  const { Icon, label } = TURN_KINDS[kind];
  return <Icon role="img" aria-label={label} size={16} />;
}
