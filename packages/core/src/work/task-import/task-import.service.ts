import { transaction, type PoolClient } from "@workspace/db";
import { v5 } from "uuid";
import type { Deps } from "../../platform/deps.ts";
import { InvalidInputError } from "../../platform/errors.ts";
import { isUuid } from "../../platform/ids.ts";
import type { Author } from "../../platform/procedures/author.ts";
import { inSlices, inTurns } from "../../platform/in-slices.ts";
import { insertProject, isActiveProject } from "../projects/project.queries.ts";
import { applyPatch, defaultTask, type ChangedAt } from "../tasks/task-values.ts";
import { readLinear } from "./formats/linear.ts";
import { readMarkdown } from "./formats/markdown.ts";
import { readTaskwarrior } from "./formats/taskwarrior.ts";
import { readTodoist } from "./formats/todoist.ts";
import { readVikunja } from "./formats/vikunja.ts";
import { fitTask, type ImportedTask, type ReadExport, type SkippedEntry } from "./formats/imported-task.ts";
import {
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
};

/** Under which the id of an imported task is computed from its key. */
const ID_NAMESPACE = "6f4f2f7e-2d0c-4c1e-9a52-7f0f3a5f6c11";
const MAX_SHOWN = 100;
/** They are created one by one. */
const MAX_NEW_PROJECTS = 200;
/** Each task is announced, so that pages read only these; of more, that there are some. */
const MAX_ANNOUNCED = 20;
const PROJECT_COLORS = ["#3b82f6", "#22c55e", "#f59e0b", "#ef4444", "#8b5cf6", "#ec4899", "#14b8a6", "#64748b"];

export interface TaskImportServiceDeps extends Deps<"db" | "clock" | "ids" | "events"> {
  /** The server's. */
  readonly timeZone: string;
}

export type TaskImportService = ReturnType<typeof createTaskImportService>;

/** An entry of a file that becomes a task, with the id that it always gets. */
interface Planned {
  readonly id: string;
  readonly task: ImportedTask;
}

/** Reads the exports of other programs. All tasks of one are created, or none. */
export function createTaskImportService({ db, clock, ids, events, timeZone }: TaskImportServiceDeps) {
  /** The ids of the projects that tasks name; those that do not exist are created. */
  async function openProjects(client: PoolClient, names: ReadonlySet<string>, createdAt: Date) {
    const projects = await selectProjectsByName(client);
    const created = [...names].filter((name) => !projects.has(name));
    for (const [index, name] of created.entries()) {
      const color = PROJECT_COLORS[index % PROJECT_COLORS.length] ?? "";
      const project = await insertProject(client, { id: ids(), name, color, description: null, createdAt });
      projects.set(name, project.id);
    }
    return { projects, created };
  }

  async function namesOfNewProjects(planned: readonly Planned[]): Promise<string[]> {
    const known = await selectProjectsByName(db.pool);
    return [...projectNamesOf(planned)].filter((name) => !known.has(name));
  }

  /** Returns the ids of the tasks that are new after all, and the names of new projects. */
  async function store(planned: readonly Planned[], projectId: string | null, author: Author) {
    const now = clock.now();
    const { projects, created, stored } = await transaction(db.pool, async (client) => {
      await lockImports(client);
      const opened = await openProjects(client, projectNamesOf(planned), now);
      const tasks: NewImportedTask[] = [];
      await inSlices(planned.entries(), ([index, { id, task }]) => {
        const project = task.project === null ? projectId : (opened.projects.get(task.project) ?? null);
        // A list is newest first, and shows a file in its order.
        const createdAt = new Date(Math.min(task.createdAt?.getTime() ?? now.getTime(), now.getTime()) - index);
        tasks.push({ ...toValues(id, task, project, { now, timeZone }), author, createdAt });
      });
      return { ...opened, stored: await insertTasks(client, tasks) };
    });
    for (const name of created)
      events.publish({
        resource: "project",
        action: "create",
        resourceId: projects.get(name) ?? "",
        resourceName: name,
      });
    announce(planned, stored);
    return { stored, created };
  }

  function announce(planned: readonly Planned[], stored: ReadonlySet<string>): void {
    if (stored.size > MAX_ANNOUNCED) {
      events.publish({ resource: "task", action: "create", resourceId: "*", resourceName: null });
      return;
    }
    for (const { id, task } of planned)
      if (stored.has(id))
        events.publish({ resource: "task", action: "create", resourceId: id, resourceName: task.title });
  }

  return {
    /**
     * Throws {@link InvalidInputError} if the content is not in the format or has too many tasks, or if `projectId` is not an active
     * project. A task that was imported before stays as it is.
     */
    async import({ format, content, projectId = null, dryRun }: ImportTasks, author: Author): Promise<TaskImport> {
      if (projectId !== null && !(isUuid(projectId) && (await isActiveProject(db.pool, projectId))))
        throw InvalidInputError.at("projectId", "expected the id of an active project");
      const { tasks, skipped } = await readEntries(format, content);
      const planned: Planned[] = [];
      await inSlices(tasks, (task) => planned.push({ id: v5(JSON.stringify([format, task.key]), ID_NAMESPACE), task }));
      const known = await selectKnownTasks(
        db.pool,
        planned.map(({ id }) => id),
      );
      const fresh = planned.filter(({ id }) => !known.has(id));
      const newProjects = await namesOfNewProjects(fresh);
      if (newProjects.length > MAX_NEW_PROJECTS)
        throw InvalidInputError.at(
          "content",
          `names more than ${MAX_NEW_PROJECTS} projects that do not exist; divide it`,
        );
      const done = dryRun || fresh.length === 0 ? null : await store(fresh, projectId, author);
      const createdCount = done?.stored.size ?? fresh.length;
      return {
        isDryRun: dryRun,
        createdCount,
        knownCount: planned.length - createdCount,
        skippedCount: skipped.length,
        newProjects: done?.created ?? newProjects,
        tasks: planned.slice(0, MAX_SHOWN).map(({ id, task }) => toShown(task, known.has(id))),
        skipped: skipped.slice(0, MAX_SHOWN),
      };
    },
  };
}

function projectNamesOf(planned: readonly Planned[]): Set<string> {
  return new Set(planned.flatMap(({ task: { project } }) => project ?? []));
}

async function readEntries(
  format: TaskFormat,
  content: string,
): Promise<{ tasks: ImportedTask[]; skipped: SkippedEntry[] }> {
  const tasks = new Map<string, ImportedTask>();
  const skipped: SkippedEntry[] = [];
  for await (const entry of inTurns(READERS[format](content))) {
    const fitted = "reason" in entry ? entry : fitTask(entry);
    if ("reason" in fitted) skipped.push(fitted);
    else if (tasks.has(fitted.key)) skipped.push({ ...fitted, reason: "occurs twice" });
    else tasks.set(fitted.key, fitted);
    if (tasks.size + skipped.length > MAX_IMPORTED_TASKS)
      throw InvalidInputError.at(
        "content",
        `has more than ${MAX_IMPORTED_TASKS.toLocaleString("en")} entries; divide it`,
      );
  }
  return { tasks: [...tasks.values()], skipped };
}

function toValues(id: string, task: ImportedTask, projectId: string | null, at: ChangedAt) {
  const { title, status, priority, dueDate, dueTime, repeat, repeatFrom, tags } = task;
  const values = applyPatch(
    defaultTask(id),
    {
      title,
      description: toDescription(task),
      status,
      priority,
      projectId,
      dueDate,
      dueTime,
      repeat,
      repeatFrom,
      tags: [...tags],
    },
    at,
  );
  return { ...values, completedAt: values.completedAt === null ? null : (task.completedAt ?? at.now) };
}

function toDescription({ description }: ImportedTask): string | null {
  return description.length === 0 ? null : description.join("\n");
}

function toShown(task: ImportedTask, isKnown: boolean): TaskImport["tasks"][number] {
  const { place, title, status, priority, project, dueDate, dueTime, tags } = task;
  return {
    place,
    title,
    description: toDescription(task),
    status,
    priority,
    project,
    dueDate,
    dueTime,
    tags: [...tags],
    isKnown,
  };
}
