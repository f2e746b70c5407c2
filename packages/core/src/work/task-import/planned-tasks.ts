import type { Queryable } from "@workspace/db";
import { v5 } from "uuid";
import { inSlices } from "../../platform/in-slices.ts";
import type { LinkView } from "../task-links/link-view.ts";
import type { ImportedRef, ImportedTask } from "./formats/imported-task.ts";
import { MAX_LINKS, selectNotesAtPaths } from "../task-links/task-links.queries.ts";
import { relationsOf, type Relations } from "./imported-relations.ts";
import { parentsOf } from "./imported-trees.ts";
import { selectExistingParents, type ExistingParentRow, type ImportedLink } from "./task-import.queries.ts";
import type { TaskFormat } from "./task-import.schema.ts";

/** Under which the id of an imported task is computed from its key. */
const ID_NAMESPACE = "6f4f2f7e-2d0c-4c1e-9a52-7f0f3a5f6c11";
/** An entry of a file that becomes a task, with the id that it always gets. */
export interface Planned {
  readonly id: string;
  /** That of the task that it is a part of, if it is in the file. */
  readonly parentId: string | null;
  /** Those of the tasks that it waits for, if they are in the file. */
  readonly blockers: readonly string[];
  /** Those of the tasks that it concerns, if they are in the file. */
  readonly related: readonly string[];
  readonly task: ImportedTask;
  readonly links: readonly ImportedLink[];
}

interface FoundNote {
  readonly id: string;
  readonly title: string;
  readonly path: string;
}

/** Finds the notes that each of many texts names. */
export type FindNotes = (texts: readonly string[]) => Promise<readonly (readonly FoundNote[])[]>;

/** The tasks of a file with their ids and with the notes that may be seen. A note that is not there is a line of the description. */
export async function planTasks(
  db: Queryable,
  tasks: readonly ImportedTask[],
  {
    format,
    view,
    findNotesNamedIn,
  }: { readonly format: TaskFormat; readonly view: LinkView; readonly findNotesNamedIn: FindNotes },
): Promise<Planned[]> {
  const [titles, descriptions] = [
    tasks.map(({ title }) => title),
    tasks.map(({ description }) => description.join("\n")),
  ];
  const notes = await findNotesNamedIn([...titles, ...descriptions]);
  const noteAt = await notesAt(db, tasks);
  const entries: { id: string; task: ImportedTask }[] = [];
  await inSlices(tasks, (task) => entries.push({ id: idOf(format, task), task }));
  const byRef = new Map(entries.map(({ id, task }) => [task.ref ?? task.key, id]));
  const idsOf = (refs: readonly ImportedRef[]) => refs.flatMap(({ ref }) => byRef.get(ref) ?? []);
  const visible = (found: readonly FoundNote[] = []) => found.filter(({ path }) => view.showsNote(path));
  return entries.map(({ id, task }, index) => {
    const found = task.notes.map((path) => ({ path, note: visible([noteAt(path) ?? []].flat())[0] }));
    const missing = found.filter(({ note }) => note === undefined).map(({ path }) => path);
    const linked = found.flatMap(({ note }) => note ?? []).slice(0, MAX_LINKS);
    return {
      id,
      task:
        missing.length === 0 ? task : { ...task, description: [...task.description, `Notes: ${missing.join(", ")}`] },
      parentId: task.parent === null ? null : (byRef.get(task.parent.ref) ?? null),
      blockers: idsOf(task.blockedBy),
      related: idsOf(task.relatesTo),
      links: linksOf(id, {
        set: [...linked, ...visible(notes[index])],
        described: visible(notes[tasks.length + index]),
      }),
    };
  });
}

/** Finds the notes that tasks are linked to. Their files may have been imported with composed names. */
async function notesAt(
  db: Queryable,
  tasks: readonly ImportedTask[],
): Promise<(path: string) => FoundNote | undefined> {
  const paths = new Set(tasks.flatMap((task) => task.notes.flatMap((path) => [path, path.normalize()])));
  const notes = paths.size === 0 ? [] : await selectNotesAtPaths(db, [...paths]);
  const byPath = new Map(notes.map((note) => [note.path, note]));
  return (path) => byPath.get(path) ?? byPath.get(path.normalize());
}

/** Always the same for the same task. Those of another workspace keep their ids, by which their own workspace knows them as well. */
function idOf(format: TaskFormat, { key }: ImportedTask): string {
  return format === "workspace" ? key : v5(JSON.stringify([format, key]), ID_NAMESPACE);
}

/**
 * The new tasks with the parents and relations that they can have. What one cannot be a part of, wait for or concern is a line of its
 * description.
 */
export async function placeIn(
  client: Queryable,
  fresh: readonly Planned[],
): Promise<{ placed: readonly Planned[]; existing: ReadonlyMap<string, ExistingParentRow> }> {
  const byRef = new Map(fresh.map(({ id, task }) => [task.ref ?? task.key, id]));
  const isFresh = new Set(fresh.map(({ id }) => id));
  const others = new Set(fresh.flatMap(({ parentId }) => (parentId === null || isFresh.has(parentId) ? [] : parentId)));
  const existing = await selectExistingParents(client, [...others]);
  const parents = parentsOf(fresh, existing);
  const nested = fresh.map((entry) => ({ ...entry, parentId: parents.get(entry.id) ?? null }));
  const relations = relationsOf(nested);
  const placed = nested.map((entry) => {
    const { blockers, related } = relations.get(entry.id) ?? NO_RELATIONS;
    const { task, parentId } = entry;
    const lines = [
      ...(parentId === null && task.parent !== null ? [`Part of: ${task.parent.title}`] : []),
      ...leftOut("Blocked by", task.blockedBy, { ids: byRef, kept: blockers }),
      ...leftOut("Related to", task.relatesTo, { ids: byRef, kept: related }),
    ];
    const description = lines.length === 0 ? task.description : [...task.description, ...lines];
    return { ...entry, blockers: [...blockers], related: [...related], task: { ...task, description } };
  });
  return { placed, existing };
}

/** A new task with its place in the file. */
interface Ordered {
  readonly entry: Planned;
  readonly order: number;
}

/** The tasks in an order in which they can be stored one after the other: each after the one that it is a part of. */
export function parentsFirst(placed: readonly Planned[]): readonly Ordered[] {
  const parents = new Map(placed.map(({ id, parentId }) => [id, parentId]));
  const depthOf = (id: string): number => {
    let depth = 0;
    for (let at = parents.get(id) ?? null; at !== null; at = parents.get(at) ?? null) depth += 1;
    return depth;
  };
  const ordered = placed.map((entry, order) => ({ entry, order, depth: depthOf(entry.id) }));
  return ordered.toSorted((one, other) => one.depth - other.depth);
}

const NO_RELATIONS: Relations = { blockers: new Set(), related: new Set() };

/** A line with the tasks that it could not be related to. */
function leftOut(
  label: string,
  refs: readonly ImportedRef[],
  { ids, kept }: { readonly ids: ReadonlyMap<string, string>; readonly kept: ReadonlySet<string> },
): string[] {
  const titles = refs.filter(({ ref }) => !kept.has(ids.get(ref) ?? "")).map(({ title }) => title);
  return titles.length === 0 ? [] : [`${label}: ${titles.join(", ")}`];
}

/** The project of a task: its own, that of the task that it is a part of, or the one that was given. */
export function projectsOf(
  placed: readonly Planned[],
  {
    existing,
    projects,
    projectId,
  }: {
    existing: ReadonlyMap<string, ExistingParentRow>;
    projects: ReadonlyMap<string, string>;
    projectId: string | null;
  },
): (id: string) => string | null {
  const byId = new Map(placed.map((entry) => [entry.id, entry]));
  const projectOf = (id: string | null): string | null => {
    const entry = id === null ? undefined : byId.get(id);
    if (entry === undefined) return (id === null ? null : existing.get(id)?.projectId) ?? projectId;
    return entry.task.project === null ? projectOf(entry.parentId) : (projects.get(entry.task.project) ?? null);
  };
  return projectOf;
}

/** A link to a note that is named in the title counts as set; one from the description is there as long as that names it. */
function linksOf(
  taskId: string,
  { set, described }: { set: readonly FoundNote[]; described: readonly FoundNote[] },
): ImportedLink[] {
  const notes = new Map([...set, ...described].map((note) => [note.id, note]));
  const has = (found: readonly FoundNote[], id: string) => found.some((note) => note.id === id);
  return [...notes.values()].map(({ id, title }) => ({
    taskId,
    id,
    title,
    isSet: has(set, id),
    isNamed: has(described, id),
  }));
}
