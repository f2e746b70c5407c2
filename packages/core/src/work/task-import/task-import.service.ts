import { transaction, type PoolClient, type Queryable } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import { InvalidInputError } from "../../platform/errors.ts";
import { isUuid } from "../../platform/ids.ts";
import type { Author } from "../../platform/procedures/author.ts";
import { inSlices, inTurns } from "../../platform/in-slices.ts";
import { wallClockIn } from "../../platform/time-zone.ts";
import type { LinkView } from "../task-links/link-view.ts";
import { insertProject, isActiveProject } from "../projects/project.queries.ts";
import { lockTaskDependencies } from "../tasks/task-dependencies.queries.ts";
import { applyPatch, defaultTask, type ChangedAt } from "../tasks/task-values.ts";
import { readLinear } from "./formats/linear.ts";
import { readMarkdown } from "./formats/markdown.ts";
import { readTaskwarrior } from "./formats/taskwarrior.ts";
import { readTodoist } from "./formats/todoist.ts";
import { readVikunja } from "./formats/vikunja.ts";
import { readWorkspace } from "./formats/workspace.ts";
import {
  fitTask,
  type ImportedTask,
  type ReadContext,
  type ReadExport,
  type SkippedEntry,
} from "./formats/imported-task.ts";
import { parentsFirst, placeIn, planTasks, projectsOf, type FindNotes, type Planned } from "./planned-tasks.ts";
import {
  insertLinks,
  insertRelations,
  insertReminders,
  insertTasks,
  lockImports,
  selectKnownTasks,
  selectProjectsByName,
  type NewImportedTask,
} from "./task-import.queries.ts";
import { MAX_IMPORTED_TASKS, type ImportTasks, type TaskFormat, type TaskImport } from "./task-import.schema.ts";

const READERS: Readonly<Record<TaskFormat, ReadExport>> = {
  markdown: readMarkdown,
  todoist: readTodoist,
  linear: readLinear,
  taskwarrior: readTaskwarrior,
  vikunja: readVikunja,
  workspace: readWorkspace,
};

const MAX_SHOWN = 100;
/** They are created one by one. */
const MAX_NEW_PROJECTS = 200;
/** Each task is announced, so that pages read only these; of more, that there are some. */
const MAX_ANNOUNCED = 20;
const MINUTE_MS = 60_000;
const PROJECT_COLORS = ["#3b82f6", "#22c55e", "#f59e0b", "#ef4444", "#8b5cf6", "#ec4899", "#14b8a6", "#64748b"];

export interface TaskImportServiceDeps extends Deps<"db" | "clock" | "ids" | "events"> {
  /** The server's. */
  readonly timeZone: string;
  /** The notes that each of the texts names. */
  readonly findNotesNamedIn: FindNotes;
}

export type TaskImportService = ReturnType<typeof createTaskImportService>;

/** Who imports, and what notes the principal may see. */
interface Importer {
  readonly author: Author;
  readonly view: LinkView;
  /** How many entries a file may have. */
  readonly maxTasks?: number;
}

/** Reads the exports of other programs. All tasks of one are created, or none. */
export function createTaskImportService(deps: TaskImportServiceDeps) {
  const { db, clock, ids, events, timeZone, findNotesNamedIn } = deps;

  /** The ids of the projects that tasks name; those that do not exist are created. */
  async function openProjects(client: PoolClient, names: ReadonlySet<string>, createdAt: Date) {
    const projects = await selectProjectsByName(client);
    const created = [...names].filter((name) => !projects.has(name));
    for (const [index, name] of created.entries()) {
      const color = PROJECT_COLORS[index % PROJECT_COLORS.length] ?? "";
      const id = ids();
      await insertProject(client, { id, name, color, description: null, createdAt });
      projects.set(name, id);
    }
    return { projects, created };
  }

  /** Returns the ids of the tasks that are new after all, and the names of new projects. */
  async function store(fresh: readonly Planned[], projectId: string | null, author: Author) {
    const now = clock.now();
    const { projects, created, placed, stored } = await transaction(db.pool, async (client) => {
      await lockImports(client);
      await lockTaskDependencies(client);
      const opened = await openProjects(client, projectNamesOf(fresh), now);
      const { placed, existing } = await placeIn(client, fresh);
      const projectOf = projectsOf(placed, { existing, projects: opened.projects, projectId });
      const added = await storeInBatches(client, placed, { projectOf, author, now, ids, timeZone });
      return { ...opened, placed, stored: added };
    });
    for (const name of created)
      events.publish({
        resource: "project",
        action: "create",
        resourceId: projects.get(name) ?? "",
        resourceName: name,
      });
    announce(events, fresh, stored);
    return { stored, created, placed };
  }

  return {
    /**
     * Throws {@link InvalidInputError} if the content is not in the format or has too many tasks, or if `projectId` is not an active
     * project. A task that was imported before stays as it is.
     */
    async import(
      { format, content, projectId = null, dryRun }: ImportTasks,
      { author, view, maxTasks = MAX_IMPORTED_TASKS }: Importer,
    ): Promise<TaskImport> {
      if (projectId !== null && !(isUuid(projectId) && (await isActiveProject(db.pool, projectId))))
        throw InvalidInputError.at("projectId", "expected the id of an active project");
      const now = clock.now();
      const wallClock = (minutes: number) => wallClockIn(timeZone, new Date(now.getTime() + minutes * MINUTE_MS));
      const { tasks, skipped } = await readEntries({ format, content, maxTasks }, { now, timeZone, wallClock });
      const planned = await planTasks(db.pool, tasks, { format, view, findNotesNamedIn });
      const known = await selectKnownTasks(
        db.pool,
        planned.map(({ id }) => id),
      );
      const fresh = planned.filter(({ id }) => !known.has(id));
      const newProjects = await namesOfNewProjects(db.pool, fresh);
      if (newProjects.length > MAX_NEW_PROJECTS)
        throw InvalidInputError.at(
          "content",
          `names more than ${MAX_NEW_PROJECTS} projects that do not exist; divide it`,
        );
      const done = dryRun || fresh.length === 0 ? null : await store(fresh, projectId, author);
      const { placed } = done ?? (await placeIn(db.pool, fresh));
      const createdCount = done?.stored.size ?? fresh.length;
      const shown = new Map([...planned, ...placed].map((entry) => [entry.id, entry]));
      const titleOf = (id: string | null) => (id === null ? null : (shown.get(id)?.task.title ?? null));
      return {
        isDryRun: dryRun,
        createdCount,
        knownCount: planned.length - createdCount,
        skippedCount: skipped.length,
        newProjects: done?.created ?? newProjects,
        tasks: [...shown.values()]
          .slice(0, MAX_SHOWN)
          .map((entry) => toShown(entry, { isKnown: known.has(entry.id), titleOf })),
        skipped: skipped.slice(0, MAX_SHOWN),
      };
    },
  };
}

async function namesOfNewProjects(client: Queryable, planned: readonly Planned[]): Promise<string[]> {
  const known = await selectProjectsByName(client);
  return [...projectNamesOf(planned)].filter((name) => !known.has(name));
}

/** What is sent to the database at once, so that neither side holds all of a large import as one text. */
const BATCH = 1_000;

function* batchesOf<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let from = 0; from < items.length; from += BATCH) yield items.slice(from, from + BATCH);
}

interface Storing extends Pick<TaskImportServiceDeps, "ids" | "timeZone"> {
  readonly projectOf: (id: string) => string | null;
  readonly author: Author;
  readonly now: Date;
}

/** Stores tasks with what belongs to them, and returns the ids of those that were not there yet. */
async function storeInBatches(
  client: PoolClient,
  placed: readonly Planned[],
  { projectOf, author, now, ids, timeZone }: Storing,
): Promise<ReadonlySet<string>> {
  const added = new Set<string>();
  for (const batch of batchesOf(parentsFirst(placed))) {
    const tasks: NewImportedTask[] = [];
    await inSlices(batch, ({ entry, order }) => {
      // A list is newest first, and shows a file in its order.
      const createdAt = new Date(Math.min(entry.task.createdAt?.getTime() ?? now.getTime(), now.getTime()) - order);
      const values = toValues(entry, projectOf(entry.id), { now, timeZone });
      const checklist = entry.task.checklist.map((item) => ({ id: ids(), ...item }));
      tasks.push({ ...values, author, createdAt, checklist, order });
    });
    for (const id of await insertTasks(client, tasks)) added.add(id);
  }
  const { userId } = author;
  for (const batch of batchesOf(placed.filter(({ id }) => added.has(id))))
    await addTo(client, batch, { added, userId, ids, timeZone });
  return added;
}

/** Stores what belongs to some of the tasks that have just been stored; `added` are all of them. */
async function addTo(
  client: PoolClient,
  placed: readonly Planned[],
  {
    added,
    userId,
    ids,
    timeZone,
  }: { readonly added: ReadonlySet<string> } & Pick<Author, "userId"> & Pick<TaskImportServiceDeps, "ids" | "timeZone">,
): Promise<void> {
  const reminders = placed.flatMap(({ id, task }) =>
    task.reminders.map((reminder) => ({ ...reminder, id: ids(), taskId: id })),
  );
  await insertReminders(client, reminders, { userId, timeZone });
  await insertLinks(
    client,
    placed.flatMap(({ links }) => links),
  );
  const pairs = (taskId: string, others: readonly string[]) =>
    others.filter((otherId) => added.has(otherId)).map((otherId) => ({ taskId, otherId }));
  await insertRelations(client, {
    blockers: placed.flatMap(({ id, blockers }) => pairs(id, blockers)),
    related: placed.flatMap(({ id, related }) => pairs(id, related)),
  });
}

function announce(
  events: TaskImportServiceDeps["events"],
  planned: readonly Planned[],
  stored: ReadonlySet<string>,
): void {
  if (stored.size > MAX_ANNOUNCED) {
    events.publish({ resource: "task", action: "create", resourceId: "*", resourceName: null });
    return;
  }
  for (const { id, task } of planned)
    if (stored.has(id))
      events.publish({ resource: "task", action: "create", resourceId: id, resourceName: task.title });
}

function projectNamesOf(planned: readonly Planned[]): Set<string> {
  return new Set(planned.flatMap(({ task: { project } }) => project ?? []));
}

async function readEntries(
  { format, content, maxTasks }: { format: TaskFormat; content: string; maxTasks: number },
  context: ReadContext,
): Promise<{ tasks: ImportedTask[]; skipped: SkippedEntry[] }> {
  const tasks = new Map<string, ImportedTask>();
  const skipped: SkippedEntry[] = [];
  for await (const entry of inTurns(READERS[format](content, context))) {
    const fitted = "reason" in entry ? entry : fitTask(entry, context);
    if ("reason" in fitted) skipped.push(fitted);
    else if (tasks.has(fitted.key)) skipped.push({ ...fitted, reason: "occurs twice" });
    else tasks.set(fitted.key, fitted);
    if (tasks.size + skipped.length > maxTasks)
      throw InvalidInputError.at("content", `has more than ${maxTasks.toLocaleString("en")} entries; divide it`);
  }
  return { tasks: [...tasks.values()], skipped };
}

function toValues({ id, task, parentId }: Planned, projectId: string | null, at: ChangedAt) {
  const { title, status, priority, dueDate, dueTime, repeat, repeatFrom, repeatTimezone, snoozedUntil, tags } = task;
  const values = applyPatch(
    defaultTask(id),
    {
      title,
      description: toDescription(task),
      status,
      priority,
      projectId,
      parentId,
      // A rule without a date gets its first one.
      ...((dueDate !== null || repeat === null) && { dueDate }),
      dueTime,
      repeat,
      repeatFrom,
      repeatTimezone,
      snoozedUntil: snoozedUntil?.toISOString() ?? null,
      tags: [...tags],
    },
    at,
  );
  return { ...values, completedAt: values.completedAt === null ? null : (task.completedAt ?? at.now) };
}

function toDescription({ description }: ImportedTask): string | null {
  return description.length === 0 ? null : description.join("\n");
}

function toShown(
  { task, links, parentId, blockers, related }: Planned,
  { isKnown, titleOf }: { isKnown: boolean; titleOf: (id: string | null) => string | null },
): TaskImport["tasks"][number] {
  const { place, title, status, priority, project, dueDate, dueTime, repeat, repeatFrom, tags, reminders } = task;
  return {
    place,
    title,
    description: toDescription(task),
    status,
    priority,
    project,
    dueDate,
    dueTime,
    repeat,
    repeatFrom,
    parent: titleOf(parentId),
    blockedBy: blockers.flatMap((id) => titleOf(id) ?? []),
    relatesTo: related.flatMap((id) => titleOf(id) ?? []),
    tags: [...tags],
    notes: links.map((link) => link.title),
    reminders: reminders.map(({ minutesBefore, at }) => ({ minutesBefore, at: at?.toISOString() ?? null })),
    isKnown,
  };
}
