import { clsx } from "clsx";
import { Maximize, ZoomIn, ZoomOut } from "lucide-react";
import { useEffect, useRef, useState, type PointerEvent, type RefObject } from "react";
import { useInSlices } from "../../../browser/use-in-slices.ts";
import { IconButton } from "../../../components/button.tsx";
import { boundsOf, layOut, namesWithRoom, type Bounds, type GraphPoint } from "./graph-layout.ts";
import { neighboursOf, type Graph } from "./graph.ts";

const MARGIN = 60;
/** As much as is shown of a small graph, so that its notes are as large as those of others. */
const LEAST = 400;
const NAME_SIZE = 12;
const NAME_CHARACTERS = 24;
const ZOOM_STEP = 1.3;
const [MIN_ZOOM, MAX_ZOOM] = [0.5, 6];

type GraphNode = Graph["nodes"][number];

const NOWHERE: GraphPoint = { x: 0, y: 0 };

interface GraphDrawingProps {
  readonly graph: Graph;
  readonly onOpen: (id: string) => void;
}

/** The notes as points, and their links as lines: dragged and zoomed by pointer. The list is the alternative for the keyboard. */
export function GraphDrawing({ graph, onOpen }: GraphDrawingProps) {
  const { nodes, edges } = graph;
  const places = useInSlices(layOut, nodes, edges);
  const [pointed, setPointed] = useState<string | null>(null);
  const svgRef = useRef<SVGSVGElement>(null);
  const isPlaced = places !== null && nodes.every(({ id }) => places.has(id));
  const { viewBox, drag, zoomBy, showAll } = useViewport(boundsOf(places?.values() ?? [], MARGIN, LEAST));
  useWheelZoom(svgRef, isPlaced, zoomBy);
  if (!isPlaced) return <div aria-busy className="flex-1" />;

  const near = pointed === null ? null : neighboursOf(graph, pointed);
  const named = namesWithRoom(
    nodes
      .filter(({ id }) => near?.has(id) ?? true)
      .toSorted((one, other) => Number(other.id === pointed) - Number(one.id === pointed)),
    (node) => ({ ...(places.get(node.id) ?? NOWHERE), below: belowOf(node), characters: nameOf(node).length }),
    NAME_SIZE,
  );
  return (
    <div className="relative min-h-0 flex-1">
      <svg
        ref={svgRef}
        role="img"
        aria-label={`Graph of ${nodes.length} notes; the list has the same notes`}
        viewBox={viewBox}
        className="absolute inset-0 size-full cursor-grab touch-none active:cursor-grabbing"
        onPointerDown={drag}
      >
        {edges.map(({ from, to }) => (
          <Edge
            key={`${from} ${to}`}
            from={places.get(from)}
            to={places.get(to)}
            isNear={from === pointed || to === pointed}
          />
        ))}
        {nodes.map((node) => (
          <Node
            key={node.id}
            place={places.get(node.id)}
            node={node}
            isNamed={named.has(node)}
            isFaint={near !== null && !near.has(node.id)}
            onPoint={(isPointed) => setPointed(isPointed ? node.id : null)}
            onOpen={() => onOpen(node.id)}
          />
        ))}
      </svg>
      <div className="absolute right-2 bottom-2 flex rounded-control border border-border bg-surface">
        <IconButton size="small" label="Zoom in" icon={<ZoomIn size={16} />} onClick={() => zoomBy(ZOOM_STEP)} />
        <IconButton size="small" label="Zoom out" icon={<ZoomOut size={16} />} onClick={() => zoomBy(1 / ZOOM_STEP)} />
        <IconButton size="small" label="Show all" icon={<Maximize size={16} />} onClick={showAll} />
      </div>
    </div>
  );
}

/** The part of the drawing that is shown. */
function useViewport(bounds: Bounds) {
  const [view, setView] = useState({ zoom: 1, x: 0, y: 0 });
  const [width, height] = [bounds.width / view.zoom, bounds.height / view.zoom];
  const left = bounds.x + (bounds.width - width) / 2 + view.x;
  const top = bounds.y + (bounds.height - height) / 2 + view.y;
  return {
    viewBox: `${left} ${top} ${width} ${height}`,
    showAll: () => setView({ zoom: 1, x: 0, y: 0 }),
    zoomBy: (factor: number) =>
      setView((before) => ({ ...before, zoom: Math.min(Math.max(before.zoom * factor, MIN_ZOOM), MAX_ZOOM) })),
    drag: (event: PointerEvent<SVGSVGElement>) => {
      const isOnNode = event.target instanceof Element && event.target.closest("[data-node]") !== null;
      if (event.button !== 0 || isOnNode) return;
      const svg = event.currentTarget;
      const scale = Math.max(width / svg.clientWidth, height / svg.clientHeight);
      const { clientX, clientY } = event;
      svg.setPointerCapture(event.pointerId);
      const move = (to: globalThis.PointerEvent) =>
        setView({ ...view, x: view.x - (to.clientX - clientX) * scale, y: view.y - (to.clientY - clientY) * scale });
      svg.addEventListener("pointermove", move);
      svg.addEventListener("lostpointercapture", () => svg.removeEventListener("pointermove", move), { once: true });
    },
  };
}

interface EdgeProps {
  readonly from: GraphPoint | undefined;
  readonly to: GraphPoint | undefined;
  readonly isNear: boolean;
}

function Edge({ from, to, isNear }: EdgeProps) {
  if (from === undefined || to === undefined) return null;
  return (
    <line
      x1={from.x}
      y1={from.y}
      x2={to.x}
      y2={to.y}
      stroke={isNear ? "var(--accent)" : "var(--control)"}
      strokeOpacity={isNear ? 1 : 0.45}
      strokeWidth={isNear ? 1.6 : 1}
    />
  );
}

interface NodeProps {
  readonly place: GraphPoint | undefined;
  readonly node: GraphNode;
  readonly isNamed: boolean;
  readonly isFaint: boolean;
  readonly onPoint: (isPointed: boolean) => void;
  readonly onOpen: () => void;
}

/** How large the point of a note is. */
function radiusOf({ distance }: GraphNode): number {
  return distance === 0 ? 8 : 6 - distance;
}

/** How far below the point its name is. */
function belowOf(node: GraphNode): number {
  return radiusOf(node) + NAME_SIZE + 1;
}

function nameOf({ title }: GraphNode): string {
  return title.length > NAME_CHARACTERS ? `${title.slice(0, NAME_CHARACTERS - 1)}…` : title;
}

function Node({ place, node, isNamed, isFaint, onPoint, onOpen }: NodeProps) {
  if (place === undefined) return null;
  const { title, distance } = node;
  return (
    <g
      data-node={title}
      transform={`translate(${place.x} ${place.y})`}
      className={clsx("cursor-pointer", isFaint && "opacity-30")}
      onPointerEnter={() => onPoint(true)}
      onPointerLeave={() => onPoint(false)}
      onClick={onOpen}
    >
      <title>{title}</title>
      <circle r={14} fill="transparent" />
      <circle r={radiusOf(node)} fill={distance === 0 ? "var(--accent)" : "var(--text-muted)"} />
      {isNamed && (
        <text
          y={belowOf(node)}
          textAnchor="middle"
          fill="var(--text-strong)"
          fontSize={NAME_SIZE}
          fontWeight={distance === 0 ? 600 : 400}
          paintOrder="stroke"
          stroke="var(--surface)"
          strokeWidth={3}
        >
          {nameOf(node)}
        </text>
      )}
    </g>
  );
}

/** React listens to the wheel passively, so that it could not keep the page from scrolling. */
function useWheelZoom(ref: RefObject<SVGSVGElement | null>, isShown: boolean, zoomBy: (factor: number) => void): void {
  useEffect(() => {
    const svg = isShown ? ref.current : null;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      zoomBy(Math.exp(-event.deltaY / 400));
    };
    svg?.addEventListener("wheel", onWheel, { passive: false });
    return () => svg?.removeEventListener("wheel", onWheel);
  });
}
