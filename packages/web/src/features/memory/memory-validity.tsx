import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { useCollection, useRow } from "../../api/use-collection.ts";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { updateMemory } from "./memory-actions.ts";
import { memoryCollection, memoryQuery } from "./memory-collection.ts";
import { memoryPanel, placeOf, type Citation, type Memory } from "./memory.ts";

const CITATION_STATES: Readonly<Record<Citation["state"], string>> = {
  unchecked: "not looked for yet",
  holds: "found",
  broken: "not found",
  confirmed: "not found, confirmed",
};

/** Since when a memory is valid, what it rests on, which one replaced it, and which ones it replaced. */
export function MemoryValidity({ memory }: { readonly memory: Memory }) {
  const { id, createdAt, supersededById, supersededAt, withheldAt } = memory;
  const memories = useCollection(memoryCollection(useClient()));
  const replaced = useMemo(() => [...memories.values()].filter((other) => other.supersededById === id), [memories, id]);
  return (
    <section aria-labelledby="memory-validity" className="flex flex-col gap-2 border-t border-border pt-4 text-13">
      <h2 id="memory-validity" className="font-medium text-strong">
        Whether it is valid
      </h2>
      <p>
        Valid since <TimeAgo timestamp={createdAt} />
        {withheldAt !== null && (
          <>
            , withheld <TimeAgo timestamp={withheldAt} />
          </>
        )}
        {supersededById !== null && supersededAt !== null && (
          <>
            , replaced <TimeAgo timestamp={supersededAt} />
          </>
        )}
      </p>
      {memory.citations.length > 0 && <Citations citations={memory.citations} />}
      {supersededById !== null && <Superseder memory={memory} supersederId={supersededById} />}
      {replaced.map((other) => (
        <Replacement key={other.id} title="It replaced" shown={other} replaced={other} />
      ))}
    </section>
  );
}

function Citations({ citations }: { citations: readonly Citation[] }) {
  return (
    <ul aria-label="What it rests on" className="flex flex-col gap-1">
      {citations.map((citation) => (
        <li key={placeOf(citation)} className="flex flex-wrap items-baseline gap-x-2">
          <code className="font-mono text-12 [overflow-wrap:anywhere] text-strong">{placeOf(citation)}</code>
          <span className="text-12 text-muted">
            {CITATION_STATES[citation.state]}
            {citation.checkedAt !== null && (
              <>
                {" "}
                <TimeAgo timestamp={citation.checkedAt} />
              </>
            )}
            {citation.commit !== null && `, at ${citation.commit.slice(0, 8)}`}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Superseder({ memory, supersederId }: { memory: Memory; supersederId: string }) {
  const client = useClient();
  const superseder = useRow(memoryCollection(client), supersederId);
  useQuery({ ...memoryQuery(client, supersederId), enabled: superseder === undefined });
  return superseder === undefined ? null : <Replacement title="Replaced by" shown={superseder} replaced={memory} />;
}

interface ReplacementProps {
  readonly title: string;
  readonly shown: Memory;
  readonly replaced: Memory;
}

/** One memory that replaced another: the other one of the two, and a way to have both valid. */
function Replacement({ title, shown, replaced }: ReplacementProps) {
  const client = useClient();
  return (
    <div className="flex flex-col gap-2 rounded-control border border-border bg-background p-3">
      <p className="text-12 text-muted">{title}</p>
      <Link
        to="/memory"
        search={memoryPanel(shown.id)}
        className="line-clamp-3 [overflow-wrap:anywhere] text-accent-text hover:underline"
      >
        {shown.content}
      </Link>
      <div>
        <Button size="small" onClick={() => void updateMemory(client, replaced, { supersededById: null })}>
          Both are valid
        </Button>
      </div>
    </div>
  );
}
