import { transaction } from "@workspace/db";
import { selectFirstPrompts } from "../../assistants/hooks/searched-prompts.queries.ts";
import type { Deps } from "../../platform/deps.ts";
import { InvalidInputError, NotFoundError } from "../../platform/errors.ts";
import { isUuid } from "../../platform/ids.ts";
import { urlOf } from "../search/search-url.ts";
import {
  existsForShelf,
  putFavourites,
  putOpened,
  selectFavouritesForUpdate,
  selectShelfItems,
  type StoredItem,
} from "./shelf.queries.ts";
import {
  MAX_FAVOURITES,
  MAX_RECENT,
  MAX_REMEMBERED,
  type AddFavourite,
  type Shelf,
  type ShelfItem,
  type ShelfItemInput,
} from "./shelf.schema.ts";

export type ShelfService = ReturnType<typeof createShelfService>;

/** What each person keeps at hand, and what they have opened last, on all of their devices. */
export function createShelfService({ db, clock }: Deps<"db" | "clock">) {
  async function exists(userId: string, item: ShelfItemInput): Promise<boolean> {
    const canExist = item.kind === "session" || isUuid(item.id);
    return canExist && (await existsForShelf(db.pool, userId, item));
  }

  async function readShelf(userId: string): Promise<Shelf> {
    const stored = await selectShelfItems(db.pool, userId, MAX_RECENT);
    const sessions = stored.flatMap(({ kind, id }) => (kind === "session" ? [id] : []));
    const prompts = sessions.length === 0 ? new Map<string, string>() : await selectFirstPrompts(db.pool, sessions);
    const shown = stored.map((item) => ({ item, shown: toItem(item, prompts) }));
    return {
      favourites: shown
        .filter(({ item }) => item.position !== null)
        .toSorted((one, other) => (one.item.position ?? 0) - (other.item.position ?? 0))
        .map((each) => each.shown),
      recent: shown
        .filter(({ item }) => item.openedAt !== null)
        .slice(0, MAX_RECENT)
        .map((each) => each.shown),
    };
  }

  return {
    get: readShelf,

    /** Records that a person has opened something, unless it is gone: others may delete what is just looked at. */
    async open(item: ShelfItemInput, userId: string): Promise<{ opened: boolean }> {
      if (!(await exists(userId, item))) return { opened: false };
      await putOpened(db.pool, { userId, ...normalized(item), now: clock.now(), max: MAX_REMEMBERED });
      return { opened: true };
    },

    /**
     * Makes something a favourite, or moves it. Throws {@link NotFoundError}, and {@link InvalidInputError} if there are too many favourites,
     * or if the one before which it is to be put is none.
     */
    async addFavourite({ before, ...given }: AddFavourite, userId: string): Promise<Shelf> {
      if (!(await exists(userId, given))) throw new NotFoundError(`There is no such ${given.kind}.`);
      const item = normalized(given);
      await transaction(db.pool, async (client) => {
        const current = await selectFavouritesForUpdate(client, userId);
        const others = current.filter((other) => !isSame(other, item));
        if (others.length >= MAX_FAVOURITES)
          throw new InvalidInputError(`There can be at most ${MAX_FAVOURITES} favourites. Remove one first.`);
        const place =
          before === undefined ? others.length : others.findIndex((other) => isSame(other, normalized(before)));
        if (place === -1) throw InvalidInputError.at("before", "is not one of the other favourites");
        await putFavourites(client, userId, others.toSpliced(place, 0, item));
      });
      return readShelf(userId);
    },

    /** Idempotent. */
    async removeFavourite(item: ShelfItemInput, userId: string): Promise<Shelf> {
      await transaction(db.pool, async (client) => {
        const current = await selectFavouritesForUpdate(client, userId);
        const others = current.filter((other) => !isSame(other, normalized(item)));
        await putFavourites(client, userId, others);
      });
      return readShelf(userId);
    },
  };
}

function toItem(item: StoredItem, prompts: ReadonlyMap<string, string>): ShelfItem {
  const { kind, id, path, color, openedAt } = item;
  const title = kind === "session" ? (prompts.get(id) ?? `Session ${id}`) : item.title;
  const url = kind === "project" ? `/projects/${encodeURIComponent(id)}` : urlOf(kind, id, { title });
  return { kind, id, title, url, openedAt, ...(path !== null && { path }), ...(color !== null && { color }) };
}

/** One spelling for each item: ids are case-insensitive, except those that assistants give their sessions. */
function normalized({ kind, id }: ShelfItemInput): ShelfItemInput {
  return { kind, id: kind === "session" ? id : id.toLowerCase() };
}

function isSame(one: ShelfItemInput, other: ShelfItemInput): boolean {
  return one.kind === other.kind && one.id === other.id;
}
