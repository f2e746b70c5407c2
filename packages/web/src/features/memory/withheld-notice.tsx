import { FileX2 } from "lucide-react";
import { useClient } from "../../client/use-client.ts";
import { Button } from "../../components/button.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { confirmMemory } from "./memory-actions.ts";
import { placeOf, type Memory } from "./memory.ts";

/** Says that a memory is withheld because lines that it rests on are not there, and offers to confirm it. */
export function WithheldNotice({ memory }: { readonly memory: Memory }) {
  const client = useClient();
  const changed = memory.citations.filter(({ state }) => state === "broken");
  return (
    <section
      aria-label="Withheld"
      className="flex flex-col gap-2 rounded-control border border-warning/30 bg-warning/8 p-3 text-13"
    >
      <p className="flex items-center gap-2 font-medium text-warning">
        <FileX2 aria-hidden size={14} className="shrink-0" />
        Withheld{memory.withheldAt !== null && " "}
        {memory.withheldAt !== null && <TimeAgo timestamp={memory.withheldAt} />}
      </p>
      <p className="text-strong">
        What it rests on is not there:{" "}
        {changed.map((citation, index) => (
          <span key={placeOf(citation)}>
            {index > 0 && ", "}
            <code className="font-mono text-12 [overflow-wrap:anywhere]">{placeOf(citation)}</code>
          </span>
        ))}
        . Sessions are not given it until the lines are there, or you change or confirm it.
      </p>
      <div>
        <Button size="small" onClick={() => void confirmMemory(client, memory)}>
          It still holds
        </Button>
      </div>
    </section>
  );
}
