import { useQuery } from "@tanstack/react-query";
import { List, Waypoints } from "lucide-react";
import { useState } from "react";
import { useStored } from "../../../browser/stored-value.ts";
import { useClient } from "../../../client/use-client.ts";
import { Segmented } from "../../../components/segmented.tsx";
import { ErrorState, Skeleton } from "../../../components/states.tsx";
import { pluralize } from "../../../numbers/number-format.ts";
import type { Document } from "../document.ts";
import { GraphDrawing } from "./graph-drawing.tsx";
import { GraphList } from "./graph-list.tsx";
import { graphQuery, type Graph } from "./graph.ts";

type Depth = "1" | "2" | "3";
const DEPTHS: readonly Depth[] = ["1", "2", "3"];

interface GraphViewProps {
  readonly document: Document;
  readonly onOpen: (id: string) => void;
}

/** What is linked around a note, as a drawing or as a list. */
export default function GraphView({ document, onOpen }: GraphViewProps) {
  const client = useClient();
  const [depth, setDepth] = useState<Depth>("1");
  const [stored, setView] = useStored("documents.graph");
  const { data, error, refetch } = useQuery(graphQuery(client, document, Number(depth)));
  const hasLinks = data !== undefined && data.nodes.length > 1;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex shrink-0 flex-wrap items-center gap-2 border-b border-border p-2">
        <Segmented
          label="How far links are followed"
          value={depth}
          hasWords
          options={DEPTHS.map((value) => ({ value, label: pluralize(Number(value), "link"), icon: null }))}
          onChange={(value) => setDepth(value)}
        />
        <div className="ml-auto">
          <Segmented
            label="How it is shown"
            value={stored === "list" ? "list" : "graph"}
            options={[
              { value: "graph", label: "Graph", icon: <Waypoints aria-hidden size={16} /> },
              { value: "list", label: "List", icon: <List aria-hidden size={16} /> },
            ]}
            onChange={setView}
          />
        </div>
      </div>
      {error !== null && data === undefined && (
        <ErrorState title="The links could not be loaded" error={error} onRetry={() => void refetch()} />
      )}
      {error === null && data === undefined && <Skeleton className="m-6 h-40" />}
      {data !== undefined && <GraphNotice graph={data} />}
      {hasLinks && stored !== "list" && <GraphDrawing graph={data} onOpen={onOpen} />}
      {hasLinks && stored === "list" && <GraphList graph={data} onOpen={onOpen} />}
    </div>
  );
}

function GraphNotice({ graph: { nodes, isCut } }: { graph: Graph }) {
  const text =
    nodes.length <= 1
      ? "No links lead here or away yet. Type [[ in the text to link a note."
      : `${pluralize(nodes.length - 1, "note")}${isCut ? ". There are more; the nearest are shown." : ""}`;
  return (
    <p role="status" className="px-3 pt-2 text-12 text-muted">
      {text}
    </p>
  );
}
