import type { Pausable } from "../../../browser/compute-in-slices.ts";

export interface GraphPoint {
  readonly x: number;
  readonly y: number;
}

interface Body {
  x: number;
  y: number;
  dx: number;
  dy: number;
}

const ROUNDS = 220;
const SPRING = 70;
const REPULSION = 2_600;
const CENTERING = 0.003;
/** Turning by this angle places points evenly. */
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));

/**
 * Places the nodes of a graph: links pull them together, and all push each other away. The first node is in the middle. The same graph
 * always gets the same places. Takes time quadratic in the number of nodes for each round, between which it may be paused.
 */
export function* layOut(
  nodes: readonly { readonly id: string; readonly distance: number }[],
  edges: readonly { readonly from: string; readonly to: string }[],
): Pausable<ReadonlyMap<string, GraphPoint>> {
  const index = new Map(nodes.map(({ id }, position) => [id, position]));
  const bodies: Body[] = nodes.map(({ distance }, position) => {
    const radius = distance === 0 ? 0 : 90 * distance + 4 * Math.sqrt(position);
    const angle = position * GOLDEN_ANGLE;
    return { x: radius * Math.cos(angle), y: radius * Math.sin(angle), dx: 0, dy: 0 };
  });
  const springs = edges.flatMap(({ from, to }) => {
    const [one, other] = [bodies[index.get(from) ?? -1], bodies[index.get(to) ?? -1]];
    return one === undefined || other === undefined ? [] : [{ one, other }];
  });
  for (let round = 0; round < ROUNDS; round += 1) {
    repelAll(bodies);
    for (const { one, other } of springs) pull(one, other);
    moveAll(bodies, 12 * (1 - round / ROUNDS) + 0.4);
    yield;
  }
  return new Map(nodes.map(({ id }, position) => [id, { x: bodies[position]?.x ?? 0, y: bodies[position]?.y ?? 0 }]));
}

function repelAll(bodies: readonly Body[]): void {
  bodies.forEach((one, first) => {
    for (let second = first + 1; second < bodies.length; second += 1) {
      const other = bodies[second];
      if (other === undefined) continue;
      const [x, y] = [one.x - other.x || 0.1, one.y - other.y || 0.1];
      push(one, other, { x, y }, REPULSION / Math.max(x * x + y * y, 60));
    }
  });
}

function pull(one: Body, other: Body): void {
  const [x, y] = [one.x - other.x, one.y - other.y];
  push(one, other, { x, y }, (SPRING - Math.hypot(x, y)) * 0.09);
}

/** Moves two bodies apart, or together if the force is negative. */
function push(one: Body, other: Body, { x, y }: GraphPoint, force: number): void {
  const length = Math.max(Math.sqrt(x * x + y * y), 0.1);
  one.dx += (x / length) * force;
  one.dy += (y / length) * force;
  other.dx -= (x / length) * force;
  other.dy -= (y / length) * force;
}

function moveAll(bodies: readonly Body[], furthest: number): void {
  bodies.forEach((body, position) => {
    const length = Math.max(Math.hypot(body.dx, body.dy), 0.001);
    const step = Math.min(length, furthest);
    if (position > 0) {
      body.x += (body.dx / length) * step - body.x * CENTERING;
      body.y += (body.dy / length) * step - body.y * CENTERING;
    }
    body.dx = 0;
    body.dy = 0;
  });
}

export interface Bounds extends GraphPoint {
  readonly width: number;
  readonly height: number;
}

/** The smallest rectangle around the middle and some points, with a margin. */
export function boundsOf(points: Iterable<GraphPoint>, margin: number, least = 0): Bounds {
  let [left, top, right, bottom] = [0, 0, 0, 0];
  for (const { x, y } of points) {
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  const marginX = Math.max(margin, (least - (right - left)) / 2);
  const marginY = Math.max(margin, (least - (bottom - top)) / 2);
  return { x: left - marginX, y: top - marginY, width: right - left + 2 * marginX, height: bottom - top + 2 * marginY };
}

/** Where the name of a node would be: centred below it, by so much. */
export interface NamePlace extends GraphPoint {
  readonly below: number;
  readonly characters: number;
}

/** How wide a character is at most on average, as a share of its size. */
const CHARACTER_WIDTH = 0.56;

/** The nodes whose names do not cover names before them. */
export function namesWithRoom<Node>(
  nodes: readonly Node[],
  placeOf: (node: Node) => NamePlace,
  size: number,
): ReadonlySet<Node> {
  const taken: { readonly x: number; readonly y: number; readonly half: number }[] = [];
  return new Set(
    nodes.filter((node) => {
      const { x, y: top, below, characters } = placeOf(node);
      const [y, half] = [top + below, (characters * size * CHARACTER_WIDTH) / 2];
      const isFree = taken.every(
        (other) => Math.abs(other.y - y) >= size || Math.abs(other.x - x) >= other.half + half,
      );
      if (isFree) taken.push({ x, y, half });
      return isFree;
    }),
  );
}
