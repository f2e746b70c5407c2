import { ArrowLeft, ArrowLeftRight, ArrowRight } from "lucide-react";
import { parentOf } from "../vault/vault-path.ts";
import type { Graph } from "./graph.ts";

const HEADINGS = ["", "One link away", "Two links away", "Three links away"];

interface GraphListProps {
  readonly graph: Graph;
  readonly onOpen: (id: string) => void;
}

/** The notes around one by their distance, with the direction of their links. */
export function GraphList({ graph, onOpen }: GraphListProps) {
  const distances = [1, 2, 3].filter((distance) => graph.nodes.some((node) => node.distance === distance));
  return (
    <div className="min-h-0 flex-1 overflow-y-auto p-2">
      {distances.map((distance) => (
        <section key={distance} aria-label={HEADINGS[distance] ?? ""} className="pb-3">
          <h3 className="px-2 py-1 text-12 font-medium text-muted">{HEADINGS[distance]}</h3>
          <ul>
            {graph.nodes
              .filter((node) => node.distance === distance)
              .map((node) => (
                <li key={node.id}>
                  <button
                    type="button"
                    className="flex min-h-9 w-full items-center gap-2 rounded-control px-2 py-1 text-left hover:bg-hover touch:min-h-12"
                    onClick={() => onOpen(node.id)}
                  >
                    <Direction graph={graph} id={node.id} distance={distance} />
                    <span className="flex min-w-0 flex-col">
                      <span dir="auto" className="truncate text-strong">
                        {node.title}
                      </span>
                      {parentOf(node.path) !== "" && (
                        <span className="truncate text-12 text-muted">{parentOf(node.path)}</span>
                      )}
                    </span>
                  </button>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

/** Whether a note is linked from what is nearer, links to it, or both. */
function Direction({ graph, id, distance }: { graph: Graph; id: string; distance: number }) {
  const nearer = new Set(graph.nodes.filter((node) => node.distance === distance - 1).map((node) => node.id));
  const isLinked = graph.edges.some(({ from, to }) => to === id && nearer.has(from));
  const links = graph.edges.some(({ from, to }) => from === id && nearer.has(to));
  const isBoth = isLinked && links;
  const Icon = isBoth ? ArrowLeftRight : links ? ArrowLeft : ArrowRight;
  const label = isBoth ? "Linked in both directions" : links ? "Links here" : "Linked from here";
  return <Icon size={16} role="img" aria-label={label} className="shrink-0 text-muted" />;
}
