import { MAX_LINKS } from "../task-links/task-links.queries.ts";

/** A new task, and the tasks that its export says it waits for and concerns. */
export interface RelatedEntry {
  readonly id: string;
  /** The task that it is a part of, if it has one. */
  readonly parentId: string | null;
  readonly blockers: readonly string[];
  readonly related: readonly string[];
}

/** What a task can wait for and concern. */
export interface Relations {
  readonly blockers: ReadonlySet<string>;
  readonly related: ReadonlySet<string>;
}

/**
 * The relations that new tasks can have: to other new ones, none that closes a circle, and no more of each kind than tasks have. A
 * part of a task that is there already waits for nothing, since what that task waits for is not known here.
 */
export function relationsOf(entries: readonly RelatedEntry[]): ReadonlyMap<string, Relations> {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const isFree = freeIn(byId);
  const wanted = entries.flatMap(({ id, blockers }) =>
    blockers
      .filter((blocker) => blocker !== id && isFree(id) && isFree(blocker))
      .map((blocker) => [id, blocker] as const),
  );
  const inCircle = circles(entries, wanted);
  const relations = new Map(entries.map(({ id }) => [id, { blockers: new Set<string>(), related: new Set<string>() }]));
  const counts = new Map<string, number>();
  /** Whether a task may have one more relation of a kind. */
  const mayHave = (kind: string, id: string) => (counts.get(`${kind} ${id}`) ?? 0) < MAX_LINKS;
  const count = (kind: string, id: string) => counts.set(`${kind} ${id}`, (counts.get(`${kind} ${id}`) ?? 0) + 1);
  for (const [id, blocker] of wanted) {
    const known = relations.get(id)?.blockers;
    if (known === undefined || known.has(blocker) || (inCircle.has(`end ${blocker}`) && inCircle.has(`begin ${id}`)))
      continue;
    if (!mayHave("waits", id) || !mayHave("blocks", blocker)) continue;
    known.add(blocker);
    count("waits", id);
    count("blocks", blocker);
  }
  for (const { id, related } of entries) {
    for (const other of related) {
      const [own, others] = [relations.get(id)?.related, relations.get(other)?.related];
      if (own === undefined || others === undefined || other === id || own.has(other)) continue;
      if (own.size >= MAX_LINKS || others.size >= MAX_LINKS) continue;
      own.add(other);
      others.add(id);
    }
  }
  return relations;
}

/** Whether a task is new, and all that it is a part of. */
function freeIn(byId: ReadonlyMap<string, RelatedEntry>): (id: string) => boolean {
  const known = new Map<string, boolean>();
  return function isFree(id: string): boolean {
    const entry = byId.get(id);
    const result = known.get(id) ?? (entry !== undefined && (entry.parentId === null || isFree(entry.parentId)));
    known.set(id, result);
    return result;
  };
}

/**
 * The beginnings and ends of tasks that are in a circle, or between two: a task ends after it begins and after its parts, and begins
 * after what it waits for and after what it is a part of.
 */
function circles(
  entries: readonly RelatedEntry[],
  wanted: readonly (readonly [id: string, blocker: string])[],
): ReadonlySet<string> {
  if (wanted.length === 0) return new Set();
  const edges = [
    ...entries.map(({ id }) => [`begin ${id}`, `end ${id}`] as const),
    ...entries.flatMap(({ id, parentId }) =>
      parentId === null
        ? []
        : [[`begin ${parentId}`, `begin ${id}`] as const, [`end ${id}`, `end ${parentId}`] as const],
    ),
    ...wanted.map(([id, blocker]) => [`end ${blocker}`, `begin ${id}`] as const),
  ];
  const left = new Set(edges.flat());
  withoutOpen(left, edges);
  withoutOpen(
    left,
    edges.map(([from, to]) => [to, from] as const),
  );
  return left;
}

/** Removes what nothing comes before, and then what only that came before, and so on. */
function withoutOpen(left: Set<string>, edges: readonly (readonly [string, string])[]): void {
  const after = new Map<string, string[]>();
  const before = new Map<string, number>();
  for (const [from, to] of edges) {
    if (!left.has(from) || !left.has(to)) continue;
    const known = after.get(from);
    if (known === undefined) after.set(from, [to]);
    else known.push(to);
    before.set(to, (before.get(to) ?? 0) + 1);
  }
  const open = [...left].filter((one) => !before.has(one));
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    left.delete(one);
    for (const next of after.get(one) ?? []) {
      const count = (before.get(next) ?? 0) - 1;
      before.set(next, count);
      if (count === 0) open.push(next);
    }
  }
}
