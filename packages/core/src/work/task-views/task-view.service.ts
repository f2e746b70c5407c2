import { transaction, type Db } from "@workspace/db";
import * as z from "zod";
import type { Deps } from "../../platform/deps.ts";
import { assertVersion, parseExpectedVersions, type ExpectedVersions } from "../../platform/entity-version.ts";
import { InvalidInputError, NotFoundError } from "../../platform/errors.ts";
import { givesFields } from "../../platform/given-fields.ts";
import { isUuid } from "../../platform/ids.ts";
import { createPager, type Page } from "../../platform/paging.ts";
import {
  countViews,
  insertView,
  lockViews,
  orderViews,
  selectView,
  selectViews,
  setViewDeletedAt,
  updateView,
  type PlacedView,
} from "./task-view.queries.ts";
import {
  MAX_VIEWS,
  type CreateView,
  type ListViews,
  type TaskView,
  type UpdateView,
  type ViewById,
  type ViewSettings,
} from "./task-view.schema.ts";

const readPage = createPager("task-views", z.tuple([z.int(), z.uuid()]), ({ position, id }: PlacedView) => [
  position,
  id,
]);

export type TaskViewServiceDeps = Deps<"db" | "clock" | "ids" | "events">;

export type TaskViewService = ReturnType<typeof createTaskViewService>;

/** Views of tasks that people have saved: a filter, a layout, groups and an order, under a name. They are shared by all. */
export function createTaskViewService({ db, clock, ids, events }: TaskViewServiceDeps) {
  const publish = (action: "create" | "edit" | "delete" | "restore", view: { id: string; name: string }) =>
    events.publish({ resource: "view", action, resourceId: view.id, resourceName: view.name });

  async function get(id: string): Promise<TaskView> {
    const view = isUuid(id) ? await selectView(db.pool, id) : null;
    if (view === null) throw noSuchView();
    return view;
  }

  /** Runs a statement that changes a view in a certain state; null if it is in another one. */
  async function change(
    { id, expectedVersion }: ViewById,
    run: (versions: ExpectedVersions) => Promise<PlacedView | null>,
  ): Promise<TaskView | null> {
    if (!isUuid(id)) throw noSuchView();
    const versions = parseExpectedVersions(expectedVersion);
    const changed = await run(versions);
    if (changed !== null) return changed;
    assertVersion(versions, Number((await get(id)).version));
    return null;
  }

  return {
    /** In the order that people have given them. */
    async list({ limit, cursor, includeDeleted = false }: ListViews): Promise<Page<TaskView>> {
      return readPage({ limit, cursor, filter: { includeDeleted } }, (range) =>
        selectViews(db.pool, includeDeleted, range),
      );
    },

    /** Includes deleted views. Throws {@link NotFoundError}. */
    get,

    /** Throws {@link InvalidInputError} if there are very many. */
    async create({ name, color = null, settings }: CreateView, creatorId: string): Promise<TaskView> {
      const view = { id: ids(), name, color, settings: withDefaults(settings), creatorId, createdAt: clock.now() };
      const created = await transaction(db.pool, async (client) => {
        await lockViews(client);
        if ((await countViews(client)) >= MAX_VIEWS)
          throw new InvalidInputError(`There can be at most ${MAX_VIEWS} views. Delete one first.`);
        return insertView(client, view);
      });
      publish("create", created);
      return created;
    },

    /**
     * Changes only the fields given. Throws {@link NotFoundError}, {@link InvalidInputError} if the view is deleted, and
     * PreconditionFailedError if `expectedVersion` does not match.
     */
    async update({ id, expectedVersion, name, color, settings }: UpdateView): Promise<TaskView> {
      if (!givesFields({ name, color, settings })) {
        const view = await get(id);
        assertVersion(parseExpectedVersions(expectedVersion), Number(view.version));
        return view;
      }
      const view = await change({ id, expectedVersion }, (versions) =>
        updateView(db.pool, { id, versions }, { name, color, settings, modifiedAt: clock.now() }),
      );
      if (view === null) throw new InvalidInputError("The view is deleted. Restore it before changing it.");
      publish("edit", view);
      return view;
    },

    /** Idempotent. Otherwise throws like `update`. */
    async delete(target: ViewById): Promise<TaskView> {
      const deletedAt = clock.now();
      const view = await change(target, (versions) =>
        setViewDeletedAt(db.pool, { id: target.id, versions, deletedAt }),
      );
      if (view === null) return get(target.id);
      publish("delete", view);
      return view;
    },

    /** Undoes a deletion, as long as it is kept. Throws like `update`. */
    async restore(target: ViewById): Promise<TaskView> {
      const view = await change(target, (versions) =>
        setViewDeletedAt(db.pool, { id: target.id, versions, deletedAt: null }),
      );
      if (view === null) throw new InvalidInputError("The view is not deleted.");
      publish("restore", view);
      return view;
    },

    /** Puts views in an order. Throws {@link NotFoundError} for an unknown one. */
    async order(order: readonly string[]): Promise<TaskView[]> {
      const views = await reorder(db, [...new Set(order)]);
      const [first] = views;
      if (first !== undefined) publish("edit", first);
      return views;
    },
  };
}

function withDefaults(settings: CreateView["settings"] = {}): ViewSettings {
  const { filter = "", layout = "list", group = "status", sort = "newest" } = settings;
  return { filter, layout, group, sort };
}

/** Returns all views in their new order. Throws {@link NotFoundError} for an unknown one. */
async function reorder(db: Db, wanted: readonly string[]): Promise<PlacedView[]> {
  const all = { limit: undefined, after: undefined };
  return transaction(db.pool, async (client) => {
    await lockViews(client);
    const known = new Set((await selectViews(client, false, all)).map(({ id }) => id));
    if (wanted.some((id) => !known.has(id))) throw noSuchView();
    await orderViews(client, wanted);
    return selectViews(client, false, all);
  });
}

function noSuchView(): NotFoundError {
  return new NotFoundError("There is no such view.");
}
